import type { JSX } from 'preact';
import type { DifferenceDto } from '../generated/api.js';
import { NOTE } from './acts.js';
import { AskButton } from './ask.js';
import type { Field } from './form.js';
import { List, type Column } from './list.js';
import { Badge, Filters, Moment, Page, PaymentLink, Sum } from './parts.js';
import type { At, PageOf } from './reading.js';
import { given, type Query } from './route.js';
import { answer } from './service.js';
import { useSession, type Question, type Session } from './session.js';
import { choices, inWords, personOf } from './words.js';

const FIELDS: readonly Field[] = [
  { name: 'state', label: 'State', options: choices('open closed') },
  { name: 'reference', label: 'Reference' },
  { name: 'from', label: 'From', kind: 'date' },
  { name: 'to', label: 'To', kind: 'date' },
];

/** Where settlement reports and the ledger disagree, over all reports. */
export function DifferencesPage({ query }: { query: Query }): JSX.Element {
  const { service } = useSession();
  return (
    <Page title="Differences">
      <Filters {...{ path: 'differences', query, fields: FIELDS }} />
      <Differences
        empty="No differences match."
        read={(at) =>
          answer(service.GET('/v1/differences', { params: { query: { ...given(query), ...at } } }))
        }
      />
    </Page>
  );
}

const COLUMNS: readonly Column<DifferenceDto>[] = [
  ['Order', ({ paymentId, reference }) => <PaymentLink id={paymentId} name={reference} />],
  ['What differs', ({ kind }) => inWords(kind)],
  ['Here', ({ expected }) => expected && <Sum {...expected} />, 'number'],
  ['Report', ({ found }) => found && <Sum {...found} />, 'number'],
  ['State', (difference) => <State {...difference} />],
  ['Found', ({ foundAt }) => <Moment at={foundAt} />, 'when'],
];

interface DifferencesProps {
  read: (at: At) => Promise<PageOf<DifferenceDto>>;
  empty: string;
}

/** A list of differences, with what may be done about each. */
export function Differences({ read, empty }: DifferencesProps): JSX.Element {
  const session = useSession();
  const buttons = (difference: DifferenceDto): JSX.Element => (
    <span class="buttons">
      {([difference.state === 'open' ? 'close' : 'reopen', 'note'] as const).map((act) => (
        <AskButton
          {...{ key: act, name: inWords(act), about: subjectOf(difference) }}
          question={() => questionOf(act, difference, session)}
        />
      ))}
    </span>
  );
  const isReader = session.caller.access === 'read';
  const columns: typeof COLUMNS = isReader ? COLUMNS : [...COLUMNS, ['Actions', buttons]];
  return <List {...{ columns, read, empty, caption: 'Differences, newest first' }} />;
}

function State({ state, reason, closedBy, note }: DifferenceDto): JSX.Element {
  const isOpen = state === 'open';
  return (
    <>
      <Badge kind={isOpen ? 'alert' : 'succeeded'}>
        {isOpen ? 'Open' : inWords(reason ?? 'it agrees now')}
      </Badge>
      {closedBy !== null && <small>by {personOf(closedBy)}</small>}
      {note !== null && <small>“{note}”</small>}
    </>
  );
}

function subjectOf({ kind, reference }: DifferenceDto): string {
  return `${inWords(kind)}, ${reference}`;
}

const DONE = {
  close: 'The difference is closed.',
  reopen: 'The difference is open again.',
  note: 'The note is kept.',
};

const WHY: Field = {
  ...{ name: 'reason', label: 'Why', kind: 'choice' },
  options: choices('explained gateway_corrected written_off duplicate'),
};

function questionOf(act: keyof typeof DONE, difference: DifferenceDto, { changes }: Session): Question {
  const note: Field = { ...NOTE, isOptional: act === 'reopen', value: difference.note ?? '' };
  return {
    title: `${inWords(act)}: ${subjectOf(difference)}`,
    fields: act === 'close' ? [WHY, note] : [note],
    action: () => (act === 'note' ? 'Keep the note' : inWords(act)),
    run: async (values) => {
      await changes.post(`differences/${difference.id}/${act}`, values);
      return DONE[act];
    },
  };
}
