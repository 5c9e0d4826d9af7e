import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { SettlementDto } from './books.js';
import { Field, Problem } from './fields.js';
import { List, type Column } from './list.js';
import { Badge, Moment } from './parts.js';
import { useList } from './reading.js';
import { hrefOf } from './route.js';
import { answer } from './service.js';
import { mayKeepBooks, useSession } from './session.js';
import { dayWords, shortTime } from './times.js';
import { personOf } from './words.js';

const COLUMNS: readonly Column<SettlementDto>[] = [
  { name: 'Report', show: (report) => <a href={hrefOf(`settlements/${report.id}`)}>{reportName(report)}</a> },
  { name: 'Open differences', kind: 'number', show: ({ counts }) => <Count counts={counts} /> },
  { name: 'Rows', kind: 'number', show: ({ rows }) => rows },
  { name: 'Uploaded by', show: ({ actor }) => personOf(actor) },
  { name: 'Received', kind: 'when', show: ({ receivedAt }) => <Moment at={receivedAt} as={shortTime} /> },
];

/** The gateway's settlement reports, and a form that uploads another one. */
export function SettlementsPage(): JSX.Element {
  const { service, caller } = useSession();
  const listing = useList(
    (cursor) => answer(service.GET('/v1/settlements', { params: { query: cursor ? { cursor } : {} } })),
    [],
  );
  return (
    <section class="stack" aria-label="Settlements">
      <h2 tabIndex={-1}>Settlements</h2>
      <p class="muted">The gateway’s settlement reports, compared with the payments here.</p>
      {mayKeepBooks(caller) && <Upload />}
      <List
        {...{ columns: COLUMNS, listing, empty: 'No report has been uploaded yet.' }}
        caption="Settlement reports, newest first"
      />
    </section>
  );
}

/** A report by its days, by which people know it. */
export function reportName({ from, to, receivedAt }: Pick<SettlementDto, 'from' | 'to' | 'receivedAt'>): string {
  const [first, last] = [from ?? receivedAt, to ?? receivedAt].map((at) => dayWords(at.slice(0, 10)));
  return first === last ? (first ?? '') : `${first} – ${last}`;
}

function Count({ counts }: { counts: Record<string, number> }): JSX.Element {
  const count = Object.values(counts).reduce((sum, one) => sum + one, 0);
  return <Badge kind={count === 0 ? 'succeeded' : 'alert'}>{count === 0 ? 'None' : count}</Badge>;
}

function Upload(): JSX.Element {
  const { service, announce } = useSession();
  const file = useRef<HTMLInputElement>(null);
  const isBusy = useRef(false);
  const [error, setError] = useState<unknown>();
  const upload = async (): Promise<void> => {
    const report = file.current?.files?.[0];
    if (report === undefined || isBusy.current) return;
    isBusy.current = true;
    setError(undefined);
    announce('Comparing the report…');
    try {
      const { id } = await answer(
        service.POST('/v1/settlements', {
          ...{ body: '', bodySerializer: () => report, headers: { 'content-type': 'text/csv' } },
        }),
      );
      location.hash = hrefOf(`settlements/${id}`);
    } catch (problem) {
      announce('');
      setError(problem);
    } finally {
      isBusy.current = false;
    }
  };
  return (
    <form
      class="card search"
      aria-label="Upload a report"
      onSubmit={(event) => {
        event.preventDefault();
        void upload();
      }}
    >
      <Field label="Settlement report" name="report" hint="CSV, also as .gz. A report that was uploaded before changes nothing.">
        {(control) => <input {...control} ref={file} type="file" accept=".csv,.gz,text/csv" required />}
      </Field>
      <button type="submit" class="primary">
        Upload
      </button>
      <Problem error={error} />
    </form>
  );
}
