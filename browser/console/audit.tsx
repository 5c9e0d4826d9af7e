import type { JSX } from 'preact';
import type { AuditEntryDto, operations } from '../generated/api.js';
import { Filters, type Filter } from './filters.js';
import { List, type Column } from './list.js';
import { Badge, Moment } from './parts.js';
import { useList } from './reading.js';
import { given, hrefOf, type Query } from './route.js';
import { answer } from './service.js';
import { useSession } from './session.js';

const FILTERS: readonly Filter[] = [
  { name: 'actor', label: 'Who', kind: 'text' },
  { name: 'action', label: 'What', kind: 'text' },
  { name: 'object', label: 'To what', kind: 'text' },
  { name: 'from', label: 'From', kind: 'date' },
  { name: 'to', label: 'To', kind: 'date' },
];

const COLUMNS: readonly Column<AuditEntryDto>[] = [
  {
    name: 'What',
    show: ({ action, count }) => (count === undefined ? action : `${action} (${count} times)`),
  },
  { name: 'To what', show: ({ object }) => object && <Thing id={object} /> },
  { name: 'Who', show: ({ actor }) => actor },
  { name: 'From where', show: ({ address }) => address },
  {
    name: 'Outcome',
    show: ({ outcome }) => (
      <Badge kind={outcome === 'ok' ? 'succeeded' : 'failed'}>{outcome.replaceAll('-', ' ')}</Badge>
    ),
  },
  { name: 'When', kind: 'when', show: ({ at }) => <Moment at={at} /> },
];

type AuditQuery = NonNullable<operations['audit.list']['parameters']['query']>;

/** Who did what, when and from where. */
export function AuditPage({ query }: { query: Query }): JSX.Element {
  const { service } = useSession();
  const listing = useList(
    (cursor) => {
      const asked: AuditQuery = { ...given(query), ...(cursor ? { cursor } : {}) };
      return answer(service.GET('/v1/audit', { params: { query: asked } }));
    },
    [hrefOf('', query)],
  );
  return (
    <section class="stack" aria-label="Audit">
      <h2 tabIndex={-1}>Audit</h2>
      <Filters path="audit" query={query} filters={FILTERS} />
      <List {...{ columns: COLUMNS, listing, caption: 'Who did what, newest first', empty: 'No entries match.' }} />
    </section>
  );
}

/** An id, linked if the console has a page for it. */
function Thing({ id }: { id: string }): JSX.Element {
  const page = { pay_: 'payments', stl_: 'settlements' }[id.slice(0, 4)];
  return page === undefined ? <code>{id}</code> : <a href={hrefOf(`${page}/${id}`)}>{id}</a>;
}
