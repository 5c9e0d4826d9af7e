import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Ask } from './ask.js';
import type { DifferenceDto } from './books.js';
import { Choices, Note } from './fields.js';
import { Filters, type Filter } from './filters.js';
import { List, type Column } from './list.js';
import { Badge, Moment, Sum } from './parts.js';
import { useList, type Listing } from './reading.js';
import { given, hrefOf, type Query } from './route.js';
import { answer } from './service.js';
import { mayKeepBooks, useSession } from './session.js';
import { shortTime } from './times.js';
import { CLOSING_REASONS, closingWords, DIFFERENCE_CHOICES, differenceWords, personOf } from './words.js';

const FILTERS: readonly Filter[] = [
  {
    ...{ name: 'state', label: 'State' },
    kind: [
      ['open', 'Open'],
      ['closed', 'Closed'],
    ],
  },
  { name: 'kind', label: 'Kind', kind: DIFFERENCE_CHOICES },
  { name: 'reference', label: 'Reference', kind: 'text' },
  { name: 'currency', label: 'Currency', kind: 'text' },
  { name: 'from', label: 'From', kind: 'date' },
  { name: 'to', label: 'To', kind: 'date' },
];

/** Where settlement reports and the ledger disagree, over all reports. */
export function DifferencesPage({ query }: { query: Query }): JSX.Element {
  const { service } = useSession();
  const listing = useList(
    (cursor) => {
      const asked = { ...given(query), ...(cursor ? { cursor } : {}) };
      return answer(service.GET('/v1/differences', { params: { query: asked } }));
    },
    [hrefOf('', query)],
  );
  return (
    <section class="stack" aria-label="Differences">
      <h2 tabIndex={-1}>Differences</h2>
      <Filters path="differences" query={query} filters={FILTERS} />
      <Differences listing={listing} empty="No differences match." />
    </section>
  );
}

/** A list of differences, with what may be done about each. */
export function Differences({ listing, empty }: { listing: Listing<DifferenceDto>; empty: string }): JSX.Element {
  const { caller, announce } = useSession();
  const [asked, ask] = useState<{ act: Act; difference: DifferenceDto }>();
  const done = (words: string): void => {
    announce(words);
    void listing.again();
  };
  const columns: Column<DifferenceDto>[] = [
    { name: 'What differs', show: (difference) => <Kind difference={difference} /> },
    { name: 'Here', kind: 'number', show: ({ expected }) => expected && <Sum {...expected} /> },
    { name: 'Report', kind: 'number', show: ({ found }) => found && <Sum {...found} /> },
    { name: 'State', show: (difference) => <State difference={difference} /> },
    { name: 'Found', kind: 'when', show: ({ foundAt }) => <Moment at={foundAt} as={shortTime} /> },
    ...(mayKeepBooks(caller)
      ? [{ name: 'Actions', show: (difference: DifferenceDto) => <Acts {...{ difference, ask }} /> }]
      : []),
  ];
  return (
    <>
      <List {...{ columns, listing, empty }} caption="Differences, newest first" />
      {asked && <ActDialog {...asked} done={done} close={() => ask(undefined)} />}
    </>
  );
}

function Kind({ difference: { kind, reference, paymentId } }: { difference: DifferenceDto }): JSX.Element {
  return (
    <>
      {differenceWords(kind)}
      {reference !== null && (
        <small>{paymentId === null ? reference : <a href={hrefOf(`payments/${paymentId}`)}>{reference}</a>}</small>
      )}
    </>
  );
}

function State({ difference: { state, reason, closedBy, note } }: { difference: DifferenceDto }): JSX.Element {
  return (
    <>
      <Badge kind={state === 'open' ? 'alert' : 'succeeded'}>{state === 'open' ? 'Open' : closingWords(reason)}</Badge>
      {closedBy !== null && <small>by {personOf(closedBy)}</small>}
      {note !== null && <small>“{note}”</small>}
    </>
  );
}

type Act = 'close' | 'reopen' | 'note';
const LABELS: Record<Act, string> = { close: 'Close', reopen: 'Reopen', note: 'Note' };

interface ActsProps {
  difference: DifferenceDto;
  ask: (asked: { act: Act; difference: DifferenceDto }) => void;
}

function Acts({ difference, ask }: ActsProps): JSX.Element {
  const acts: Act[] = [difference.state === 'open' ? 'close' : 'reopen', 'note'];
  return (
    <span class="buttons">
      {acts.map((act) => (
        <button
          key={act}
          type="button"
          class="small"
          aria-label={`${LABELS[act]}: ${subjectOf(difference)}`}
          onClick={() => ask({ act, difference })}
        >
          {LABELS[act]}
        </button>
      ))}
    </span>
  );
}

function subjectOf({ kind, reference }: DifferenceDto): string {
  return `${differenceWords(kind)}${reference === null ? '' : `, ${reference}`}`;
}

interface ActDialogProps {
  act: Act;
  difference: DifferenceDto;
  done: (words: string) => void;
  close: () => void;
}

function ActDialog({ act, difference, done, close }: ActDialogProps): JSX.Element {
  const { service } = useSession();
  const [reason, setReason] = useState('');
  const [note, setNote] = useState(act === 'note' ? (difference.note ?? '') : '');
  const text = note.trim();
  const params = { path: { id: difference.id } };
  const run = async (): Promise<void> => {
    if (act === 'close') {
      await answer(service.POST('/v1/differences/{id}/close', { params, body: { reason, note: text } }));
      done('The difference is closed.');
    } else if (act === 'reopen') {
      await answer(service.POST('/v1/differences/{id}/reopen', { params, body: text === '' ? {} : { note: text } }));
      done('The difference is open again.');
    } else {
      await answer(service.POST('/v1/differences/{id}/note', { params, body: { note: text } }));
      done('The note is kept.');
    }
  };
  return (
    <Ask {...{ run, close, title: `${LABELS[act]}: ${subjectOf(difference)}`, action: act === 'note' ? 'Keep the note' : LABELS[act] }}>
      {act === 'close' && <Choices legend="Why" value={reason} change={setReason} options={CLOSING_REASONS} />}
      <Note
        {...{ label: 'Note', name: 'note', value: note, change: setNote, required: act !== 'reopen' }}
        hint="Replaces the note before it. Write no card or personal data."
      />
    </Ask>
  );
}
