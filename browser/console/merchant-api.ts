import type { Payment } from '../kit/api.js';
import type { MerchantEvent, PaymentPage, TimelineEntry } from './api.js';

export interface PaymentQuery {
  reference?: string;
  status?: string;
  needsAttention?: 'true';
  cursor?: string;
}

/** A refusal, with a message for the person at the console. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Calls the service with a merchant key, which is kept only here. */
export class MerchantApi {
  /** Whether the key may change anything. Known after the first answer. */
  access: 'read' | 'write' = 'write';
  readonly #baseUrl: string;
  readonly #key: string;
  /** Keys of actions that have no answer yet, so that a retry is not a second action. */
  readonly #idempotencyKeys = new Map<string, string>();

  constructor(baseUrl: string, key: string) {
    this.#baseUrl = baseUrl.replace(/(?<!\/)\/+$/, '');
    this.#key = key;
  }

  payments(query: PaymentQuery): Promise<PaymentPage> {
    const parameters = new URLSearchParams({ limit: '50' });
    for (const [name, value] of Object.entries(query)) {
      if (typeof value === 'string' && value !== '') parameters.set(name, value);
    }
    return this.#get(`/v1/payments?${parameters}`);
  }

  /** `wait`: answers when the payment changes, or after this many seconds. */
  payment(id: string, wait = 0, signal?: AbortSignal): Promise<Payment> {
    return this.#get(`/v1/payments/${encodeURIComponent(id)}${wait > 0 ? `?wait=${wait}` : ''}`, signal);
  }

  async timeline(id: string): Promise<TimelineEntry[]> {
    return (await this.#get<{ data: TimelineEntry[] }>(`/v1/payments/${encodeURIComponent(id)}/events`)).data;
  }

  /** The events of one payment, oldest first. */
  async events(paymentId: string): Promise<MerchantEvent[]> {
    const query = new URLSearchParams({ paymentId, limit: '100' });
    return (await this.#get<{ data: MerchantEvent[] }>(`/v1/events?${query}`)).data;
  }

  act(payment: Payment, action: string, body: object): Promise<Payment> {
    return this.#post(`/v1/payments/${encodeURIComponent(payment.id)}/${action}`, body);
  }

  async redeliver(eventId: string): Promise<void> {
    await this.#post(`/v1/events/${encodeURIComponent(eventId)}/redeliver`, {});
  }

  #get<T>(path: string, signal?: AbortSignal): Promise<T> {
    return this.#send<T>(path, { ...(signal ? { signal } : {}) });
  }

  async #post<T>(path: string, body: object): Promise<T> {
    const json = JSON.stringify(body);
    const operation = `${path} ${json}`;
    const key = this.#idempotencyKeys.get(operation) ?? crypto.randomUUID();
    this.#idempotencyKeys.set(operation, key);
    try {
      const answer = await this.#send<T>(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: json,
      });
      this.#idempotencyKeys.delete(operation);
      return answer;
    } catch (error) {
      if (error instanceof Refused && error.code !== 'no-answer') this.#idempotencyKeys.delete(operation);
      throw error;
    }
  }

  async #send<T>(path: string, init: RequestInit & { headers?: Record<string, string> }): Promise<T> {
    let response: Response;
    let body: unknown;
    try {
      response = await fetch(this.#baseUrl + path, {
        ...init,
        headers: { ...init.headers, authorization: `Bearer ${this.#key}` },
        cache: 'no-store',
        credentials: 'omit',
        redirect: 'error',
      });
      body = await response.json();
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw new Refused('no-answer', 'There was no answer. Asking again is safe.');
    }
    const access = response.headers.get('tillfront-access');
    if (access === 'read' || access === 'write') this.access = access;
    if (response.ok) return body as T;
    throw refusal(body);
  }
}

function refusal(body: unknown): Refused {
  const problem = (body ?? {}) as Record<string, unknown>;
  const text = (name: string): string | undefined => {
    const value = problem[name];
    return typeof value === 'string' ? value : undefined;
  };
  const errors: unknown = problem['errors'];
  const faults = Array.isArray(errors) ? (errors as { message?: unknown }[]) : [];
  const reasons = faults.map(({ message }) => String(message)).join('; ');
  const detail = text('detail') ?? text('title') ?? 'The service refused.';
  return new Refused(text('code') ?? 'unknown', reasons === '' ? detail : `${detail} ${reasons}`);
}
