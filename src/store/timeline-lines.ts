import { payOperationId, timelineId } from './ids.js';
import type { PaymentRecord, TimelineRecord } from './schema.js';

/**
 * A payment's timeline is text in its row, a line of JSON an entry. A write adds lines and reads none. What is older than
 * the last entries stands in pages, so that the row stays short.
 */
const ENTRIES_IN_ROW = 20;

/** What a line says. An entry's number is that of its line, and its id follows from that unless it says another. */
interface Line {
  at: number;
  type: TimelineRecord['type'];
  from?: TimelineRecord['fromStatus'] | undefined;
  to?: TimelineRecord['toStatus'] | undefined;
  late?: true | undefined;
  actor?: string | undefined;
  detail?: Record<string, string> | undefined;
  id?: string | undefined;
}

/** What a write does to the timeline in a payment's row. */
export interface TimelineChange {
  /** Lines to be added, each with its end. */
  lines: string;
  /** Set where what stands in the row becomes a page first: the number of the last entry in it. */
  pageUpTo?: number;
}

/**
 * The entries of a write as lines. Throws where they do not follow the entries that the payment had, or where the payment
 * counts others: an entry is written once, in its place.
 */
export function timelineChange(
  payment: PaymentRecord,
  entries: readonly TimelineRecord[] | undefined,
  before: PaymentRecord | undefined,
): TimelineChange | undefined {
  const own = (entries ?? []).filter(({ paymentId }) => paymentId === payment.id);
  if (own.length === 0) return undefined;
  const last = payment.timelineSequence;
  const former = before?.timelineSequence ?? 0;
  const inPlace = own.every(({ sequence }, index) => sequence === former + index + 1);
  if (!inPlace || last !== former + own.length) {
    throw new TypeError('The entries of a timeline do not follow those that are stored');
  }
  const lines = own.map((entry) => `${JSON.stringify(lineOf(entry))}\n`).join('');
  const turns = Math.floor(former / ENTRIES_IN_ROW) < Math.floor(last / ENTRIES_IN_ROW) && former > 0;
  return turns ? { lines, pageUpTo: former } : { lines };
}

/** What is undefined is left out of its JSON. */
function lineOf(entry: TimelineRecord): Line {
  const { paymentId, sequence, id, detail } = entry;
  return {
    at: entry.at,
    type: entry.type,
    from: entry.fromStatus ?? undefined,
    to: entry.toStatus ?? undefined,
    late: entry.late || undefined,
    actor: entry.actor ?? undefined,
    detail: detail ? shortDetail(paymentId, detail) : undefined,
    id: id === timelineId(paymentId, sequence) ? undefined : id,
  };
}

/** Without the id of the operation that began the payment, which follows from the payment's. */
function shortDetail(paymentId: string, detail: Record<string, string>): Record<string, string> {
  const { id, ...rest } = detail;
  return rest['operation'] === 'pay' && id === payOperationId(paymentId) ? rest : detail;
}

function wholeDetail(paymentId: string, detail: Record<string, string>): Record<string, string> {
  const { operation, id, ...rest } = detail;
  return operation === 'pay' && id === undefined
    ? { operation, id: payOperationId(paymentId), ...rest }
    : detail;
}

/** The entries of lines of which the last one is the entry with the number `last`. */
export function readLines(paymentId: string, text: string, last: number): TimelineRecord[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line, index) => {
    const entry = JSON.parse(line) as Line;
    const sequence = last - lines.length + index + 1;
    return {
      paymentId,
      sequence,
      id: entry.id ?? timelineId(paymentId, sequence),
      type: entry.type,
      at: entry.at,
      fromStatus: entry.from ?? null,
      toStatus: entry.to ?? null,
      late: entry.late ?? false,
      actor: entry.actor ?? null,
      detail: entry.detail ? wholeDetail(paymentId, entry.detail) : null,
    };
  });
}

/** Lines with `instead` in place of each note that a person typed. Lines without one stay as they are. Pure. */
export function withoutNotes(text: string, instead: string): string {
  return text
    .split('\n')
    .map((line) => {
      const entry = line === '' ? undefined : (JSON.parse(line) as Line);
      if (!entry?.detail?.['note']) return line;
      return JSON.stringify({ ...entry, detail: { ...entry.detail, note: instead } });
    })
    .join('\n');
}
