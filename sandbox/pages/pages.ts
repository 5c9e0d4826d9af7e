import { bankPage, payAtBank } from './bank-page.ts';
import { cashierPage, decideOrder } from './cashier-page.ts';
import { challengePage, decideChallenge, type Way } from './challenge-page.ts';
import type { Context } from '../context.ts';
import { type Exchange, redirect, sendPage } from '../control/exchange.ts';
import { indexPage } from './index-page.ts';
import { type Page, page } from './page.ts';
import type { Transaction } from '../ledger/transaction.ts';

/** One of the payer's pages: the field that names the transaction, its content, and the effect of a decision. */
interface PayerPage {
  token: string;
  show(transaction: Transaction, fields: URLSearchParams): Page;
  decide(transaction: Transaction, fields: URLSearchParams): Way;
}

/** Serves the payer's pages. False where the address is not one of them. */
export function handlePages(context: Context, exchange: Exchange): boolean {
  const { bank, ledger, settings } = context;
  const { request, response, url } = exchange;
  const returnUrl = (fields: URLSearchParams): string => fields.get('returnUrl') || settings.returnUrl;
  const pages: Record<string, PayerPage> = {
    '/challenge': {
      token: 'token',
      show: challengePage,
      decide: (transaction, fields) => decideChallenge(bank, transaction, fields.get('decision') ?? ''),
    },
    '/cashier': {
      token: 'orderToken',
      show: (transaction, fields) => cashierPage(transaction, returnUrl(fields)),
      decide: (transaction, fields) =>
        decideOrder(bank, transaction, fields.get('decision') ?? '', returnUrl(fields)),
    },
    '/bank': {
      token: 'token',
      show: () => bankPage(context),
      decide: (transaction, fields) => payAtBank(context, transaction, fields),
    },
  };
  const send = (status: number, shown: Page): true => {
    sendPage(response, status, shown.html, shown.policy);
    return true;
  };
  if (url.pathname === '/' && request.method === 'GET') return send(200, indexPage());
  const known = pages[url.pathname];
  if (!known) return false;

  const fields = request.method === 'POST' ? new URLSearchParams(exchange.body) : url.searchParams;
  const name = fields.get(known.token);
  if (name === null && url.pathname === '/bank') return send(200, bankPage(context));
  const found = ledger.byToken(name ?? '');
  if (!found) return send(404, page('Not found', '<p>There is no such payment.</p>'));
  const transaction = bank.byClock(found);
  // A shop may send the payer here by a form POST, so only a decision field counts as a decision.
  if (request.method !== 'POST' || !fields.has('decision')) return send(200, known.show(transaction, fields));
  const way = known.decide(transaction, fields);
  if (way.to === 'page') return send(200, way.page);
  redirect(response, way.url);
  return true;
}
