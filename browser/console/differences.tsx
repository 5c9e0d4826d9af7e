import type { JSX } from 'preact';
import type { Question } from './ask.js';
import type { CloseDifferenceDto, DifferenceDto } from '../generated/api.js';
import type { Field } from './form.js';
import { List, type Column } from './list.js';
import { Badge, Filters, Moment, Page, Sum } from './parts.js';
import { useList, type Listing } from './reading.js';
import { given, hrefOf, type Query } from './route.js';
import { answer } from './service.js';
import { useSession, type Session } from './session.js';
import { CLOSING_REASONS, closingWords, DIFFERENCE_CHOICES, differenceWords, personOf } from './words.js';

const STATES = [
  ['open', 'Open'],
  ['closed', 'Closed'],
] as const;

const FIELDS: readonly Field[] = [
  { name: 'state', label: 'State', kind: 'select', options: STATES },
  { name: 'kind', label: 'Kind', kind: 'select', options: DIFFERENCE_CHOICES },
  { name: 'reference', label: 'Reference' },
  { name: 'currency', label: 'Currency' },
  { name: 'from', label: 'From', kind: 'date' },
  { name: 'to', label: 'To', kind: 'date' },
];

/** Where settlement reports and the ledger disagree, over all reports. */
export function DifferencesPage({ query }: { query: Query }): JSX.Element {
  const { service } = useSession();
  const listing = useList(
    (at) => answer(service.GET('/v1/differences', { params: { query: { ...given(query), ...at } } })),
    [hrefOf('', query)],
  );
  return (
    <Page title="Differences">
      <Filters {...{ path: 'differences', query, fields: FIELDS }} />
      <Differences listing={listing} empty="No differences match." />
    </Page>
  );
}

const COLUMNS: readonly Column<DifferenceDto>[] = [
  ['What differs', (difference) => <Kind {...difference} />],
  ['Here', ({ expected }) => expected && <Sum {...expected} />, 'number'],
  ['Report', ({ found }) => found && <Sum {...found} />, 'number'],
  ['State', (difference) => <State {...difference} />],
  ['Found', ({ foundAt }) => <Moment at={foundAt} />, 'when'],
];

/** A list of differences, with what may be done about each. */
export function Differences({
  listing,
  empty,
}: {
  listing: Listing<DifferenceDto>;
  empty: string;
}): JSX.Element {
  const { caller } = useSession();
  const acts: Column<DifferenceDto> = ['Actions', (difference) => <Acts {...{ difference, listing }} />];
  const columns = caller.access === 'read' ? COLUMNS : [...COLUMNS, acts];
  return <List {...{ columns, listing, empty, caption: 'Differences, newest first' }} />;
}

function Kind({ kind, reference, paymentId }: DifferenceDto): JSX.Element {
  return (
    <>
      {differenceWords(kind)}
      <small>
        {paymentId === null ? reference : <a href={hrefOf(`payments/${paymentId}`)}>{reference}</a>}
      </small>
    </>
  );
}

function State({ state, reason, closedBy, note }: DifferenceDto): JSX.Element {
  return (
    <>
      <Badge kind={state === 'open' ? 'alert' : 'succeeded'}>
        {state === 'open' ? 'Open' : closingWords(reason)}
      </Badge>
      {closedBy !== null && <small>by {personOf(closedBy)}</small>}
      {note !== null && <small>“{note}”</small>}
    </>
  );
}

const ACTS = { close: 'Close', reopen: 'Reopen', note: 'Note' };
type Act = keyof typeof ACTS;

function Acts({
  difference,
  listing,
}: {
  difference: DifferenceDto;
  listing: Listing<DifferenceDto>;
}): JSX.Element {
  const session = useSession();
  const acts: Act[] = [difference.state === 'open' ? 'close' : 'reopen', 'note'];
  return (
    <span class="buttons">
      {acts.map((act) => (
        <button
          {...{ key: act, type: 'button', class: 'small' }}
          aria-label={`${ACTS[act]}: ${subjectOf(difference)}`}
          onClick={() => session.ask(questionOf(act, difference, session), listing.again)}
        >
          {ACTS[act]}
        </button>
      ))}
    </span>
  );
}

function subjectOf({ kind, reference }: DifferenceDto): string {
  return `${differenceWords(kind)}, ${reference}`;
}

function questionOf(act: Act, difference: DifferenceDto, { service }: Session): Question {
  const params = { path: { id: difference.id } };
  const note: Field = {
    ...{
      name: 'note',
      label: 'Note',
      kind: 'note',
      isOptional: act === 'reopen',
      value: difference.note ?? '',
    },
    hint: 'It replaces the note before it. Write no card or personal data.',
  };
  const why: Field = { name: 'reason', label: 'Why', kind: 'choice', options: CLOSING_REASONS };
  return {
    title: `${ACTS[act]}: ${subjectOf(difference)}`,
    fields: act === 'close' ? [why, note] : [note],
    action: () => (act === 'note' ? 'Keep the note' : ACTS[act]),
    run: async ({ reason = '', note: words = '' }) => {
      if (act === 'close')
        await answer(
          service.POST('/v1/differences/{id}/close', {
            params,
            body: { reason, note: words } as CloseDifferenceDto,
          }),
        );
      else await answer(service.POST(`/v1/differences/{id}/${act}`, { params, body: { note: words } }));
      return {
        close: 'The difference is closed.',
        reopen: 'The difference is open again.',
        note: 'The note is kept.',
      }[act];
    },
  };
}
