import type { OpenAPIObject } from '@nestjs/swagger';

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
export const plainPaths: OpenAPIObject['paths'] = {
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
