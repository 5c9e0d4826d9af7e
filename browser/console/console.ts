import { h } from '../element/dom.js';
import { rightAddress } from '../element/own-address.js';
import type { MerchantApi } from './merchant-api.js';
import { PaymentDetail } from './payment-detail.js';
import { PaymentList } from './payment-list.js';
import { signIn } from './sign-in.js';

/** The merchant's page. All its data is gone when it is closed or reloaded. */

const baseUrl = new URL('.', location.href).href;
const main = h('main');
const note = h('span', { class: 'note', role: 'status' });
const leave = h('button', { type: 'button', hidden: true, onclick: () => location.reload() }, 'Sign out');

function start(): void {
  document.body.append(h('header', {}, h('h1', {}, 'Tillfront console'), note, leave), main);
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
  main.replaceChildren(signIn(baseUrl, open));
  main.querySelector('input')?.focus();
}

function open(api: MerchantApi): void {
  leave.hidden = false;
  if (api.access === 'read') note.textContent = 'Reading only';
  const list = new PaymentList(api);
  const side = h('div', { class: 'side' });
  main.replaceChildren(h('div', { class: 'columns' }, list.element, side));
  let detail: PaymentDetail | undefined;

  const showDetail = (): void => {
    const id = decodeURIComponent(location.hash.slice(1));
    const wasOpen = detail !== undefined;
    detail?.close();
    detail = undefined;
    side.replaceChildren();
    main.toggleAttribute('data-detail', id !== '');
    if (id === '') {
      if (wasOpen) list.element.querySelector('h2')?.focus();
      return;
    }
    const opened = new PaymentDetail(api, id, (payment) => list.update(payment));
    detail = opened;
    side.append(opened.element);
    void opened.open().then(() => opened.heading.focus());
  };

  addEventListener('hashchange', showDetail);
  void list.load();
  showDetail();
  if (location.hash === '') list.element.querySelector('h2')?.focus();
}

start();
