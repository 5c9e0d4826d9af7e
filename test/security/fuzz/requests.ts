import fc from 'fast-check';
import { billing, card, device, payer } from '../../harness/client.js';
import { hostileValue, MARK, mutated, written } from './hostile-values.js';

/** One request as it goes over the wire. */
export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string | string[]>;
  readonly body: Buffer;
}

/** What exists in the service, so that some requests get past the first checks. */
export interface Known {
  readonly tokens: readonly string[];
  readonly merchantKey: string;
  readonly readKey: string;
  readonly sessions: readonly string[];
  readonly payments: readonly string[];
  readonly returns: readonly string[];
}

interface Endpoint {
  readonly methods: readonly string[];
  /** `:session`, `:payment`, `:return`, `:any` are filled in. */
  readonly path: string;
  readonly query?: readonly string[];
  readonly body?: unknown;
}

const session = {
  amount: '1500.00',
  currency: 'NGN',
  payer,
  billing,
  returnUrl: 'https://shop.example/thanks',
  methods: ['card', 'wallet'],
  expiresInSeconds: 1800,
  metadata: { cart: '42' },
};

const endpoints: readonly Endpoint[] = [
  { methods: ['POST'], path: '/v1/checkout-sessions', body: session },
  { methods: ['GET'], path: '/v1/checkout-sessions', query: ['reference'] },
  { methods: ['GET'], path: '/v1/checkout-sessions/:session' },
  { methods: ['GET'], path: '/v1/checkout-session' },
  { methods: ['POST'], path: '/v1/checkout-sessions/:session/close', body: {} },
  { methods: ['POST'], path: '/v1/checkout-sessions/:session/redact', body: {} },
  { methods: ['POST'], path: '/v1/payments/card', body: { card, payer, billing, device } },
  { methods: ['POST'], path: '/v1/payments/card', body: { encryptedCard: 'a.b.c.d.e', device } },
  { methods: ['POST'], path: '/v1/payments/wallet', body: { payer: { email: payer.email } } },
  { methods: ['POST'], path: '/v1/payments/transfer', body: { payer } },
  { methods: ['GET'], path: '/v1/ussd/banks' },
  { methods: ['POST'], path: '/v1/payments/ussd', body: { bankCode: '058', payer } },
  { methods: ['POST'], path: '/v1/payments/:payment/otp', body: { otp: '123456' } },
  { methods: ['POST'], path: '/v1/payments/:payment/pin', body: { pin: '1111' } },
  { methods: ['POST'], path: '/v1/payments/:payment/pin', body: { encryptedPin: 'a.b.c.d.e' } },
  { methods: ['POST'], path: '/v1/payments/:payment/cancel', body: {} },
  { methods: ['GET'], path: '/v1/payments/:payment', query: ['wait'] },
  {
    methods: ['GET'],
    path: '/v1/payments',
    query: ['reference', 'status', 'limit', 'cursor', 'needsAttention'],
  },
  { methods: ['GET'], path: '/v1/payments/:payment/events' },
  { methods: ['POST'], path: '/v1/payments/:payment/complete', body: { amount: '1.00' } },
  { methods: ['POST'], path: '/v1/payments/:payment/void', body: {} },
  {
    methods: ['POST'],
    path: '/v1/payments/:payment/resolve',
    body: { status: 'failed', amountReceived: '1.00', note: 'seen' },
  },
  { methods: ['POST'], path: '/v1/payments/:payment/refresh', body: {} },
  { methods: ['GET', 'POST'], path: '/v1/payments/:payment/return/:return', body: { MD: 'x' } },
  { methods: ['GET'], path: '/v1/events', query: ['after', 'limit', 'paymentId'] },
  { methods: ['POST'], path: '/v1/events/:any/redeliver', body: {} },
  { methods: ['POST'], path: '/v1/payments/search', body: { query: 'ORDER' } },
  {
    methods: ['GET'],
    path: '/v1/audit',
    query: ['limit', 'cursor', 'from', 'to', 'actor', 'action', 'object'],
  },
  { methods: ['GET'], path: '/v1/approvals', query: ['state', 'paymentId', 'limit', 'cursor'] },
  { methods: ['POST'], path: '/v1/approvals/:any/approve', body: { note: 'seen' } },
  { methods: ['POST'], path: '/v1/approvals/:any/decline', body: { note: 'seen' } },
  { methods: ['GET'], path: '/v1/card-encryption-key' },
  {
    methods: ['POST'],
    path: '/v1/gateway/notifications',
    body: { client_ref: 'ORDER-1_1', status: 'SUCCESS' },
  },
  { methods: ['POST'], path: '/v1/gateway/notifications/:any', body: { client_ref: 'ORDER-1_1' } },
  ...[
    '/health/live',
    '/health/ready',
    '/metrics',
    '/openapi.json',
    '/docs',
    '/',
    '/docs/:any',
    '/kit/:any',
    '/kit/:any/:any',
    '/checkout',
    '/checkout/:any',
    '/console',
    '/console/:any',
    '/:any',
  ].map((path) => ({ methods: ['GET'], path })),
];

/** How many addresses are tried. */
export const endpointCount = endpoints.length;

/** Never above a second: nobody has changed a word for this service by waiting. */
const waits = ['0', '1', '-1', '', '1e0', '٣', '031', 'x', '31', '0.5'];
const types = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json; charset=latin1',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'json',
  `${MARK}/${MARK}`,
  '',
];

/** Characters that a header may hold on the wire. */
const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
  maxLength: 300,
});

const segment = (valid: readonly string[]): fc.Arbitrary<string> => {
  const hostile = hostileValue.map((value) =>
    safely(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')),
  );
  const raw = fc.constantFrom(
    '%',
    '%zz',
    '%00',
    '%c0%af',
    '..%2f..%2fetc%2fpasswd',
    '.',
    '..',
    '%2e%2e',
    ';a=b',
    '*',
    '%ff%fe',
    ':id',
    '%E2%80%AE',
    `${MARK}`,
    'a'.repeat(9000),
  );
  return valid.length === 0
    ? fc.oneof(hostile, raw)
    : fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...valid) },
        { weight: 1, arbitrary: hostile },
        { weight: 1, arbitrary: raw },
      );
};

const safely = (text: string): string => encodeURIComponent(text.toWellFormed()) || '%20';

/** Requests to every endpoint, from nearly right to hopeless. */
export function fuzzRequest(known: Known): fc.Arbitrary<FuzzRequest> {
  return fc.constantFrom(...endpoints).chain((endpoint) =>
    fc
      .record({
        method: fc.oneof(
          { weight: 9, arbitrary: fc.constantFrom(...endpoint.methods) },
          {
            weight: 1,
            arbitrary: fc.constantFrom(
              'GET',
              'POST',
              'PUT',
              'DELETE',
              'PATCH',
              'OPTIONS',
              'HEAD',
              'TRACE',
              'PROPFIND',
            ),
          },
        ),
        path: pathOf(endpoint, known),
        query: queryOf(endpoint),
        headers: headersOf(known),
        body:
          endpoint.body === undefined
            ? fc.constant(Buffer.alloc(0))
            : mutated({
                ...endpoint.body,
                ...(endpoint.path === '/v1/checkout-sessions' && {
                  reference: `F-${Math.random().toString(36).slice(2)}`,
                }),
              }).chain(written),
      })
      .map(({ method, path, query, headers, body }) => ({
        method,
        path: path + query,
        headers,
        body: method === 'GET' || method === 'HEAD' || method === 'TRACE' ? Buffer.alloc(0) : body,
      })),
  );
}

function pathOf({ path }: Endpoint, known: Known): fc.Arbitrary<string> {
  const parts = path
    .split('/')
    .slice(1)
    .map((part) => {
      if (part === ':session') return segment(known.sessions);
      if (part === ':payment') return segment(known.payments);
      if (part === ':return') return segment(known.returns);
      return part === ':any' ? segment([]) : fc.constant(part);
    });
  return fc.tuple(...parts).map((filled) => `/${filled.join('/')}`);
}

function queryOf({ query = [] }: Endpoint): fc.Arbitrary<string> {
  const name = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...query, 'x') },
    { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'a[b]', MARK, '%00', '') },
  );
  const value = hostileValue.map((entry) =>
    safely(typeof entry === 'string' ? entry : (JSON.stringify(entry) ?? '')).slice(0, 3000),
  );
  const one = fc
    .tuple(name, value, fc.constantFrom(...waits))
    .map(([key, text, wait]) => (key === 'wait' ? `wait=${encodeURIComponent(wait)}` : `${key}=${text}`));
  return query.length === 0
    ? fc.constant('')
    : fc.array(one, { maxLength: 3 }).map((all) => (all.length === 0 ? '' : `?${all.join('&')}`));
}

function headersOf({ tokens, merchantKey, readKey }: Known): fc.Arbitrary<Record<string, string | string[]>> {
  const credentials = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.constantFrom(merchantKey, readKey, ...tokens).map((token) => `Bearer ${token}`),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        '',
        'Bearer',
        'Bearer ',
        `Basic ${MARK}`,
        `Bearer ${MARK}`,
        `Bearer cst_${MARK}.x`,
        `bearer  ${merchantKey}`,
        `Bearer ${merchantKey} ${merchantKey}`,
      ),
    },
    { weight: 1, arbitrary: headerText },
  );
  const key = fc.oneof(
    { weight: 6, arbitrary: fc.uuid() },
    {
      weight: 1,
      arbitrary: fc.constantFrom<string | string[]>('', 'x'.repeat(256), 'same', ['a', 'b'], 'ü'),
    },
    { weight: 1, arbitrary: headerText },
  );
  const strange = fc.dictionary(
    fc.constantFrom(
      'x-request-id',
      'traceparent',
      'x-forwarded-for',
      'x-forwarded-host',
      'x-http-method-override',
      'origin',
      'cookie',
      'accept',
      'accept-encoding',
      'content-encoding',
      'if-none-match',
      'range',
      'user-agent',
      'referer',
      'x-notification-secret',
      'access-control-request-method',
    ),
    fc.oneof(
      headerText,
      fc.constantFrom(
        'https://shop.example',
        'null',
        '00-00000000000000000000000000000000-0000000000000000-00',
        'br;q=0',
        'gzip',
        'bytes=0-',
        '*',
        '10.0.0.1, ::1, x',
      ),
    ),
    { maxKeys: 2 },
  );
  return fc
    .record({
      authorization: credentials,
      'idempotency-key': key,
      'content-type': fc.oneof(
        { weight: 8, arbitrary: fc.constant('application/json') },
        { weight: 2, arbitrary: fc.constantFrom(...types) },
      ),
      strange,
    })
    .map(({ strange: others, ...usual }) => ({ ...usual, ...others }));
}
