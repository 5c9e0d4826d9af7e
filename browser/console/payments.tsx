import type { JSX } from 'preact';
import type { operations, PaymentDto } from '../generated/api.js';
import { money } from './amounts.js';
import { Form, type Field } from './form.js';
import { List, type Column } from './list.js';
import { Badges, Filters, Moment, Page, Sum } from './parts.js';
import { useList, type Listing } from './reading.js';
import { given, hrefOf, type Query } from './route.js';
import { answer, Refused } from './service.js';
import { useSession } from './session.js';
import { METHOD_CHOICES, methodWord, STATUS_CHOICES } from './words.js';

const FIELDS: readonly Field[] = [
  { name: 'status', label: 'Status', kind: 'select', options: STATUS_CHOICES },
  yesOrNo('needsAttention', 'Attention', 'Needs attention', 'Needs none'),
  { name: 'method', label: 'Method', kind: 'select', options: METHOD_CHOICES },
  { name: 'from', label: 'From', kind: 'date' },
  { name: 'to', label: 'To', kind: 'date' },
  { name: 'reference', label: 'Reference' },
  { name: 'currency', label: 'Currency' },
  yesOrNo('duplicate', 'Duplicate', 'Duplicates', 'No duplicates'),
  yesOrNo('disputed', 'Dispute', 'Disputed', 'Not disputed'),
];

function yesOrNo(name: string, label: string, yes: string, no: string): Field {
  const options = [['true', yes] as const, ['false', no] as const];
  return { name, label, kind: 'select', options };
}

const COLUMNS: readonly Column<PaymentDto>[] = [
  ['Reference', ({ id, reference }) => <a href={hrefOf(`payments/${id}`)}>{reference}</a>],
  ['Amount', (payment) => <Money payment={payment} />, 'number'],
  ['Method', ({ method, card }) => `${methodWord(method)}${card ? ` ···· ${card.last4}` : ''}`],
  ['Status', (payment) => <Badges payment={payment} />],
  ['Created', ({ createdAt }) => <Moment at={createdAt} />, 'when'],
];

/** Payments as the address filters them, or those that a search found. */
export function PaymentsPage({ query }: { query: Query }): JSX.Element {
  const { caller } = useSession();
  const listing = usePayments(query);
  return (
    <Page title="Payments">
      {caller.access !== 'books' && <Search number={query['search']} />}
      <Filters {...{ path: 'payments', query, fields: FIELDS }} />
      <List
        {...{ columns: COLUMNS, listing, caption: 'Payments, newest first', empty: 'No payments match.' }}
      />
    </Page>
  );
}

type PaymentQuery = NonNullable<operations['payments.list']['parameters']['query']>;

function usePayments(query: Query): Listing<PaymentDto> {
  const { service, searches } = useSession();
  const { search, ...filters } = query;
  const words = searches[Number(search)];
  return useList(
    (at) => {
      if (search === undefined) {
        const asked: PaymentQuery = { ...given(filters), ...at };
        return answer(service.GET('/v1/payments', { params: { query: asked } }));
      }
      if (words === undefined)
        throw new Refused('forgotten', 'This search is no longer known. Search again.');
      return answer(service.POST('/v1/payments/search', { body: { query: words, ...at } }));
    },
    [hrefOf('', query)],
    // Each search enters the audit, so none is repeated unasked.
    search === undefined,
  );
}

/** The field that finds payments by whatever is known of them. */
function Search({ number }: { number: string | undefined }): JSX.Element {
  const { searches } = useSession();
  const field: Field = {
    ...{ name: 'query', label: 'Find a payment', kind: 'search', value: searches[Number(number)] },
    hint: 'Payment id, beginning of a reference, gateway reference, transaction, payer’s e-mail or last four digits.',
  };
  return (
    <Form
      {...{ fields: [field], action: 'Search', label: 'Search', kind: 'stack narrow', role: 'search' }}
      run={({ query = '' }) =>
        location.assign(hrefOf('payments', { search: String(searches.push(query) - 1) }))
      }
    >
      {number !== undefined && (
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
