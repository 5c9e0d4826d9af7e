import type { Payment } from '../kit/api.js';
import type {
  Approval,
  ApprovalPage,
  AuditPage,
  MerchantEvent,
  MerchantSession,
  PaymentPage,
  Refund,
  SignedIn,
  TimelineEntry,
} from './api.js';
import { Calls } from './calls.js';
import { queryText, type Query } from './route.js';

/** What a payment link is for. */
export interface LinkWish {
  reference: string;
  amount: string;
  currency: string;
  expiresInSeconds: number;
  payer?: { email: string };
}

/** What is answered where another person must approve it first: nothing was done. */
export interface Waits {
  approval: Approval;
}

/** Whether another person must approve it first. */
export function waits(answer: object): answer is Waits {
  return 'approval' in answer;
}

/** What the console asks of the service. */
export class MerchantApi {
  readonly #calls: Calls;

  private constructor(
    calls: Calls,
    /** Whose key it is, and what it may do. */
    readonly caller: SignedIn,
  ) {
    this.#calls = calls;
  }

  /** Tries a key, and enters the sign-in into the audit. */
  static async signIn(baseUrl: string, key: string): Promise<MerchantApi> {
    const calls = new Calls(baseUrl, key);
    return new MerchantApi(calls, await calls.post<SignedIn>('/v1/console/sign-ins', {}));
  }

  /** Whether the key may look for payers. */
  get maySearch(): boolean {
    return this.caller.access !== 'books';
  }

  /** Whether the key may send reports and work off differences. */
  get mayKeepBooks(): boolean {
    return this.caller.access !== 'read';
  }

  /** Whether the key may change anything. */
  get mayAct(): boolean {
    return this.caller.access === 'full';
  }

  payments(query: Query): Promise<PaymentPage> {
    return this.#calls.get(`/v1/payments?${queryText({ limit: '50', ...query })}`);
  }

  /** Finds payments by whatever is known of them. */
  search(words: string, cursor?: string): Promise<PaymentPage> {
    return this.#calls.ask('/v1/payments/search', {
      query: words,
      ...(cursor === undefined ? {} : { cursor }),
    });
  }

  payment(id: string): Promise<Payment> {
    return this.#calls.get(`/v1/payments/${encodeURIComponent(id)}`);
  }

  /** The payment when its status or next action changes, or after this many seconds; and after how many to ask again. */
  changed(
    id: string,
    wait: number,
    signal: AbortSignal,
  ): Promise<{ body: Payment; retryAfterSeconds: number }> {
    return this.#calls.getInTurn(`/v1/payments/${encodeURIComponent(id)}?wait=${wait}`, signal);
  }

  timeline(id: string): Promise<TimelineEntry[]> {
    return this.#list(`/v1/payments/${encodeURIComponent(id)}/events`);
  }

  refunds(id: string): Promise<Refund[]> {
    return this.#list(`/v1/payments/${encodeURIComponent(id)}/refunds`);
  }

  refund(payment: Payment, body: { amount: string; reason?: string }): Promise<Refund | Waits> {
    return this.#calls.post(`/v1/payments/${encodeURIComponent(payment.id)}/refunds`, body);
  }

  act(payment: Payment, action: string, body: object): Promise<Payment | Waits> {
    return this.#calls.post(`/v1/payments/${encodeURIComponent(payment.id)}/${action}`, body);
  }

  /** Approvals, the newest first: at most 100. */
  approvals(query: Query): Promise<ApprovalPage> {
    return this.#calls.get(`/v1/approvals?${queryText({ limit: '100', ...query })}`);
  }

  /** Approves what somebody else has asked for, or declines it. */
  decide(approval: Approval, decision: 'approve' | 'decline', note: string): Promise<Waits> {
    const body = note === '' ? {} : { note };
    return this.#calls.post(`/v1/approvals/${encodeURIComponent(approval.id)}/${decision}`, body);
  }

  /** The events of one payment, oldest first. */
  events(paymentId: string): Promise<MerchantEvent[]> {
    return this.#list(`/v1/events?${queryText({ paymentId, limit: '100' })}`);
  }

  async redeliver(eventId: string): Promise<void> {
    await this.#calls.post(`/v1/events/${encodeURIComponent(eventId)}/redeliver`, {});
  }

  audit(query: Query): Promise<AuditPage> {
    return this.#calls.get(`/v1/audit?${queryText({ limit: '50', ...query })}`);
  }

  createLink(wish: LinkWish): Promise<MerchantSession> {
    return this.#calls.post('/v1/checkout-sessions', wish);
  }

  async #list<T>(path: string): Promise<T[]> {
    return (await this.#calls.get<{ data: T[] }>(path)).data;
  }
}
