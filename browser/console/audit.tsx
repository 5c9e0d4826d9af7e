import type { JSX } from 'preact';
import type { AuditEntryDto } from '../generated/api.js';
import type { Field } from './form.js';
import { List, type Column } from './list.js';
import { Badge, Filters, Moment, Page } from './parts.js';
import { useList } from './reading.js';
import { given, hrefOf, type Query } from './route.js';
import { answer } from './service.js';
import { useSession } from './session.js';

const FIELDS: readonly Field[] = [
  { name: 'actor', label: 'Who', hint: 'Such as merchant:anna.' },
  { name: 'action', label: 'What', hint: 'Such as refund.' },
  { name: 'object', label: 'To what', hint: 'An id.' },
  { name: 'from', label: 'From', kind: 'date' },
  { name: 'to', label: 'To', kind: 'date' },
];

const COLUMNS: readonly Column<AuditEntryDto>[] = [
  ['What', ({ action, count }) => (count === undefined ? action : `${action} (${count} times)`)],
  ['To what', ({ object }) => object && <Thing id={object} />],
  ['Who', ({ actor }) => actor],
  ['From where', ({ address }) => address],
  ['Outcome', ({ outcome }) => <Badge kind={outcome === 'ok' ? 'succeeded' : 'failed'}>{outcome}</Badge>],
  ['When', ({ at }) => <Moment at={at} />, 'when'],
];

/** Who did what, when and from where. */
export function AuditPage({ query }: { query: Query }): JSX.Element {
  const { service } = useSession();
  const listing = useList(
    (at) => answer(service.GET('/v1/audit', { params: { query: { ...given(query), ...at } } })),
    [hrefOf('', query)],
  );
  return (
    <Page title="Audit">
      <Filters {...{ path: 'audit', query, fields: FIELDS }} />
      <List
        {...{ columns: COLUMNS, listing, caption: 'Who did what, newest first', empty: 'No entries match.' }}
      />
    </Page>
  );
}

/** An id, linked if the console has a page for it. */
function Thing({ id }: { id: string }): JSX.Element {
  const page = { pay_: 'payments', stl_: 'settlements' }[id.slice(0, 4)];
  return page === undefined ? <code>{id}</code> : <a href={hrefOf(`${page}/${id}`)}>{id}</a>;
}
