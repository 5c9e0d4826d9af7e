import { beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { problemCodes } from '../../src/http/problems/problem.js';
import { EVENT_TYPES } from '../../src/store/event-types.js';
import { TEST_EVENT_TYPE } from '../../src/merchant-webhooks/event.js';
import { PAYMENT_STATUSES, SESSION_STATUSES, TIMELINE_TYPES } from '../../src/store/schema.js';

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
  'POST /v1/gateway/notifications': '–',
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

describe('every body has examples that are what the description says:', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  beforeAll(() => {
    ajv.addSchema(document, 'openapi');
  });

  const bodies = operations.flatMap(({ call, operation }) => [
    ...Object.entries(operation.requestBody?.content ?? {}).map(([type, media]) => ({
      where: `${call}, request, ${type}`,
      media,
    })),
    ...Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
      Object.entries(content).map(([type, media]) => ({ where: `${call}, ${status}, ${type}`, media })),
    ),
  ]);
  const problems = Object.entries(document.components.responses).flatMap(([name, { content }]) =>
    Object.entries(content).map(([type, media]) => ({ where: `${name}, ${type}`, media })),
  );

  test.each([...bodies, ...problems].filter(({ where }) => /json$/.test(where)))('$where', ({ media }) => {
    const examples = Object.entries(media.examples ?? {});
    expect(examples.length).toBeGreaterThan(0);
    // References are meant from the document's root.
    const schema = JSON.parse(JSON.stringify(media.schema).replaceAll('"#/', '"openapi#/')) as object;
    const validate = ajv.compile(schema);
    for (const [name, { value }] of examples) {
      const fits = validate(value);
      expect({ name, errors: fits ? [] : validate.errors }).toEqual({ name, errors: [] });
      expect({ name, surplus: surplus(value, media.schema ?? {}) }).toEqual({ name, surplus: [] });
    }
  });

  /** Members of an object example that its schema does not know: a form never refuses them, a reader would be misled. */
  function surplus(value: unknown, schema: object): string[] {
    const { $ref } = schema as { $ref?: string };
    const name = $ref?.split('/').at(-1);
    const known =
      name &&
      (document.components as unknown as { schemas: Record<string, { properties?: object }> }).schemas[name];
    if (!known || typeof value !== 'object' || value === null) return [];
    return Object.keys(value).filter((member) => !(member in (known.properties ?? {})));
  }

  test('every problem code has one', () => {
    const named = problems.flatMap(({ media }) => Object.keys(media.examples ?? {}));
    expect(named.sort()).toEqual([...problemCodes].sort());
  });
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

test('words stand in the order of their list, whatever order the compiler has them in', () => {
  const words = (schema: string, property: string): unknown => {
    const { properties } = document.components.schemas[schema] ?? {};
    return properties?.[property]?.enum;
  };
  expect(words('PaymentDto', 'status')).toEqual(PAYMENT_STATUSES);
  expect(words('BrowserSessionDto', 'status')).toEqual(SESSION_STATUSES);
  expect(words('TimelineEntryDto', 'type')).toEqual(TIMELINE_TYPES);
  expect(words('EventDto', 'type')).toEqual(EVENT_TYPES);
});

test('every event is a webhook with a schema that takes its type alone', () => {
  const types = [...EVENT_TYPES, TEST_EVENT_TYPE];
  expect(Object.keys(document.webhooks)).toEqual(types);
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'openapi');
  const { WebhookEvent } = document.components.schemas as unknown as Record<
    string,
    { discriminator: { mapping: Record<string, string> } }
  >;
  const head = {
    id: 'evt_1',
    apiVersion: 'v1',
    livemode: false,
    timestamp: '2031-01-01T00:00:00Z',
    sequence: 1,
  };
  for (const type of types) {
    const { $ref } = document.webhooks[type]?.post.requestBody?.content['application/json']?.schema as {
      $ref: string;
    };
    expect(WebhookEvent?.discriminator.mapping[type]).toBe($ref);
    const validate = ajv.compile({ $ref: `openapi${$ref}` });
    const told = types.filter((other) => {
      validate({ ...head, type: other, data: {} });
      return !validate.errors?.some(({ keyword }) => keyword === 'const');
    });
    expect(told).toEqual([type]);
  }
});

test('numbers are whole, and nothing is said of a token or a text that is not so', () => {
  const untrue = /"type":(?:"number"|\["number")|"bearerFormat"|"maxLength":32768/g;
  expect(JSON.stringify(document).match(untrue)).toBeNull();
});
