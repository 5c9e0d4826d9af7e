import type { Way } from './challenge-page.ts';
import type { Context } from '../context.ts';
import { readMajor, writeMajor } from '../ledger/money.ts';
import { escape, type Page, page, readable } from './page.ts';
import { isWaiting, type Transaction } from '../ledger/transaction.ts';

/** The payer's banking app. It pays waiting transfers and USSD codes, with the right amount or another. */
export function bankPage({ bank, ledger }: Context, note = ''): Page {
  const waiting = ledger
    .transactions()
    .map((transaction) => bank.byClock(transaction))
    .filter((transaction) => (transaction.account ?? transaction.ussd) && isWaiting(transaction.state))
    .slice(-50)
    .reverse();
  const list = waiting.map(section).join('') || '<p>No transfer or USSD payment is waiting.</p>';
  return page('Your banking app', `<p role="status">${escape(note)}</p>${list}`);
}

/** Pays what the form names. The receiver has to deal with a wrong amount. */
export function payAtBank(context: Context, transaction: Transaction, fields: URLSearchParams): Way {
  const minor = readMajor(fields.get('amount') ?? '', transaction.currency);
  if (!isWaiting(transaction.state))
    return { to: 'page', page: bankPage(context, 'This payment no longer waits.') };
  if (fields.get('decision') === 'decline')
    context.bank.decline(transaction, '17', 'The payer declined', 'bank');
  else if (minor === undefined)
    return { to: 'page', page: bankPage(context, 'Write the amount with all its minor digits.') };
  else context.bank.receive(transaction, minor, 'bank');
  return { to: 'page', page: bankPage(context, 'Done. Go back to the shop.') };
}

function section({ account, ussd, amountMinor, clientRef, currency, token }: Transaction): string {
  const amount = writeMajor(amountMinor, currency);
  const rows = {
    Reference: clientRef,
    Amount: readable(amount, currency),
    ...(account
      ? { 'Account number': account.number, 'Account name': account.name, Bank: account.bank }
      : {}),
    ...(ussd ? { Code: ussd.code, Bank: ussd.bank } : {}),
  };
  return `<section><dl>${Object.entries(rows)
    .map(([name, value]) => `<dt>${escape(name)}</dt><dd>${escape(value)}</dd>`)
    .join('')}</dl>
<form method="post" action="/bank"><input type="hidden" name="token" value="${escape(token)}">
<label>Amount to send <input name="amount" inputmode="decimal" value="${escape(amount)}"></label>
<button name="decision" value="send">Send</button><button name="decision" value="decline" class="second">Decline</button></form></section>`;
}
