import { render, type JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { ApprovalsPage } from './approvals.js';
import { AuditPage } from './audit.js';
import { DifferencesPage } from './differences.js';
import { LedgerPage } from './ledger.js';
import { LinksPage } from './links.js';
import { OverviewPage } from './overview.js';
import { PaymentPage } from './payment.js';
import { PaymentsPage } from './payments.js';
import { hrefOf, readRoute, type Route } from './route.js';
import { Searches } from './searches.js';
import { Changes, type Caller, type Service } from './service.js';
import { mayAct, mayReadAll, SessionContext, type Session } from './session.js';
import { SettlementPage } from './settlement.js';
import { SettlementsPage } from './settlements.js';
import { SignIn } from './sign-in.js';
import { showTimesIn } from './times.js';
import { whenUnused } from './when-unused.js';

/** The merchant's page. All its data is gone when it is closed or reloaded. */

const UNUSED_SECONDS = 15 * 60;
/** Tells the page after its reload why it was reloaded. */
const UNUSED = 'unused';

interface Place {
  word: string;
  name: string;
  /** Whether a key may open it; any key if it says nothing. */
  may?: (caller: Caller) => boolean;
  page: (route: Route) => JSX.Element;
}

const PLACES: readonly Place[] = [
  { word: '', name: 'Overview', page: () => <OverviewPage /> },
  {
    ...{ word: 'payments', name: 'Payments' },
    page: ({ path: [, id], query }) => (id ? <PaymentPage key={id} id={id} /> : <PaymentsPage query={query} />),
  },
  { word: 'approvals', name: 'Approvals', may: mayReadAll, page: () => <ApprovalsPage /> },
  {
    ...{ word: 'settlements', name: 'Settlements' },
    page: ({ path: [, id] }) => (id ? <SettlementPage key={id} id={id} /> : <SettlementsPage />),
  },
  { word: 'differences', name: 'Differences', page: ({ query }) => <DifferencesPage query={query} /> },
  { word: 'ledger', name: 'Ledger', page: ({ query }) => <LedgerPage query={query} /> },
  { word: 'audit', name: 'Audit', may: mayReadAll, page: ({ query }) => <AuditPage query={query} /> },
  { word: 'links', name: 'Payment link', may: mayAct, page: () => <LinksPage /> },
];

function Console({ baseUrl, isLive, note }: { baseUrl: string; isLive: boolean; note: string }): JSX.Element {
  const [session, setSession] = useState<Pick<Session, 'service' | 'caller'>>();
  const enter = (service: Service, caller: Caller): void => {
    showTimesIn(caller.timeZone);
    whenUnused(UNUSED_SECONDS, () => {
      history.replaceState(UNUSED, '');
      location.reload();
    });
    setSession({ service, caller });
  };
  const caller = session?.caller;
  const isReal = caller?.livemode ?? isLive;
  return (
    <>
      <header>
        <h1>Tillfront console</h1>
        <span class={`mode ${isReal ? 'live' : ''}`}>{isReal ? 'Live' : 'Test mode'}</span>
        {caller && (
          <>
            {caller.access !== 'full' && <span class="mode">{caller.access === 'books' ? 'Books' : 'Read only'}</span>}
            <span class="muted">{caller.actor.replace(/^merchant:?/, '')}</span>
            <button type="button" class="small" onClick={() => location.reload()}>
              Sign out
            </button>
          </>
        )}
      </header>
      {session ? (
        <Pages {...session} />
      ) : (
        <main>
          <SignIn baseUrl={baseUrl} note={note} entered={enter} />
        </main>
      )}
    </>
  );
}

/** The pages of somebody who is signed in. */
function Pages({ service, caller }: Pick<Session, 'service' | 'caller'>): JSX.Element {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  const [told, announce] = useState('');
  const session = useMemo(
    () => ({ service, caller, announce, changes: new Changes(), searches: new Searches() }),
    [service],
  );
  useEffect(() => {
    const show = (): void => {
      setRoute(readRoute(location.hash));
      announce('');
    };
    addEventListener('hashchange', show);
    return () => removeEventListener('hashchange', show);
  }, []);
  const offered = PLACES.filter(({ may }) => may?.(caller) !== false);
  const place = offered.find(({ word }) => word === (route.path[0] ?? '')) ?? PLACES[0];
  // Filters are no new page: the focus stays.
  const opened = `${place?.word ?? ''}/${route.path[1] ?? ''}`;
  useEffect(() => {
    const heading = document.querySelector<HTMLElement>('main h2');
    heading?.focus({ preventScroll: true });
    scrollTo(0, 0);
    const title = (): void => {
      document.title = `${document.querySelector('main h2')?.firstChild?.textContent?.trim() ?? place?.name ?? ''} – Tillfront console`;
    };
    title();
    // A page's heading may be known only once its data is there.
    const observer = new MutationObserver(title);
    const main = document.querySelector('main');
    if (main) observer.observe(main, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [opened]);
  return (
    <SessionContext.Provider value={session}>
      <nav aria-label="Pages">
        <ul>
          {offered.map(({ word, name }) => (
            <li key={word}>
              <a href={hrefOf(word)} aria-current={word === place?.word ? 'page' : undefined}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main>
        <p role="status" class="told">
          {told}
        </p>
        {place?.page(route)}
      </main>
      <footer class="muted">Times and days are those of {caller.timeZone}.</footer>
    </SessionContext.Provider>
  );
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Where the console belongs, if it was opened at another address: the service would refuse its calls. */
function elsewhere(publicUrl: string): URL | undefined {
  if (publicUrl === '' || new URL(publicUrl).origin === location.origin) return undefined;
  return new URL(`${publicUrl}/console${location.hash}`);
}

function start({ baseUrl: publicUrl = '', mode }: DOMStringMap): void {
  const right = elsewhere(publicUrl);
  if (right && LOOPBACK.test(right.hostname) && LOOPBACK.test(location.hostname)) {
    location.replace(right);
    return;
  }
  const isUnused = history.state === UNUSED;
  if (isUnused) history.replaceState(null, '');
  const note = isUnused ? 'You were signed out after 15 minutes without use.' : '';
  const baseUrl = new URL('.', location.href).href.replace(/\/$/, '');
  const page = right ? (
    <main>
      <p>
        The console works only at its own address: <a href={right.href}>{right.origin}</a>
      </p>
    </main>
  ) : (
    <Console baseUrl={baseUrl} isLive={mode === 'live'} note={note} />
  );
  render(page, document.body);
}

start(document.documentElement.dataset);
