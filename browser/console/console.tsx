import { render, type JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { SignInDto } from '../generated/api.js';
import { isLoopback } from '../kit/loopback.js';
import { ApprovalsPage } from './approvals.js';
import { Ask, type AskProps } from './ask.js';
import { AuditPage } from './audit.js';
import { DifferencesPage } from './differences.js';
import { LedgerPage } from './ledger.js';
import { LinksPage } from './links.js';
import { OverviewPage } from './overview.js';
import { PaymentPage } from './payment.js';
import { PaymentsPage } from './payments.js';
import { hrefOf, readRoute, type Route } from './route.js';
import { Changes, type Service } from './service.js';
import { SessionContext, type Session } from './session.js';
import { SettlementPage, SettlementsPage } from './settlements.js';
import { SignIn } from './sign-in.js';
import { showTimesIn } from './times.js';
import { whenUnused } from './when-unused.js';

/** The merchant's page. All its data is gone when it is closed or reloaded. */

const UNUSED_SECONDS = 15 * 60;
/** Tells the page after its reload why it was reloaded. */
const UNUSED = 'unused';

/** A page by the first word of its address, with the keys that may open it. */
type Place = readonly [word: string, name: string, keys: string, page: (route: Route) => JSX.Element];

const FIRST: Place = ['', 'Overview', 'full read books', () => <OverviewPage />];
const PLACES: readonly Place[] = [
  FIRST,
  [
    ...(['payments', 'Payments', 'full read books'] as const),
    ({ path: [, id], query }) => (id ? <PaymentPage key={id} id={id} /> : <PaymentsPage query={query} />),
  ],
  ['approvals', 'Approvals', 'full read', () => <ApprovalsPage />],
  [
    ...(['settlements', 'Settlements', 'full read books'] as const),
    ({ path: [, id] }) => (id ? <SettlementPage key={id} id={id} /> : <SettlementsPage />),
  ],
  ['differences', 'Differences', 'full read books', ({ query }) => <DifferencesPage query={query} />],
  ['ledger', 'Ledger', 'full read books', ({ query }) => <LedgerPage query={query} />],
  ['audit', 'Audit', 'full read', ({ query }) => <AuditPage query={query} />],
  ['links', 'Payment link', 'full', () => <LinksPage />],
];

type Entered = Pick<Session, 'service' | 'caller'>;

function Console({ baseUrl, isLive, note }: { baseUrl: string; isLive: boolean; note: string }): JSX.Element {
  const [entered, setEntered] = useState<Entered>();
  const enter = (service: Service, caller: SignInDto): void => {
    showTimesIn(caller.timeZone);
    whenUnused(UNUSED_SECONDS, () => {
      history.replaceState(UNUSED, '');
      location.reload();
    });
    setEntered({ service, caller });
  };
  const { access = 'full', actor = '', livemode = isLive } = entered?.caller ?? {};
  return (
    <>
      <header>
        <h1>Tillfront console</h1>
        <span class={`badge ${livemode ? 'succeeded' : 'processing'}`}>
          {livemode ? 'Live' : 'Test mode'}
        </span>
        {access !== 'full' && <span class="badge">{access === 'books' ? 'Books' : 'Read only'}</span>}
        <span class="muted">{actor.replace(/^merchant:?/, '')}</span>
        {entered && (
          <button type="button" class="small" onClick={() => location.reload()}>
            Sign out
          </button>
        )}
      </header>
      {entered ? <Pages {...entered} /> : <SignIn {...{ baseUrl, note, entered: enter }} />}
    </>
  );
}

/** The pages of somebody who is signed in. */
function Pages({ service, caller }: Entered): JSX.Element {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  const [told, tell] = useState('');
  const [asked, setAsked] = useState<Pick<AskProps, 'question' | 'again'>>();
  const session = useMemo(
    (): Session => ({
      ...{ service, caller, changes: new Changes(), searches: [] },
      // The same words again are read again only when they were gone in between.
      announce: (words) => {
        tell('');
        setTimeout(() => tell(words), 50);
      },
      ask: (question, again) => setAsked({ question, again }),
    }),
    [service],
  );
  useEffect(() => {
    const show = (): void => {
      setRoute(readRoute(location.hash));
      tell('');
    };
    addEventListener('hashchange', show);
    return () => removeEventListener('hashchange', show);
  }, []);
  const offered = PLACES.filter(([, , keys]) => keys.includes(caller.access));
  const [word, , , page] = offered.find(([of]) => of === (route.path[0] ?? '')) ?? FIRST;
  return (
    <SessionContext.Provider value={session}>
      <nav aria-label="Pages">
        <ul>
          {offered.map(([of, title]) => (
            <li key={of}>
              <a href={hrefOf(of)} aria-current={of === word ? 'page' : undefined}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main>
        <p role="status" class="told">
          {told}
        </p>
        {page(route)}
      </main>
      <footer class="muted">Times and days are those of {caller.timeZone}.</footer>
      {asked && <Ask {...asked} done={session.announce} close={() => setAsked(undefined)} />}
    </SessionContext.Provider>
  );
}

/** Shows the console, or where it is if it was opened at another address: the service would refuse its calls there. */
function start({ baseUrl: publicUrl = '', mode }: DOMStringMap): void {
  const right = new URL(`${publicUrl || location.origin}/console${location.hash}`);
  const isElsewhere = right.origin !== location.origin;
  if (isElsewhere && isLoopback(right.hostname) && isLoopback(location.hostname)) {
    location.replace(right);
    return;
  }
  const isUnused = history.state === UNUSED;
  if (isUnused) history.replaceState(null, '');
  const note = isUnused ? 'You were signed out after 15 minutes without use.' : '';
  const page = isElsewhere ? (
    <main>
      The console works only at its own address: <a href={right.href}>{right.origin}</a>
    </main>
  ) : (
    <Console {...{ note, isLive: mode === 'live', baseUrl: new URL('.', location.href).href.slice(0, -1) }} />
  );
  render(page, document.body);
}

start(document.documentElement.dataset);
