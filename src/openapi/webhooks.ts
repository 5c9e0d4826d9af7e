import type { OpenAPIObject } from '@nestjs/swagger';
import { PAYMENT_EVENTS, SESSION_EVENTS } from '../payments/core/input.js';

const EVENT_TYPES = [
  ...PAYMENT_EVENTS.map((name) => `payment.${name}`),
  ...SESSION_EVENTS.map((name) => `checkout_session.${name}`),
];

const HEADERS = {
  'webhook-id': 'The event’s id. Handle each id once.',
  'webhook-timestamp': 'Seconds since 1970. Refuse a time more than five minutes off.',
  'webhook-signature': 'One or more of `v1,` and a signature (Standard Webhooks).',
};

const schemaOf = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

/** Describes what is posted to the merchant's server: one webhook a type, and `WebhookEvent`, which is any of them. */
export function addWebhooks(document: OpenAPIObject): void {
  const schemas = (document.components?.schemas ?? {}) as Record<
    string,
    { required?: string[]; properties?: object }
  >;
  const { delivery: _, ...head } = (schemas['EventDto']?.properties ?? {}) as Record<string, object>;
  const required = schemas['EventDto']?.required?.filter((name) => name !== 'delivery');
  const event = (kind: string, data: string): object => {
    const types = EVENT_TYPES.filter((type) => type.startsWith(kind));
    const properties = { ...head, type: { type: 'string', enum: types }, data: schemaOf(data) };
    return { type: 'object', required, properties };
  };
  Object.assign(schemas, {
    PaymentEvent: event('payment.', 'PaymentDto'),
    SessionEvent: event('checkout_session.', 'SessionEventDto'),
    WebhookEvent: {
      description:
        'An event as your server gets it. Expect new types: answer 2xx to those that you do not know.',
      oneOf: ['PaymentEvent', 'SessionEvent'].map(schemaOf),
    },
  });
  const parameters = Object.entries(HEADERS).map(([name, description]) => ({
    ...{ name, in: 'header', required: true, description, schema: { type: 'string' } },
  }));
  document.webhooks = Object.fromEntries(
    EVENT_TYPES.map((type) => {
      const schema = schemaOf(type.startsWith('payment.') ? 'PaymentEvent' : 'SessionEvent');
      const post = {
        ...{
          operationId: `webhooks.${type}`,
          tags: ['events'],
          summary: summaryOf(type),
          security: [],
          parameters,
        },
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: {
          '2XX': { description: 'Accepted. Any other answer is retried for 72 hours; 410 ends it.' },
        },
      };
      return [type, { post }];
    }),
  ) as NonNullable<OpenAPIObject['webhooks']>;
}

/** `payment.refund_failed` → `Payment: refund failed`. docs/webhooks.md says what each means. */
function summaryOf(type: string): string {
  const words = type.replace('.', ': ').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
