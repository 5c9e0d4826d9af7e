import type { JSX } from 'preact';
import type { AuditEntryDto } from '../generated/api.js';
import { List, type Column } from './list.js';
import { Badge, Filters, Moment, Page } from './parts.js';
import { given, type Query } from './route.js';
import { answer } from './service.js';
import { useSession } from './session.js';

const FIELDS = [
  { name: 'actor', label: 'Who', hint: 'Such as merchant:anna.' },
  { name: 'action', label: 'What', hint: 'Such as refund.' },
  { name: 'object', label: 'To what', hint: 'An id.' },
];

const COLUMNS: readonly Column<AuditEntryDto>[] = [
  ['What', ({ action, count }) => (count === undefined ? action : `${action} (${count} times)`)],
  ['To what', ({ object }) => object && <code>{object}</code>],
  ['Who', ({ actor }) => actor],
  ['From where', ({ address }) => address],
  ['Outcome', ({ outcome }) => <Badge kind={outcome === 'ok' ? 'succeeded' : 'failed'}>{outcome}</Badge>],
  ['When', ({ at }) => <Moment at={at} />, 'when'],
];

/** Who did what, when and from where. */
export function AuditPage({ query }: { query: Query }): JSX.Element {
  const { service } = useSession();
  return (
    <Page title="Audit">
      <Filters {...{ path: 'audit', query, fields: FIELDS }} />
      <List
        {...{ columns: COLUMNS, caption: 'Who did what, newest first', empty: 'No entries match.' }}
        read={(at) => answer(service.GET('/v1/audit', { params: { query: { ...given(query), ...at } } }))}
      />
    </Page>
  );
}
