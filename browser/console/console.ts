import { h } from '../element/dom.js';
import { rightAddress } from '../element/own-address.js';
import { ApprovalsPage } from './approvals-page.js';
import { AuditListPage } from './audit-page.js';
import { LinksPage } from './links-page.js';
import type { MerchantApi } from './merchant-api.js';
import type { Page } from './page.js';
import { PaymentsPage } from './payments-page.js';
import { hrefOf, readRoute, type Route } from './route.js';
import { Searches } from './searches.js';
import { signIn } from './sign-in.js';
import { whenUnused } from './when-unused.js';
import { showTimesIn } from './words.js';

/** The merchant's page. All its data is gone when it is closed or reloaded. */

/** After how many seconds without a person the key is forgotten. */
const UNUSED_SECONDS = 15 * 60;
/** Tells the page after its reload why it was reloaded. */
const UNUSED = 'unused';

const baseUrl = new URL('.', location.href).href;
const main = h('main');
const mode = h('span', { class: 'mode' });
const note = h('span', { class: 'note', role: 'status' });
const who = h('span', { class: 'muted who' });
const leave = h('button', { type: 'button', hidden: true, onclick: () => location.reload() }, 'Sign out');
const clock = h('footer', { class: 'muted', hidden: true });
const places = h('nav', { 'aria-label': 'Pages', hidden: true });

function start(): void {
  showMode(document.documentElement.dataset['mode'] === 'live');
  document.body.append(
    h('header', {}, h('h1', {}, 'Tillfront console'), mode, note, who, leave),
    places,
    main,
    clock,
  );
  const elsewhere = rightAddress(
    'console',
    new URL(location.href),
    document.documentElement.dataset['baseUrl'] ?? '',
  );
  if (elsewhere?.isSameMachine) {
    location.replace(elsewhere.href);
    return;
  }
  if (elsewhere !== undefined) {
    const link = h('a', { href: elsewhere.href }, elsewhere.href.split('#')[0]);
    main.replaceChildren(h('p', {}, 'The console is at another address, and works only there: ', link));
    return;
  }
  if (history.state === UNUSED) {
    note.textContent = 'You were signed out after 15 minutes without use.';
    history.replaceState(null, '');
  }
  main.replaceChildren(signIn(baseUrl, open));
  main.querySelector('input')?.focus();
}

function showMode(isLive: boolean): void {
  mode.textContent = isLive ? 'Live' : 'Test mode';
  mode.classList.toggle('live', isLive);
}

const searches = new Searches();

/** The pages, by the first word of their address. */
const PAGES: Readonly<Record<string, { name: string; make: (api: MerchantApi, route: Route) => Page }>> = {
  payments: { name: 'Payments', make: (api, route) => new PaymentsPage(api, searches, route) },
  approvals: { name: 'Approvals', make: (api) => new ApprovalsPage(api) },
  audit: { name: 'Audit', make: (api, route) => new AuditListPage(api, route) },
  links: { name: 'Payment link', make: (api) => new LinksPage(api) },
};
/** The page that is opened first. */
const FIRST = 'payments';
/** Pages that only serve to change something. */
const FOR_ACTING = new Set(['links']);

/** A tab is found by what it shows: `ORDER-1001 – Tillfront console`. */
function titleOf(page: Page | undefined): string {
  const name = page?.heading.firstChild?.textContent?.trim() ?? '';
  return name === '' ? 'Tillfront console' : `${name} – Tillfront console`;
}

function open(api: MerchantApi): void {
  const { actor, livemode, timeZone } = api.caller;
  showMode(livemode);
  showTimesIn(timeZone);
  clock.textContent = `Times and days are those of ${timeZone}.`;
  clock.hidden = false;
  leave.hidden = false;
  note.textContent = '';
  whenUnused(UNUSED_SECONDS, () => {
    history.replaceState(UNUSED, '');
    location.reload();
  });
  who.textContent = actor.replace(/^merchant:?/, '');
  if (!api.mayAct) note.textContent = api.mayKeepBooks ? 'For the books' : 'Read only';
  const offered = Object.entries(PAGES).filter(([word]) => api.mayAct || !FOR_ACTING.has(word));
  const links = offered.map(([word, { name }]) => ({ word, link: h('a', { href: hrefOf(word) }, name) }));
  places.replaceChildren(h('ul', {}, ...links.map(({ link }) => h('li', {}, link))));
  places.hidden = false;
  let shown: Page | undefined;
  // A page's heading may be known only once its data is there.
  new MutationObserver(() => (document.title = titleOf(shown))).observe(main, {
    ...{ childList: true, subtree: true, characterData: true },
  });

  const show = (): void => {
    const route = readRoute(location.hash);
    const asked = route.path[0] ?? '';
    const word = offered.some(([known]) => known === asked) ? asked : FIRST;
    for (const { word: of, link } of links) {
      if (of === word) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    if (shown?.accept(route)) return;
    shown?.close();
    const page = PAGES[word]?.make(api, route);
    if (page === undefined) return;
    shown = page;
    main.replaceChildren(page.element);
    scrollTo(0, 0);
    const opened = page.open();
    page.heading.focus({ preventScroll: true });
    void opened.then(() => {
      // A payment's own heading is there only now; whoever has gone on meanwhile is left alone.
      if (shown === page && main.contains(document.activeElement) && document.activeElement?.tagName === 'H2')
        page.heading.focus({ preventScroll: true });
    });
  };

  addEventListener('hashchange', show);
  show();
}

start();
