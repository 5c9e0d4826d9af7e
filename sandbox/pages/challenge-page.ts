import type { Bank } from '../bank/bank.ts';
import { writeMajor } from '../ledger/money.ts';
import { escape, type Page, page, readable } from './page.ts';
import type { Transaction } from '../ledger/transaction.ts';

/** Where the payer's browser goes after the decision. */
export type Way = { to: 'page'; page: Page } | { to: 'address'; url: string };

/** The bank's 3-D Secure challenge. */
export function challengePage(transaction: Transaction): Page {
  if (transaction.state !== 'redirect')
    return page('Nothing to confirm', '<p>This payment is not waiting for you.</p>');
  return page(
    'Confirm this payment',
    `<p class="amount">${escape(readable(writeMajor(transaction.amountMinor, transaction.currency), transaction.currency))}</p>
<dl><dt>Reference</dt><dd>${escape(transaction.clientRef)}</dd><dt>Card</dt><dd>${escape(transaction.card?.masked ?? '')}</dd></dl>
<form method="post" action="/challenge"><input type="hidden" name="token" value="${escape(transaction.token)}">
<button name="decision" value="approve">Approve</button><button name="decision" value="decline" class="second">Decline</button></form>`,
  );
}

/** Applies the payer's decision, then sends the browser to the merchant's return address, by GET or by a form POST. */
export function decideChallenge(bank: Bank, transaction: Transaction, decision: string): Way {
  const { challenge } = transaction;
  if (!challenge)
    return { to: 'page', page: page('Nothing to confirm', '<p>This payment never asked for you.</p>') };
  if (transaction.state === 'redirect') {
    if (decision !== 'approve')
      bank.decline(transaction, '59', 'The payer declined the authentication', 'challenge');
    else if (challenge.then === 'charge') bank.charge(transaction, 'challenge');
    else if (challenge.then === 'authorize') bank.authorize(transaction, 'challenge');
    else if (challenge.then === 'otp') {
      transaction.otp = { wrong: 0, onWrong: 'again' };
      bank.wait(transaction, 'otp', 'Enter the one-time code sent to your phone', 'challenge');
    } else {
      bank.wait(transaction, 'pending', 'Processing', 'challenge');
      bank.schedule(transaction, 'succeeded');
    }
  }
  return challenge.returnBy === 'GET'
    ? { to: 'address', url: challenge.notifyUrl }
    : { to: 'page', page: formBack(challenge.notifyUrl, transaction) };
}

function formBack(url: string, transaction: Transaction): Page {
  return page(
    'Going back to the shop',
    `<form id="back" method="post" action="${escape(url)}">
<input type="hidden" name="transactionRef" value="${escape(transaction.transactionRef)}">
<input type="hidden" name="client_ref" value="${escape(transaction.clientRef)}"><button>Continue</button></form>`,
    "document.getElementById('back').submit()",
  );
}
