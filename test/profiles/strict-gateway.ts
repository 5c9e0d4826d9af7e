import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cardAnswer, notFoundAnswer } from '../harness/gateway-answers.js';
import type { Behaviour, Responder } from '../harness/gateway-behaviour.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import type { RecordedRequest } from '../harness/request-reader.js';
import { testKeys } from '../harness/tillfront.js';

/**
 * A gateway that wants what real ones want and the built-in profile does not know: a token, signed requests, an order before
 * the payment, amounts as numbers. It verifies all of it, as they do.
 */
export interface StrictGateway {
  readonly gateway: MisbehavingGateway;
  /** Tokens handed out so far. */
  tokens(): number;
  /** The gateway ends the token that it gave last. */
  revoke(): void;
  /** What becomes of the next orders; a good one unless said otherwise. */
  orders(...behaviours: (Behaviour | 'good')[]): void;
  /** What becomes of the next card payments. */
  payments(...behaviours: Behaviour[]): void;
  /** What a status query says. */
  states(...behaviours: Behaviour[]): void;
  /** Requests that were refused for lack of a token or a right signature. */
  readonly refused: readonly RecordedRequest[];
}

/** The profile for it. */
export const strictProfile = {
  credentials: {
    default: {
      authorization: 'Bearer {token}',
      'x-signature': '{signature}',
      'x-merchant': '2566',
      sign: { scheme: 'hmac-sha512', key: 'accessToken', over: '{method}\n{path}\n{body}' },
    },
  },
  token: {
    method: 'POST',
    path: '/oauth/token',
    headers: { authorization: 'Basic {basic:apiKey:accessToken}' },
    form: { grant_type: 'client_credentials' },
    value: '/access_token',
    expiresIn: '/expires_in',
  },
  reference: { separator: '-', maxLength: 40 },
  extra: {
    createOrder: {
      method: 'POST',
      path: '/orders',
      credentials: true,
      encode: 'json-sorted',
      amountUnit: 'major-number',
      include: ['client_ref', 'amount', 'currency', 'notifyUrl'],
      rename: { client_ref: '/order/reference', amount: '/order/amount' },
      constants: {
        customer: { name: '{payerName}' },
        '/contacts/0/phone': { value: '{payerPhone}', when: 'payerPhone' },
      },
      keep: { orderId: '/order/id' },
    },
  },
  operations: {
    payCard: { path: '/orders/{orderId}/pay', before: 'createOrder', amountUnit: 'major-number' },
    transactionStatus: {
      path: '/states',
      encode: 'query',
      include: ['orderId', 'payerEmail', 'notifiedAs'],
      rename: { client_ref: 'reference', payerEmail: 'mail' },
      outcome: { readStatuses: [404] },
    },
    void: null,
  },
  outcome: {
    redirectUrl: 'https://bank.example/challenge/{/data/session/id}',
    redirectMethod: 'POST',
    redirectFields: { MD: '/data/session/md', TermUrl: '{authNotifyUrl}' },
    meanings: { unsupported: ['SELFIE'] },
  },
  notification: {
    methods: ['POST', 'GET'],
    reference: ['ref', '/data/ref'],
    signature: { scheme: 'sha512', at: '/sig', over: '{/ref}{/state}{secret}' },
    answer: { status: 202, body: { seen: '{/ref}' } },
    keep: { notifiedAs: '/state' },
  },
};

/** Writes a profile to a file of its own. */
export function profileFile(profile: object): string {
  const path = join(mkdtempSync(join(tmpdir(), 'profile-')), 'profile.json');
  writeFileSync(path, JSON.stringify(profile));
  return path;
}

/** The signature of a notification to this profile. */
export function notificationQuery(ref: string, state: string, secret: string): string {
  const sig = createHash('sha512').update(`${ref}${state}${secret}`).digest('hex');
  return new URLSearchParams({ ref, state, sig }).toString();
}

export async function startStrictGateway(): Promise<StrictGateway> {
  const gateway = await startMisbehavingGateway();
  const refused: RecordedRequest[] = [];
  const script = {
    orders: [] as (Behaviour | 'good')[],
    payments: [] as Behaviour[],
    states: [] as Behaviour[],
  };
  let tokens = 0;
  let current = '';
  const next = <T>(queue: T[]): T | undefined => (queue.length > 1 ? queue.shift() : queue[0]);
  const answer = (body: unknown, status = 200): Behaviour => ({ do: 'answer', body, status });

  const checked =
    (then: Responder): Responder =>
    (request) => {
      if (request.headers['authorization'] === `Bearer ${current}` && isSigned(request)) return then(request);
      refused.push(request);
      return answer({ error: true, message: 'Unauthorized' }, 401);
    };

  gateway.script('POST /oauth/token', (request) => {
    const basic = Buffer.from(`${testKeys.apiKey}:${testKeys.accessToken}`).toString('base64');
    const isRight =
      request.headers['authorization'] === `Basic ${basic}` &&
      request.text === 'grant_type=client_credentials';
    if (!isRight) return answer({ error: true }, 401);
    current = `tok-${++tokens}`;
    return answer({ access_token: current, expires_in: 3600 });
  });
  gateway.script(
    'POST /orders',
    checked(() => {
      const behaviour = next(script.orders) ?? 'good';
      return behaviour === 'good'
        ? answer({ order: { id: `ord-${gateway.requests.length}` } }, 201)
        : behaviour;
    }),
  );
  gateway.script(
    'POST /orders/*',
    checked(() => next(script.payments) ?? answer(cardAnswer({ status: 'SUCCESS', amount: '1500.00' }))),
  );
  gateway.script(
    'GET /states*',
    checked(() => next(script.states) ?? answer(notFoundAnswer, 404)),
  );
  return {
    gateway,
    refused,
    tokens: () => tokens,
    revoke: () => (current = 'revoked'),
    orders: (...behaviours) => (script.orders = behaviours),
    payments: (...behaviours) => (script.payments = behaviours),
    states: (...behaviours) => (script.states = behaviours),
  };
}

function isSigned({ method, path, text, headers }: RecordedRequest): boolean {
  const signature = createHmac('sha512', testKeys.accessToken)
    .update(`${method}\n${path}\n${text}`)
    .digest('hex');
  return headers['x-signature'] === signature && headers['x-merchant'] === '2566';
}
