import type { Bank } from '../bank/bank.ts';
import type { Way } from './challenge-page.ts';
import { writeMajor } from '../ledger/money.ts';
import { escape, type Page, page, readable } from './page.ts';
import { isWaiting, type Transaction } from '../ledger/transaction.ts';

/** The wallet's cashier: the payer approves or declines the order. `returnUrl` is empty where none is known. */
export function cashierPage(transaction: Transaction, returnUrl: string): Page {
  if (!isWaiting(transaction.state)) return donePage(transaction);
  return page(
    'Pay with your wallet',
    `<p class="amount">${escape(readable(writeMajor(transaction.amountMinor, transaction.currency), transaction.currency))}</p>
<dl><dt>Reference</dt><dd>${escape(transaction.clientRef)}</dd><dt>Order</dt><dd>${escape(transaction.transactionRef)}</dd></dl>
<form method="post" action="/cashier"><input type="hidden" name="orderToken" value="${escape(transaction.token)}">
<input type="hidden" name="returnUrl" value="${escape(returnUrl)}">
<button name="decision" value="approve">Approve</button><button name="decision" value="decline" class="second">Decline</button></form>`,
  );
}

/** Applies the payer's decision. An order that no longer waits stays unchanged. */
export function decideOrder(bank: Bank, transaction: Transaction, decision: string, returnUrl: string): Way {
  if (isWaiting(transaction.state)) {
    if (decision === 'approve') bank.charge(transaction, 'cashier');
    else bank.decline(transaction, '', 'The payer declined the order', 'cashier');
  }
  const address = URL.parse(returnUrl.replace('{client_ref}', encodeURIComponent(transaction.clientRef)));
  return address && /^https?:$/.test(address.protocol)
    ? { to: 'address', url: address.href }
    : { to: 'page', page: donePage(transaction) };
}

function donePage(transaction: Transaction): Page {
  const outcome: Partial<Record<Transaction['state'], string>> = {
    succeeded: 'The order is paid.',
    failed: 'The order was declined.',
    expired: 'The order has expired.',
    voided: 'The order was reversed.',
  };
  return page('Done', `<p>${outcome[transaction.state] ?? ''} Go back to the shop.</p>`);
}
