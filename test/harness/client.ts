import { randomUUID } from 'node:crypto';
import { randomWord } from './random-word.js';

/** A small typed client of the service's HTTP interface, as a merchant's server or a browser would call it. */

export type PaymentStatus =
  | 'processing'
  | 'requires_action'
  | 'authorized'
  | 'succeeded'
  | 'failed'
  | 'canceled'
  | 'expired'
  | 'voided';

export interface PaymentBody {
  id: string;
  livemode: boolean;
  sessionId: string;
  reference: string;
  gatewayReference: string;
  method: 'card' | 'wallet' | 'transfer' | 'ussd' | 'unknown';
  status: PaymentStatus;
  amount: string;
  amountAuthorized: string | null;
  amountCaptured: string | null;
  amountRefunded: string | null;
  disputed: boolean;
  amountDisputed: string | null;
  currency: string;
  nextAction: { type: 'redirect' | 'otp' | 'transfer' | 'ussd'; [detail: string]: unknown } | null;
  pendingOperation: { type: 'pay' | 'otp' | 'complete' | 'void'; amount?: string; since: string } | null;
  duplicateOf: string | null;
  needsAttention: boolean;
  attentionReasons: string[];
  paidAt: string | null;
  failure: {
    code: string;
    message: string;
    reason: string | null;
    gatewayCode?: string;
    retryable: boolean;
  } | null;
  card: { brand: string; last4: string } | null;
  metadata: Record<string, string>;
  createdAt: string;
  updatedAt: string;
}

export interface SessionBody {
  id: string;
  livemode: boolean;
  status: 'open' | 'paid' | 'expired' | 'closed';
  clientToken: string;
  reference: string;
  amount: string;
  currency: string;
  payer?: Record<string, string> | null;
  returnUrl?: string | null;
  methods: string[];
  metadata: Record<string, string>;
  expiresAt: string;
  createdAt: string;
  checkoutUrl: string;
  payments: unknown[];
}

export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  requestId: string;
  errors?: { pointer: string; message: string }[];
  paymentId?: string;
}

export interface EventBody {
  id: string;
  type: string;
  at: string;
  from?: PaymentStatus;
  to?: PaymentStatus;
  late?: boolean;
  actor?: string;
  detail?: unknown;
}

export interface Answer<T> {
  status: number;
  headers: Headers;
  /** Parsed if the answer is JSON, otherwise the text. */
  body: T;
  text: string;
}

export interface CallOptions {
  /** Bearer secret. The merchant's key by default. */
  token?: string;
  /** A random key on every POST by default. `null` sends none. */
  idempotencyKey?: string | null;
  headers?: Record<string, string>;
}

/** Fails the test with the whole answer, which is more helpful than "expected 201, got 400". */
export function expectStatus<T>(answer: Answer<T>, ...statuses: number[]): Answer<T> {
  if (!statuses.includes(answer.status)) {
    throw new Error(`expected HTTP ${statuses.join(' or ')}, got ${answer.status}: ${answer.text}`);
  }
  return answer;
}

/** The answer as a problem document. Fails if it is not one. */
export function problemOf(answer: Answer<unknown>): ProblemBody {
  const type = answer.headers.get('content-type') ?? '';
  if (!type.startsWith('application/problem+json')) {
    throw new Error(`expected a problem document, got ${answer.status} ${type}: ${answer.text}`);
  }
  return answer.body as ProblemBody;
}

export class TillfrontClient {
  constructor(
    private readonly baseUrl: string,
    private readonly merchantKey: string,
  ) {}

  async call<T>(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    options: CallOptions = {},
  ): Promise<Answer<T>> {
    const headers: Record<string, string> = { authorization: `Bearer ${options.token ?? this.merchantKey}` };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const key = options.idempotencyKey === undefined ? randomUUID() : options.idempotencyKey;
    if (method === 'POST' && key !== null) headers['idempotency-key'] = key;
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: { ...headers, ...options.headers },
      redirect: 'manual',
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = /^application\/(problem\+)?json/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (json ? JSON.parse(text) : text) as T,
    };
  }

  get<T>(path: string, options?: CallOptions): Promise<Answer<T>> {
    return this.call<T>('GET', path, undefined, options);
  }

  post<T>(path: string, body: unknown = {}, options?: CallOptions): Promise<Answer<T>> {
    return this.call<T>('POST', path, body, options);
  }

  /** Creates a session and fails if it was refused. Use `post('/v1/checkout-sessions', …)` to get the whole answer. */
  async createSession(body: object = {}): Promise<SessionBody> {
    const answer = await this.post<SessionBody>('/v1/checkout-sessions', sessionRequest(body));
    return expectStatus(answer, 201).body;
  }

  payCard(session: Pick<SessionBody, 'clientToken'>, body: object = {}, options: CallOptions = {}) {
    return this.post<PaymentBody>('/v1/payments/card', cardRequest(body), {
      token: session.clientToken,
      ...options,
    });
  }

  payWallet(session: Pick<SessionBody, 'clientToken'>, body: object = {}, options: CallOptions = {}) {
    return this.post<PaymentBody>('/v1/payments/wallet', body, { token: session.clientToken, ...options });
  }

  payTransfer(session: Pick<SessionBody, 'clientToken'>, body: object = {}, options: CallOptions = {}) {
    return this.post<PaymentBody>('/v1/payments/transfer', body, { token: session.clientToken, ...options });
  }

  payUssd(session: Pick<SessionBody, 'clientToken'>, bankCode = '058', options: CallOptions = {}) {
    return this.post<PaymentBody>(
      '/v1/payments/ussd',
      { bankCode },
      { token: session.clientToken, ...options },
    );
  }

  submitOtp(
    session: Pick<SessionBody, 'clientToken'>,
    paymentId: string,
    otp: string,
    options: CallOptions = {},
  ) {
    return this.post<PaymentBody>(
      `/v1/payments/${paymentId}/otp`,
      { otp },
      { token: session.clientToken, ...options },
    );
  }

  submitPin(
    session: Pick<SessionBody, 'clientToken'>,
    paymentId: string,
    pin: string,
    options: CallOptions = {},
  ) {
    return this.post<PaymentBody>(
      `/v1/payments/${paymentId}/pin`,
      { pin },
      { token: session.clientToken, ...options },
    );
  }

  submitEncryptedPin(
    session: Pick<SessionBody, 'clientToken'>,
    paymentId: string,
    encryptedPin: string,
    options: CallOptions = {},
  ) {
    return this.post<PaymentBody>(
      `/v1/payments/${paymentId}/pin`,
      { encryptedPin },
      { token: session.clientToken, ...options },
    );
  }

  async getPayment(id: string, options?: CallOptions): Promise<PaymentBody> {
    return expectStatus(await this.get<PaymentBody>(`/v1/payments/${id}`, options), 200).body;
  }

  async getEvents(id: string): Promise<EventBody[]> {
    return expectStatus(await this.get<{ data: EventBody[] }>(`/v1/payments/${id}/events`), 200).body.data;
  }

  async paymentsOf(reference: string): Promise<PaymentBody[]> {
    const path = `/v1/payments?reference=${encodeURIComponent(reference)}&limit=100`;
    return expectStatus(await this.get<{ data: PaymentBody[] }>(path), 200).body.data;
  }

  /** Polls until the payment has one of the statuses. On failure it shows the payment as it last was. */
  async waitForStatus(
    id: string,
    statuses: PaymentStatus | PaymentStatus[],
    withinMs = 45_000,
  ): Promise<PaymentBody> {
    const wanted = new Set([statuses].flat());
    const deadline = Date.now() + withinMs;
    for (;;) {
      const payment = await this.getPayment(id);
      if (wanted.has(payment.status)) return payment;
      if (Date.now() > deadline) {
        throw new Error(`not ${[...wanted].join(' or ')} within ${withinMs} ms: ${JSON.stringify(payment)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** A reference that no other test uses. */
export function newReference(): string {
  return `ORDER-${randomWord(18)}`;
}

export const payer = { email: 'ada@example.com', phone: '+2348012345678', firstName: 'Ada', lastName: 'Obi' };
export const billing = {
  street: '1 Marina',
  city: 'Lagos',
  stateProvince: 'Lagos',
  postCode: '101001',
  country: 'NGA',
};
export const device = {
  javaEnabled: false,
  language: 'en-NG',
  screenHeight: 1080,
  screenWidth: 1920,
  colorDepth: 24,
  timeZone: 'Africa/Lagos',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Tests/1.0',
};
/** A Verve card that no bank has issued. */
export const card = {
  number: '5060990580000217499',
  expiryMonth: '12',
  expiryYear: '2030',
  cvv: '111',
  pin: '1111',
  nameOnCard: 'Ada Obi',
};

/** A valid session with every member. `overrides` replaces members, and `undefined` removes one. */
export function sessionRequest(overrides: object = {}): Record<string, unknown> {
  return {
    reference: newReference(),
    amount: '1500.00',
    currency: 'NGN',
    payer,
    billing,
    returnUrl: 'https://shop.example/thanks',
    ...overrides,
  };
}

/** A valid card payment. Members of `card` and `device` are replaced one by one. */
export function cardRequest(overrides: { card?: object; device?: object } = {}): Record<string, unknown> {
  return {
    ...overrides,
    card: overrides.card === undefined && 'card' in overrides ? undefined : { ...card, ...overrides.card },
    device:
      overrides.device === undefined && 'device' in overrides
        ? undefined
        : { ...device, ...overrides.device },
  };
}
