import type { OpenAPIObject } from '@nestjs/swagger';
import type { NextActionDescription } from '../methods/method-descriptor.js';
import { METHODS } from '../methods/methods.js';
import { problemCodes, problemStatus, problemTitle, problemType, PROBLEM_MEDIA_TYPE } from '../http/problems/problem.js';
import { exampleRequests, exampleResponses } from './examples.js';
import { namedExamples } from './named-examples.js';
import { responseName } from './problems.js';
import { addWebhooks } from './webhooks.js';

type Schema = Record<string, unknown>;
type Media = { example?: unknown; examples?: Record<string, unknown> };
type Content = Record<string, Media>;
type Response = { content?: Content; description?: string };
type Operation = {
  operationId?: string;
  requestBody?: { content?: Content };
  responses?: Record<string, Response>;
};

const HTTP_METHODS = ['get', 'post'] as const;

/** What a payer must do next, by its `type`. */
const nextAction: Schema = {
  description: 'What the payer must do next. More types may come: treat one that you do not know as waiting.',
  discriminator: { propertyName: 'type' },
  oneOf: METHODS.flatMap((method) => method.nextActions)
    .filter((action, index, all) => all.indexOf(action) === index)
    .map(actionSchema),
};

function actionSchema({ type, description, properties, required }: NextActionDescription): Schema {
  return {
    type: 'object',
    title: type,
    description,
    required: ['type', ...required],
    properties: { type: { type: 'string', const: type }, ...properties },
  };
}

/**
 * Adds what controllers and DTOs cannot say by themselves: the forms of a next action and of an event's data, an example of every body,
 * and the addresses that are not called by merchants or browsers' code.
 */
export function addDetails(document: OpenAPIObject): void {
  const schemas = document.components?.schemas as Record<
    string,
    { properties?: Record<string, Schema>; required?: string[] }
  >;
  setProperty(schemas['PaymentDto'], 'nextAction', {
    anyOf: [{ $ref: '#/components/schemas/NextAction' }, { type: 'null' }],
  });
  setProperty(schemas['EventDto'], 'data', {
    description:
      'Its state at that moment: the payment, for `payment.…`; the session without payer, token and address, for `checkout_session.…`.',
    anyOf: ['PaymentDto', 'SessionData'].map((name) => ({
      $ref: `#/components/schemas/${name}`,
    })),
  });
  const session = schemas['MerchantSessionDto'];
  Object.assign(schemas, { NextAction: nextAction, SessionData: sessionData(session) });
  addWebhooks(document, schemas['EventDto']);
  for (const item of Object.values(document.paths)) {
    for (const method of HTTP_METHODS) addExamples(item[method] as Operation | undefined);
  }
  addProblemExamples((document.components?.responses ?? {}) as Record<string, Response>);
  Object.assign(document.paths, plainPaths);
}

function setProperty(
  schema: { properties?: Record<string, Schema> } | undefined,
  name: string,
  property: Schema,
): void {
  if (schema?.properties) schema.properties[name] = property;
}

/** A session as events show it: what the merchant sees of it, less what only belongs to the merchant and the browser. */
function sessionData(session: { properties?: Record<string, Schema> } | undefined): Schema {
  const { payer, clientToken, checkoutUrl, payments, ...properties } = session?.properties ?? {};
  void [payer, clientToken, checkoutUrl, payments];
  return { type: 'object', required: Object.keys(properties), properties };
}

function addExamples(operation: Operation | undefined): void {
  const id = operation?.operationId;
  if (!operation || id === undefined) return;
  const request = operation.requestBody?.content?.['application/json'];
  if (request) request.examples = namedExamples(exampleRequests[id] ?? {});
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    const body = response.content?.['application/json'];
    if (body)
      body.examples ??= namedExamples(exampleResponses[id]?.[status] ?? exampleResponses[id]?.['any'] ?? {});
  }
}

function addProblemExamples(responses: Record<string, Response>): void {
  for (const code of problemCodes) {
    const status = problemStatus(code);
    const media = responses[responseName(status)]?.content?.[PROBLEM_MEDIA_TYPE];
    if (!media) continue;
    media.examples = {
      ...media.examples,
      [code]: {
        value: {
          type: problemType(code),
          title: problemTitle(code),
          status,
          detail: `${problemTitle(code)}.`,
          instance: '/v1/payments/card',
          code,
          requestId: '4bf92f3577b34da6a3ce929d0e0e4736',
          ...(code === 'validation-failed' && {
            errors: [{ pointer: '/card/number', message: 'must be a card number' }],
          }),
        },
      },
    };
  }
}

const answer = (description: string, type: string, schema: object, value: unknown): object => ({
  description,
  content: { [type]: { schema, examples: { answer: { value } } } },
});

const statusOf = (word: string): object => ({
  type: 'object',
  required: ['status'],
  properties: { status: { type: 'string', examples: [word] } },
});

const NOT_READY = {
  type: 'object',
  required: ['status'],
  properties: {
    status: { type: 'string', examples: ['not-ready'] },
    reason: { type: 'string', enum: ['stopping', 'store', 'clock'] },
    detail: { type: 'string', description: 'For a person.' },
  },
};

const problem = (status: number): object => ({ $ref: `#/components/responses/Problem${status}` });

const comeBack = (operationId: string, extra: object = {}): object => ({
  operationId,
  tags: ['gateway'],
  summary: 'Where banks and wallets send the payer back to.',
  description:
    'The gateway is asked (at most 5 s), then the payer is sent on to the session’s `returnUrl`, or to the checkout page, with `payment` and `status` added. Nothing in the call proves a payment.',
  security: [],
  parameters: ['id', 'token'].map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  })),
  responses: {
    '303': {
      description: 'On to the shop.',
      headers: { Location: { schema: { type: 'string', format: 'uri' } } },
    },
    '404': problem(404),
    '503': problem(503),
  },
  ...extra,
});

const notify = (operationId: string, parameters: readonly object[]): object => ({
  operationId,
  tags: ['gateway'],
  summary: 'Where the gateway sends its notifications.',
  description:
    'Any media type, up to 256 KiB. Its content moves nothing: it only makes the service ask the gateway. With `NOTIFICATION_SECRET` set it must carry the secret: as `Authorization: Bearer`, as `x-notification-secret`, as the last segment of the path, or as the key of the signature that the profile names.',
  security: [],
  parameters,
  requestBody: { required: false, content: { '*/*': { schema: {} } } },
  responses: {
    '200': answer(
      'Stored.',
      'application/json',
      { type: 'object', required: ['received'], properties: { received: { type: 'boolean', const: true } } },
      { received: true },
    ),
    '401': problem(401),
    '413': problem(413),
    '503': problem(503),
  },
});

const form = { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } };

/** Addresses for the gateway and for machines, which are no part of what merchants and browsers program against. */
const plainPaths: OpenAPIObject['paths'] = {
  '/v1/payments/{id}/return/{token}': {
    get: comeBack('return.get'),
    post: comeBack('return.post', { requestBody: { required: false, content: form } }),
  },
  '/v1/gateway/notifications': { post: notify('notifications.take', []) },
  '/v1/gateway/notifications/{secret}': {
    post: notify('notifications.takeBySecretAddress', [
      { name: 'secret', in: 'path', required: true, schema: { type: 'string' } },
    ]),
  },
  '/health/live': {
    get: {
      operationId: 'health.live',
      tags: ['machines'],
      summary: 'Whether the process answers. Moves to `MANAGEMENT_PORT` where that is set.',
      security: [],
      responses: { '200': answer('It does.', 'application/json', statusOf('live'), { status: 'live' }) },
    },
  },
  '/health/ready': {
    get: {
      operationId: 'health.ready',
      tags: ['machines'],
      summary: 'Whether it may get requests. Moves to `MANAGEMENT_PORT` where that is set.',
      security: [],
      responses: {
        '200': answer('It may.', 'application/json', statusOf('ready'), { status: 'ready' }),
        '503': answer('Not now, and why.', 'application/json', NOT_READY, {
          status: 'not-ready',
          reason: 'store',
        }),
      },
    },
  },
  '/metrics': {
    get: {
      operationId: 'metrics.scrape',
      tags: ['machines'],
      summary:
        'Metrics for Prometheus. Moves to `MANAGEMENT_PORT` where that is set; without it, production’s rules ask for a merchant key.',
      security: [],
      responses: {
        '200': answer(
          'In the text format.',
          'text/plain',
          { type: 'string' },
          'tillfront_events_waiting 0\n',
        ),
        '404': problem(404),
      },
    },
  },
} as OpenAPIObject['paths'];
