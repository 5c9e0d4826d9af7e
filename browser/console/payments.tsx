import type { JSX } from 'preact';
import type { PaymentDto } from '../generated/api.js';
import { money } from './amounts.js';
import { Form, type Field, type Options } from './form.js';
import { List, type Column } from './list.js';
import { Badges, Filters, Moment, Page, PaymentLink, Sum } from './parts.js';
import type { At, PageOf } from './reading.js';
import { given, hrefOf, type Query } from './route.js';
import { answer, Refused } from './service.js';
import { useSession } from './session.js';
import { choices, methodWords } from './words.js';

const STATUSES = 'processing requires_action authorized succeeded failed canceled expired voided';
const YES_OR_NO: Options = [
  ['true', 'Yes'],
  ['false', 'No'],
];

const FIELDS: readonly Field[] = [
  { name: 'status', label: 'Status', options: choices(STATUSES) },
  { name: 'needsAttention', label: 'Needs attention', options: YES_OR_NO },
  { name: 'method', label: 'Method', options: choices('card wallet transfer ussd unknown') },
  { name: 'from', label: 'From', kind: 'date' },
  { name: 'to', label: 'To', kind: 'date' },
  { name: 'reference', label: 'Reference' },
  { name: 'currency', label: 'Currency' },
  { name: 'duplicate', label: 'Duplicate', options: YES_OR_NO },
  { name: 'disputed', label: 'Disputed', options: YES_OR_NO },
];

const COLUMNS: readonly Column<PaymentDto>[] = [
  ['Reference', ({ id, reference }) => <PaymentLink id={id} name={reference} />],
  ['Amount', (payment) => <Money payment={payment} />, 'number'],
  ['Method', methodWords],
  ['Status', (payment) => <Badges payment={payment} />],
  ['Created', ({ createdAt }) => <Moment at={createdAt} />, 'when'],
];

/** Payments as the address filters them, or those that a search found. */
export function PaymentsPage({ query }: { query: Query }): JSX.Element {
  const { service, caller, searches } = useSession();
  const { search, ...filters } = query;
  const words = searches[Number(search)];
  const read = async (at: At): Promise<PageOf<PaymentDto>> => {
    if (search === undefined)
      return answer(service.GET('/v1/payments', { params: { query: { ...given(filters), ...at } } }));
    if (words === undefined) throw new Refused('forgotten', 'This search is no longer known. Search again.');
    return answer(service.POST('/v1/payments/search', { body: { query: words, ...at } }));
  };
  return (
    <Page title="Payments">
      {caller.access !== 'books' && <Search words={words} />}
      <Filters {...{ path: 'payments', query, fields: FIELDS }} />
      <List
        {...{ columns: COLUMNS, read, caption: 'Payments, newest first', empty: 'No payments match.' }}
        // Each search enters the audit, so none is repeated unasked.
        isFresh={search === undefined}
      />
    </Page>
  );
}

/** The field that finds payments by whatever is known of them. */
function Search({ words }: { words: string | undefined }): JSX.Element {
  const { searches } = useSession();
  const field: Field = {
    ...{ name: 'query', label: 'Find a payment', kind: 'search', value: words },
    hint: 'Payment id, beginning of a reference, gateway reference, transaction, payer’s e-mail or last four digits.',
  };
  return (
    <Form
      {...{ fields: [field], action: 'Search', label: 'Search', kind: 'stack narrow', role: 'search' }}
      run={({ query = '' }) =>
        location.assign(hrefOf('payments', { search: String(searches.push(query) - 1) }))
      }
    >
      {words !== undefined && (
        <a class="button" href={hrefOf('payments')}>
          All payments
        </a>
      )}
    </Form>
  );
}

/** The amount, and below it what of it went back. */
function Money({ payment }: { payment: PaymentDto }): JSX.Element {
  const { amount, amountCaptured, amountRefunded, amountDisputed, currency } = payment;
  return (
    <>
      <Sum amount={amountCaptured ?? amount} currency={currency} />
      {amountRefunded !== null && <small>{money(amountRefunded, currency)} refunded</small>}
      {amountDisputed !== null && <small>{money(amountDisputed, currency)} disputed</small>}
    </>
  );
}
