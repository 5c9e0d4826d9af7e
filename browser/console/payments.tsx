import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { operations, PaymentDto } from '../generated/api.js';
import { money } from './amounts.js';
import { Text } from './fields.js';
import { Filters, type Filter } from './filters.js';
import { List, type Column } from './list.js';
import { Badges, Moment, Sum } from './parts.js';
import { useList, type Listing } from './reading.js';
import { given, hrefOf, type Query } from './route.js';
import { answer, Refused } from './service.js';
import { mayReadAll, useSession } from './session.js';
import { shortTime } from './times.js';
import { METHOD_CHOICES, methodWord, STATUS_CHOICES } from './words.js';

const FRESH_SECONDS = 15;

const FILTERS: readonly Filter[] = [
  { name: 'status', label: 'Status', kind: STATUS_CHOICES },
  { name: 'needsAttention', label: 'Attention', kind: yesOrNo('Needs attention', 'Needs none') },
  { name: 'method', label: 'Method', kind: METHOD_CHOICES },
  { name: 'from', label: 'From', kind: 'date' },
  { name: 'to', label: 'To', kind: 'date' },
  { name: 'reference', label: 'Reference', kind: 'text' },
  { name: 'currency', label: 'Currency', kind: 'text' },
  { name: 'duplicate', label: 'Duplicate', kind: yesOrNo('Duplicates', 'No duplicates') },
  { name: 'disputed', label: 'Dispute', kind: yesOrNo('Disputed', 'Not disputed') },
];

function yesOrNo(yes: string, no: string): [string, string][] {
  return [
    ['true', yes],
    ['false', no],
  ];
}

type PaymentQuery = NonNullable<operations['payments.list']['parameters']['query']>;

const COLUMNS: readonly Column<PaymentDto>[] = [
  { name: 'Reference', show: ({ id, reference }) => <a href={hrefOf(`payments/${id}`)}>{reference}</a> },
  { name: 'Amount', kind: 'number', show: (payment) => <Money payment={payment} /> },
  { name: 'Method', show: ({ method, card }) => `${methodWord(method)}${card ? ` ···· ${card.last4}` : ''}` },
  { name: 'Status', show: (payment) => <Badges payment={payment} /> },
  { name: 'Created', kind: 'when', show: ({ createdAt }) => <Moment at={createdAt} as={shortTime} /> },
];

/** Payments as the address filters them, or those that a search found. */
export function PaymentsPage({ query }: { query: Query }): JSX.Element {
  const { caller } = useSession();
  const listing = usePayments(query);
  return (
    <section class="stack" aria-label="Payments">
      <h2 tabIndex={-1}>Payments</h2>
      {mayReadAll(caller) && <Search query={query} />}
      <Filters path="payments" query={query} filters={FILTERS} />
      <List
        {...{ columns: COLUMNS, listing, empty: 'No payments match.' }}
        caption="Payments, newest first"
      />
    </section>
  );
}

function usePayments(query: Query): Listing<PaymentDto> {
  const { service, searches } = useSession();
  const { search, ...filters } = query;
  const read = async (cursor?: string): Promise<{ data: PaymentDto[]; nextCursor: string | null }> => {
    if (search === undefined) {
      const asked = { ...given(filters), ...(cursor ? { cursor } : {}) } as PaymentQuery;
      return answer(service.GET('/v1/payments', { params: { query: asked } }));
    }
    const words = searches.wordsOf(search);
    if (words === undefined) throw new Refused('search-forgotten', 'This search is no longer known. Search again.');
    const body = { query: words, ...(cursor ? { cursor } : {}) };
    return answer(service.POST('/v1/payments/search', { body }));
  };
  // Each search enters the audit, so none is repeated unasked.
  return useList(read, [hrefOf('', query)], search === undefined ? FRESH_SECONDS : undefined);
}

/** The field that finds payments by whatever is known of them. */
function Search({ query }: { query: Query }): JSX.Element {
  const { searches } = useSession();
  const searched = searches.wordsOf(query['search']) ?? '';
  const [words, setWords] = useState(searched);
  useEffect(() => setWords(searched), [searched]);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (words.trim() !== '') location.hash = hrefOf('payments', { search: searches.keep(words.trim()) });
  };
  return (
    <form role="search" class="search" onSubmit={submit}>
      <Text
        {...{ label: 'Find a payment', name: 'query', value: words, change: setWords }}
        hint="Payment id, beginning of a reference, gateway reference, transaction, payer’s e-mail or last four digits."
        more={{ type: 'search', maxLength: 200, required: true }}
      />
      <button type="submit" class="primary">
        Search
      </button>
      {query['search'] && (
        <a class="button" href={hrefOf('payments')}>
          All payments
        </a>
      )}
    </form>
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
