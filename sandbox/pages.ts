import { cashierPage, decideOrder } from './cashier-page.ts';
import { challengePage, decideChallenge, type Way } from './challenge-page.ts';
import type { Context } from './context.ts';
import { type Exchange, redirect, sendPage } from './exchange.ts';
import { page } from './page.ts';

/** The payer's pages; false where the address is none of theirs. */
export function handlePages(context: Context, exchange: Exchange): boolean {
  const { bank, ledger, settings } = context;
  const { pathname, searchParams } = exchange.url;
  const posted = exchange.request.method === 'POST';
  const fields = posted ? new URLSearchParams(exchange.body) : searchParams;
  const go = (way: Way): void => {
    if (way.to === 'address') redirect(exchange.response, way.url);
    else sendPage(exchange.response, 200, way.page.html, way.page.policy);
  };
  if (pathname !== '/challenge' && pathname !== '/cashier') return false;

  const found = ledger.byToken(fields.get(pathname === '/challenge' ? 'token' : 'orderToken') ?? '');
  if (!found) {
    const missing = page('Not found', '<p>There is no such payment.</p>');
    sendPage(exchange.response, 404, missing.html, missing.policy);
    return true;
  }
  const transaction = bank.byClock(found);
  const decision = fields.get('decision') ?? '';
  if (pathname === '/challenge')
    go(
      posted
        ? decideChallenge(bank, transaction, decision, 'succeeded')
        : { to: 'page', page: challengePage(transaction) },
    );
  else {
    const returnUrl = fields.get('returnUrl') || settings.returnUrl;
    go(
      posted
        ? decideOrder(bank, transaction, decision, returnUrl)
        : { to: 'page', page: cashierPage(transaction, returnUrl) },
    );
  }
  return true;
}
