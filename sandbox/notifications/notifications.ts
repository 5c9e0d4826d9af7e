import type { Dialect } from '../dialects/dialect.ts';
import type { Settings } from '../settings.ts';
import type { Transaction } from '../ledger/transaction.ts';
import { isObject } from '../dialects/pointer.ts';
import { toJson } from '../control/exchange.ts';

export const NOTIFICATION_MODES = ['normal', 'drop', 'duplicate', 'reorder', 'delay'] as const;
export type NotificationMode = (typeof NOTIFICATION_MODES)[number];

/** One notification and the state of its delivery. */
export interface NotificationRecord {
  sequence: number;
  clientRef: string;
  transactionRef: string;
  mode: NotificationMode;
  body: unknown;
  /** HTTP statuses so far. 0 where no answer came. */
  attempts: { at: string; status: number }[];
  /** `held` waits for its turn, `retrying` for the next attempt. */
  state: 'dropped' | 'held' | 'sending' | 'retrying' | 'delivered' | 'given-up';
}

const GIVE_UP_MS = 72 * 3_600_000;
const MAX_PAUSE_MS = 3_600_000;
/** How long a reordered notification waits for the one that is to overtake it. */
const REORDER_MS = 2_000;

/** Transaction Notifications: sent on every move, retried until a 2xx, and corrupted on request. */
export class Notifications {
  readonly #settings: Settings;
  readonly #dialect: Dialect;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #stop = new AbortController();
  #records: NotificationRecord[] = [];
  #held: NotificationRecord | undefined;
  #sequence = 0;
  mode: NotificationMode = 'normal';
  delayMs = 0;

  constructor(settings: Settings, dialect: Dialect) {
    this.#settings = settings;
    this.#dialect = dialect;
  }

  /** Reports a move, in the current mode. Without an address no notification is created. */
  tell(transaction: Transaction): void {
    if (this.#settings.notifyUrl === '') return;
    this.#sequence += 1;
    const record: NotificationRecord = {
      sequence: this.#sequence,
      clientRef: transaction.clientRef,
      transactionRef: transaction.transactionRef,
      mode: this.mode,
      body: this.#dialect.writeNotification(transaction),
      attempts: [],
      state: 'held',
    };
    this.#records.push(record);
    if (this.#records.length > this.#settings.keepRequests) this.#records.shift();
    if (this.mode === 'drop') record.state = 'dropped';
    else if (this.mode === 'reorder') this.#reorder(record);
    else if (this.mode === 'delay') this.#later(this.delayMs, () => this.#start(record));
    else {
      this.#start(record);
      if (this.mode === 'duplicate') this.#start({ ...record, attempts: record.attempts });
    }
  }

  list(clientRef?: string): NotificationRecord[] {
    return this.#records.filter((record) => clientRef === undefined || record.clientRef === clientRef);
  }

  reset(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#records = [];
    this.#held = undefined;
    this.mode = 'normal';
    this.delayMs = 0;
  }

  close(): void {
    this.reset();
    this.#stop.abort();
  }

  /** The later one first, then the held one. */
  #reorder(record: NotificationRecord): void {
    const held = this.#held;
    if (held) {
      this.#held = undefined;
      void this.#attempt(record, Date.now(), 0).then(() => this.#start(held));
      return;
    }
    this.#held = record;
    this.#later(REORDER_MS, () => {
      if (this.#held !== record) return;
      this.#held = undefined;
      this.#start(record);
    });
  }

  #start(record: NotificationRecord): void {
    void this.#attempt(record, Date.now(), 0);
  }

  async #attempt(record: NotificationRecord, since: number, failures: number): Promise<void> {
    record.state = 'sending';
    const body = toJson(record.body);
    const { notifySecret, notifyUrl, notifyRetryMs } = this.#settings;
    const headers = notifySecret === '' ? {} : this.#dialect.notificationHeaders(body, notifySecret);
    const status = this.#dialect.notifiesByQuery
      ? await this.#get(notifyUrl, record.body, notifySecret)
      : await this.#post(notifyUrl, body, headers);
    if (this.#stop.signal.aborted) return;
    record.attempts.push({ at: new Date().toISOString(), status });
    if (status >= 200 && status < 300) {
      record.state = 'delivered';
      return;
    }
    const pause = Math.min(MAX_PAUSE_MS, notifyRetryMs * 2 ** failures);
    if (Date.now() + pause - since > GIVE_UP_MS) {
      record.state = 'given-up';
      return;
    }
    record.state = 'retrying';
    this.#later(pause, () => void this.#attempt(record, since, failures + 1));
  }

  /** A GET with a signed query. Another answer than the wanted one counts as none. */
  async #get(url: string, fields: unknown, secret: string): Promise<number> {
    const { notifiesByQuery } = this.#dialect;
    if (!notifiesByQuery || !isObject(fields)) return 0;
    try {
      const response = await fetch(`${url}?${notifiesByQuery.write(fields, secret).toString()}`, {
        redirect: 'manual',
        signal: AbortSignal.any([this.#stop.signal, AbortSignal.timeout(10_000)]),
      });
      const text = await response.text();
      return response.ok && !notifiesByQuery.isWanted(text) ? 0 : response.status;
    } catch {
      return 0;
    }
  }

  async #post(url: string, body: string, headers: Record<string, string>): Promise<number> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([this.#stop.signal, AbortSignal.timeout(10_000)]),
      });
      await response.body?.cancel();
      return response.status;
    } catch {
      return 0;
    }
  }

  #later(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, ms);
    this.#timers.add(timer.unref());
  }
}
