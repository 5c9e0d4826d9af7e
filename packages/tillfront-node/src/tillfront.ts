import type {
  AskedApproval,
  Completion,
  EventQuery,
  NewRefund,
  NewSession,
  Payment,
  PaymentPage,
  PaymentQuery,
  Refund,
  RefundList,
  Session,
  SessionList,
  TimelineEntry,
  WaitQuery,
} from './api.js';
import type { ListedEvent } from './events.js';
import { Http, segment, type CallOptions, type TillfrontOptions } from './http.js';

/** A query in which numbers may be written as such. */
type Query<Q> = Omit<Q, 'limit' | 'wait'> & Partial<Record<Extract<keyof Q, 'limit' | 'wait'>, number>>;

interface Page<T> {
  data: T[];
  nextCursor: string | null;
}

/** A client of one Tillfront, for a shop's server. */
export class Tillfront {
  readonly sessions: Sessions;
  readonly payments: Payments;
  readonly refunds: Refunds;
  readonly events: Events;

  constructor(options: TillfrontOptions) {
    const http = new Http(options);
    this.sessions = new Sessions(http);
    this.payments = new Payments(http);
    this.refunds = new Refunds(http);
    this.events = new Events(http);
  }
}

/** Checkout sessions: what payers owe. */
class Sessions {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Creates a session, or gives the one that the key has created. Look at its `status`: after a session has expired or was
   * closed, its key goes on giving that one. `clientToken` and `checkoutUrl` are for the payer's browser alone.
   */
  create(session: NewSession, options?: CallOptions): Promise<Session> {
    return this.#http.post('/v1/checkout-sessions', session, options);
  }

  get(id: string): Promise<Session> {
    return this.#http.get(`/v1/checkout-sessions/${segment(id)}`);
  }

  /** The sessions of an order, the newest first. */
  async list(query: { reference: string }): Promise<Session[]> {
    return (await this.#http.get<SessionList>('/v1/checkout-sessions', query)).data;
  }

  /** Ends an unpaid session, so that its reference can have another one. */
  close(id: string, options?: CallOptions): Promise<Session> {
    return this.#http.post(`/v1/checkout-sessions/${segment(id)}/close`, {}, options);
  }

  /** Erases the payer's data. */
  redact(id: string, options?: CallOptions): Promise<Session> {
    return this.#http.post(`/v1/checkout-sessions/${segment(id)}/redact`, {}, options);
  }
}

/** Payments: attempts to pay a session. */
class Payments {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** A payment. With `wait`, as soon as its status or next action changes, or after so many seconds. */
  get(id: string, query?: Query<WaitQuery>): Promise<Payment> {
    return this.#http.get(`/v1/payments/${segment(id)}`, query);
  }

  /** A page of payments, the newest first. */
  list(query?: Query<PaymentQuery>): Promise<PaymentPage> {
    return this.#http.get('/v1/payments', query);
  }

  /** All payments, page by page. */
  all(query?: Query<PaymentQuery>): AsyncGenerator<Payment, void, undefined> {
    return itemsOf((cursor) => this.list({ ...query, ...cursor }));
  }

  /** What happened to a payment, the oldest first. */
  async timeline(id: string): Promise<TimelineEntry[]> {
    return (await this.#http.get<{ data: TimelineEntry[] }>(`/v1/payments/${segment(id)}/events`)).data;
  }

  /** Takes the money of an `authorized` payment, all of it or a part. */
  complete(id: string, completion?: Completion, options?: CallOptions): Promise<Payment> {
    return this.#http.post(`/v1/payments/${segment(id)}/complete`, completion, options);
  }

  /** Reverses a whole payment. While `pendingOperation` is set, its outcome is not known yet. */
  void(id: string, options?: CallOptions): Promise<Payment> {
    return this.#http.post(`/v1/payments/${segment(id)}/void`, {}, options);
  }

  /** Ends a payment that waits for the payer. The gateway is asked first. */
  cancel(id: string, options?: CallOptions): Promise<Payment> {
    return this.#http.post(`/v1/payments/${segment(id)}/cancel`, {}, options);
  }

  /** Asks the gateway now. */
  refresh(id: string): Promise<Payment> {
    return this.#http.postOnce(`/v1/payments/${segment(id)}/refresh`);
  }
}

/** Refunds, where the gateway profile has them. */
class Refunds {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Gives back all that is left of a payment, or an `amount`. `processing` means that the outcome is not known yet: do not ask
   * again with another key. Where another person must approve it first, the answer has an `approval` in place of the refund.
   */
  create(paymentId: string, refund?: NewRefund, options?: CallOptions): Promise<Refund | AskedApproval> {
    return this.#http.post(`/v1/payments/${segment(paymentId)}/refunds`, refund, options);
  }

  /** The refunds of a payment that you asked for, the oldest first. */
  async ofPayment(paymentId: string): Promise<Refund[]> {
    return (await this.#http.get<RefundList>(`/v1/payments/${segment(paymentId)}/refunds`)).data;
  }
}

/** Events, in one order without gaps: for what your server has missed. */
class Events {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** A page of events, the oldest first. */
  list(query?: Query<EventQuery>): Promise<Page<ListedEvent>> {
    return this.#http.get('/v1/events', query);
  }

  /** All events after the given one until now, the oldest first. */
  async *all(query?: Query<EventQuery>): AsyncGenerator<ListedEvent, void, undefined> {
    // This list has no last page: an empty one is the end for now.
    for (let { data, nextCursor } = await this.list(query); nextCursor !== null;) {
      yield* data;
      ({ data, nextCursor } = await this.list({ ...query, after: nextCursor }));
    }
  }

  /** Sends an event to your server again, under its id. */
  redeliver(id: string): Promise<ListedEvent> {
    return this.#http.postOnce(`/v1/events/${segment(id)}/redeliver`);
  }
}

async function* itemsOf<T>(
  page: (cursor: { cursor?: string }) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | null = null;
  do {
    const { data, nextCursor }: Page<T> = await page(cursor === null ? {} : { cursor });
    yield* data;
    cursor = nextCursor;
  } while (cursor !== null);
}
