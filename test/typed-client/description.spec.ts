import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { problemCodes } from '../../src/http/problems/problem.js';
import { EVENT_TYPES } from '../../src/store/event-types.js';

interface Media {
  schema?: object;
  examples?: Record<string, { value: unknown }>;
}
interface Operation {
  operationId: string;
  tags: string[];
  summary?: string;
  description?: string;
  security?: Record<string, unknown>[];
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { $ref?: string; description?: string; content?: Record<string, Media> }>;
}
interface Document {
  openapi: string;
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: {
    schemas: Record<string, { properties?: Record<string, { enum?: string[] }> }>;
    securitySchemes: Record<string, unknown>;
    responses: Record<string, { content: Record<string, Media> }>;
  };
}

const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Document;
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ call: `${method.toUpperCase()} ${path}`, operation })),
);

/** What the service promises, with who may call it: M a merchant key, C a client token, – anybody. */
const CALLS: Record<string, string> = {
  'POST /v1/checkout-sessions': 'M',
  'GET /v1/checkout-sessions': 'M',
  'GET /v1/checkout-sessions/{id}': 'M',
  'POST /v1/checkout-sessions/{id}/close': 'M',
  'POST /v1/checkout-sessions/{id}/redact': 'M',
  'GET /v1/checkout-session': 'C',
  'POST /v1/payments/card': 'C',
  'POST /v1/payments/wallet': 'C',
  'POST /v1/payments/transfer': 'C',
  'POST /v1/payments/ussd': 'C',
  'GET /v1/ussd/banks': 'C',
  'POST /v1/payments/{id}/otp': 'C',
  'POST /v1/payments/{id}/pin': 'C',
  'POST /v1/payments/{id}/cancel': 'CM',
  'GET /v1/payments/{id}': 'CM',
  'GET /v1/payments': 'M',
  'GET /v1/payments/{id}/events': 'M',
  'POST /v1/payments/{id}/complete': 'M',
  'POST /v1/payments/{id}/void': 'M',
  'POST /v1/payments/{id}/refunds': 'M',
  'GET /v1/payments/{id}/refunds': 'M',
  'POST /v1/payments/{id}/resolve': 'M',
  'POST /v1/payments/{id}/refresh': 'M',
  'GET /v1/payments/{id}/return/{token}': '–',
  'POST /v1/payments/{id}/return/{token}': '–',
  'GET /v1/audit': 'M',
  'POST /v1/payments/search': 'M',
  'POST /v1/console/sign-ins': 'M',
  'GET /v1/events': 'M',
  'GET /v1/approvals': 'M',
  'POST /v1/approvals/{id}/approve': 'M',
  'POST /v1/approvals/{id}/decline': 'M',
  'POST /v1/events/{id}/redeliver': 'M',
  'GET /v1/card-encryption-key': '–',
  'GET /v1/gateway/notifications': '–',
  'POST /v1/gateway/notifications': '–',
  'GET /v1/gateway/notifications/{secret}': '–',
  'POST /v1/gateway/notifications/{secret}': '–',
  'GET /health/live': '–',
  'GET /health/ready': '–',
  'GET /metrics': '–',
};

/** Those that move money or state, and can be tried again without doing so twice. */
const KEYED =
  /^POST \/v1\/(?:approvals\/\{id\}\/(?:approve|decline)|checkout-sessions(?:\/\{id\}\/(?:close|redact))?|payments\/(?:card|wallet|transfer|ussd|\{id\}\/(?:otp|pin|cancel|complete|void|refunds|resolve)))$/;

test('has every call, and who may make it', () => {
  expect(document.openapi).toMatch(/^3\.1\./);
  const described = operations.map(({ call, operation }) => {
    const schemes = (operation.security ?? []).flatMap((entry) => Object.keys(entry));
    const letters = [
      ...(schemes.includes('clientToken') ? ['C'] : []),
      ...(schemes.includes('merchantKey') ? ['M'] : []),
    ];
    return [call, letters.join('') || '–'];
  });
  expect(Object.fromEntries(described)).toEqual(CALLS);
  expect(Object.keys(document.components.securitySchemes).sort()).toEqual([
    'clientToken',
    'merchantKey',
    'returnToken',
  ]);
});

test.each(operations)('$call says what it does, by a name of its own', ({ call, operation }) => {
  expect(operation.summary ?? operation.description ?? '').not.toBe('');
  expect(operations.filter((other) => other.operation.operationId === operation.operationId)).toHaveLength(1);
  const key = (operation.parameters ?? []).some(({ name }) => name === 'Idempotency-Key');
  expect(key).toBe(KEYED.test(call));
});

test('every tag is described, and every call has one of them', () => {
  const used = new Set(operations.flatMap(({ operation }) => operation.tags));
  expect(document.tags.map(({ name }) => name).sort()).toEqual([...used].sort());
  for (const { name, description = '' } of document.tags) expect([name, description]).not.toEqual([name, '']);
  for (const { call, operation } of operations) expect([call, operation.tags.length]).toEqual([call, 1]);
});

test('every call that needs a credential can answer 401, and every one can fail', () => {
  for (const { call, operation } of operations) {
    if (!call.includes(' /v1/')) continue;
    const statuses = Object.keys(operation.responses);
    if ((operation.security ?? []).length > 0)
      expect([call, statuses]).toEqual([call, expect.arrayContaining(['401', '403'])]);
    expect([call, statuses]).toEqual([call, expect.arrayContaining(['503'])]);
  }
});

test('every event is a webhook, whose schema names its type', () => {
  expect(Object.keys(document.webhooks)).toEqual([...EVENT_TYPES]);
  const { PaymentEvent, SessionEvent } = document.components.schemas;
  const types = [PaymentEvent, SessionEvent].flatMap((event) => event?.properties?.['type']?.enum ?? []);
  expect(types.sort()).toEqual([...EVENT_TYPES].sort());
});

test('every problem code is in the description', () => {
  expect(document.components.schemas['Problem']?.properties?.['code']?.enum).toEqual(
    [...problemCodes].sort(),
  );
});

test('numbers are whole, and nothing is said of a token or a text that is not so', () => {
  const untrue = /"type":(?:"number"|\["number")|"bearerFormat"|"maxLength":32768/g;
  expect(JSON.stringify(document).match(untrue)).toBeNull();
});
