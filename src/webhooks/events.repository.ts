import type { Store } from '../store/store.js';
import type { DeliveryStatus, Outcome } from './outcome.js';

/** An event of the outbox as it is stored. */
export interface StoredEvent {
  seq: number;
  id: string;
  stream: string;
  body: string;
  status: DeliveryStatus;
  attempts: number;
  next_at: number;
  last_result: string | null;
}

const COLUMNS = 'seq, id, stream, body, status, attempts, next_at, last_result';
const OPEN = `status in ('pending', 'failed')`;

/** The outbox: written with the commits of orders, read here. */
export class EventsRepository {
  constructor(private readonly store: Store) {}

  /** The oldest open event of each payment or session that is due, so that each one's events go out in order. */
  due(now: number, limit: number): Promise<StoredEvent[]> {
    return this.store.rows({
      text: `select ${COLUMNS} from events where ${OPEN} and next_at <= ? and not exists (
        select 1 from events earlier where earlier.stream = events.stream and earlier.seq < events.seq
          and earlier.status in ('pending', 'failed')) order by next_at, seq limit ?`,
      values: [now, limit],
      lookup: true,
    });
  }

  async finish(id: string, { status, attempts, nextAt, result }: Outcome): Promise<void> {
    await this.store.run({
      text: 'update events set status = ?, attempts = ?, next_at = ?, last_result = ? where id = ?',
      values: [status, attempts, nextAt ?? 0, result, id],
    });
  }

  async find(id: string): Promise<StoredEvent | undefined> {
    const [found] = await this.store.rows<StoredEvent>({
      text: `select ${COLUMNS} from events where id = ?`,
      values: [id],
      lookup: true,
    });
    return found;
  }

  /** Events in the order of commits, after this place. */
  list(after: number, limit: number, paymentId?: string): Promise<StoredEvent[]> {
    const of = paymentId === undefined ? '' : 'and stream = ?';
    return this.store.rows({
      text: `select ${COLUMNS} from events where seq > ? ${of} order by seq limit ?`,
      values: [after, ...(paymentId === undefined ? [] : [paymentId]), limit],
    });
  }

  /** Begins a new series of attempts. */
  async redeliver(id: string, now: number): Promise<void> {
    await this.store.run({
      text: `update events set status = 'pending', attempts = 0, next_at = ? where id = ?`,
      values: [now, id],
    });
  }
}
