import { Fragment, render, type JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { SignInDto } from '../generated/api.js';
import { ApprovalsPage } from './approvals.js';
import { Ask } from './ask.js';
import { AuditPage } from './audit.js';
import { DifferencesPage } from './differences.js';
import { LedgerPage } from './ledger.js';
import { LinksPage } from './links.js';
import { OverviewPage } from './overview.js';
import { PaymentPage } from './payment.js';
import { PaymentsPage } from './payments.js';
import { hrefOf, readRoute, type Query } from './route.js';
import { Changes, type Service } from './service.js';
import { SessionContext, type Question, type Session } from './session.js';
import { SettlementPage, SettlementsPage } from './settlements.js';
import { SignIn } from './sign-in.js';
import { showTimesIn } from './times.js';
import { whenUnused } from './when-unused.js';

/** The merchant's page. All its data is gone when it is closed or reloaded. */

const UNUSED_MS = 15 * 60_000;
/** Tells the page after its reload why it was reloaded. */
const UNUSED = 'unused';

interface Place {
  name: string;
  /** The keys that may open it. */
  keys: 'full' | 'full read' | 'full read books';
  page: (at: { id: string | undefined; query: Query }) => JSX.Element;
}

/** The pages by the first word of their address. */
const PLACES: Record<string, Place> = {
  '': { name: 'Overview', keys: 'full read books', page: () => <OverviewPage /> },
  payments: {
    ...{ name: 'Payments', keys: 'full read books' },
    page: ({ id, query }) => (id ? <PaymentPage id={id} /> : <PaymentsPage query={query} />),
  },
  approvals: { name: 'Approvals', keys: 'full read', page: () => <ApprovalsPage /> },
  settlements: {
    ...{ name: 'Settlements', keys: 'full read books' },
    page: ({ id }) => (id ? <SettlementPage id={id} /> : <SettlementsPage />),
  },
  differences: { name: 'Differences', keys: 'full read books', page: (at) => <DifferencesPage {...at} /> },
  ledger: { name: 'Ledger', keys: 'full read books', page: (at) => <LedgerPage {...at} /> },
  audit: { name: 'Audit', keys: 'full read', page: (at) => <AuditPage {...at} /> },
  links: { name: 'Payment link', keys: 'full', page: () => <LinksPage /> },
};

type Entered = Pick<Session, 'service' | 'caller'>;

function Console({ baseUrl, isLive, note }: { baseUrl: string; isLive: boolean; note: string }): JSX.Element {
  const [entered, setEntered] = useState<Entered>();
  const enter = (service: Service, caller: SignInDto): void => {
    showTimesIn(caller.timeZone);
    whenUnused(UNUSED_MS, () => {
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
  const [hash, setHash] = useState(location.hash);
  const [told, tell] = useState('');
  const [question, ask] = useState<Question>();
  const [version, setVersion] = useState(0);
  const lasting = useMemo(
    () => ({ service, caller, changes: new Changes(service), searches: [] }),
    [service],
  );
  const session: Session = {
    ...{ ...lasting, version, ask },
    changed: () => setVersion((before) => before + 1),
    // The same words again are read again only when they were gone in between.
    announce: (words) => {
      tell('');
      setTimeout(() => tell(words), 50);
    },
  };
  useEffect(() => {
    addEventListener('hashchange', () => {
      setHash(location.hash);
      tell('');
    });
  }, []);
  const offered = Object.entries(PLACES).filter(([, { keys }]) => keys.split(' ').includes(caller.access));
  const { path, query } = readRoute(hash);
  const [word, { page }] = offered.find(([of]) => of === path[0]) ?? ['', PLACES[''] as Place];
  return (
    <SessionContext.Provider value={session}>
      <nav aria-label="Pages">
        <ul>
          {offered.map(([of, { name }]) => (
            <li key={of}>
              <a href={hrefOf(of)} aria-current={of === word ? 'page' : undefined}>
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
        <Fragment key={hash}>{page({ id: path[1], query })}</Fragment>
      </main>
      <footer class="muted">Times and days are those of {caller.timeZone}.</footer>
      {question && <Ask question={question} close={() => ask(undefined)} />}
    </SessionContext.Provider>
  );
}

/** Shows the console, at its own address: the service would refuse its calls from another. */
function start({ baseUrl: publicUrl = '', mode }: DOMStringMap): void {
  const right = new URL(`${publicUrl || location.origin}/console${location.hash}`);
  if (right.origin !== location.origin) {
    location.replace(right);
    return;
  }
  const isUnused = history.state === UNUSED;
  if (isUnused) history.replaceState(null, '');
  const note = isUnused ? 'You were signed out after 15 minutes without use.' : '';
  const baseUrl = new URL('.', location.href).href.slice(0, -1);
  render(<Console {...{ note, isLive: mode === 'live', baseUrl }} />, document.body);
}

start(document.documentElement.dataset);
