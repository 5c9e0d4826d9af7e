/** When a row says that something was settled: a moment, or a whole day. Milliseconds since the epoch. */
export interface FileTime {
  readonly from: number;
  readonly until: number;
}

const DAY_MS = 24 * 3_600_000;
const FORM =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?(?: ?(Z|[+-][0-9]{2}:?[0-9]{2}))?)?$/i;

/**
 * Reads a date or a time (ISO 8601). Without a zone it is UTC. Undefined for any other form: where day and month could be taken for
 * each other nobody should guess.
 */
export function readTime(text: string): FileTime | undefined {
  const match = FORM.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second = '00', fraction = '', zone = 'Z'] = match;
  const date = `${year}-${month}-${day}`;
  const start = Date.parse(`${date}T00:00:00Z`);
  // 30 February is read as 1 March.
  if (Number.isNaN(start) || !new Date(start).toISOString().startsWith(date)) return undefined;
  if (hour === undefined) return { from: start, until: start + DAY_MS - 1 };
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const at = Date.parse(
    `${date}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}${offset}`,
  );
  return Number.isNaN(at) ? undefined : { from: at, until: at };
}
