import type { Json } from './calls.ts';

/** An event as the list shows it. */
export interface ListedEvent {
  id: string;
  type: string;
  sequence: number;
  late: boolean;
  data: Json;
}

/**
 * A merchant's server that reads the list of events bit by bit, each time from where it left off, through crashes and
 * all: whatever it has not seen then would be lost to it.
 */
export class EventsReader {
  readonly read: ListedEvent[] = [];
  #after: string | undefined;
  #busy: Promise<void> = Promise.resolve();
  readonly #ask: (path: string) => Promise<Json | undefined>;

  constructor(ask: (path: string) => Promise<Json | undefined>) {
    this.#ask = ask;
  }

  /** Reads what is new. */
  async catchUp(): Promise<void> {
    this.#busy = this.#busy.then(() => this.#readOn());
    await this.#busy;
  }

  async #readOn(): Promise<void> {
    for (;;) {
      const after = this.#after === undefined ? '' : `&after=${this.#after}`;
      const page = await this.#ask(`/v1/events?limit=100${after}`);
      const data = (page?.['data'] ?? []) as ListedEvent[];
      for (const event of data) this.read.push({ ...event, late: event.late === true });
      this.#after = data.at(-1)?.id ?? this.#after;
      if (data.length < 100) return;
    }
  }
}
