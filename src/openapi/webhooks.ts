import type { OpenAPIObject } from '@nestjs/swagger';
import { EVENT_TYPES, type EventType } from '../store/event-types.js';

type Schema = Record<string, unknown>;

/** What each event says, in a line; docs/webhooks.md has the rest. */
const SUMMARIES: Readonly<Record<EventType, string>> = {
  'payment.requires_action': 'The payer must do something. You need not act.',
  'payment.authorized': 'The money is held, not paid: complete or void the payment.',
  'payment.succeeded': 'Paid.',
  'payment.failed': 'Not paid. Another attempt may still pay the order.',
  'payment.canceled': 'Canceled while it waited.',
  'payment.expired': 'Its time ran out while it waited.',
  'payment.voided': 'Reversed.',
  'payment.duplicate': 'The order was paid a second time, by this payment.',
  'payment.needs_attention': 'A person has to look.',
  'payment.operation_refused': 'A completion or a void that was answered with 202 was not done.',
  'payment.refunded': 'Money was given back. `amountRefunded` is the total so far.',
  'payment.refund_failed': 'A refund was not done, or it came back.',
  'payment.disputed': 'The payer’s bank has taken the money back.',
  'payment.dispute_won': 'The dispute was won or withdrawn.',
  'payment.resolved': 'A person has said that another amount arrived.',
  'payment.approval_needed': 'A refund, or resolving the payment as paid, waits for a second person.',
  'checkout_session.paid': 'The order is paid.',
  'checkout_session.expired': 'Its time ran out unpaid.',
  'checkout_session.closed': 'Closed. `closedReason` says why.',
};

const schemaRef = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** `payment.dispute_won` → `PaymentDisputeWonEvent`. */
function schemaName(type: string): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}

function dataOf(type: EventType): Schema {
  if (type.startsWith('payment.')) return schemaRef('PaymentDto');
  return schemaRef('SessionData');
}

const HEADERS = [
  ['webhook-id', 'The event’s id. Handle each once.'],
  [
    'webhook-timestamp',
    'When it was sent, in seconds since 1970. Refuse one that is more than five minutes off.',
  ],
  ['webhook-signature', 'One or more of `v1,` and a signature, after the Standard Webhooks specification.'],
].map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}));

/**
 * Describes what is posted to the merchant's server: a webhook and a schema for each type, and `WebhookEvent`, which is any of
 * them. `event` is the schema of an event as it is listed.
 */
export function addWebhooks(
  document: OpenAPIObject,
  event: { properties?: Record<string, Schema>; required?: string[] } | undefined,
): void {
  const { type, data, delivery, ...head } = event?.properties ?? {};
  void [type, data, delivery];
  const kinds = [
    ...EVENT_TYPES.map((type) => ({ type, summary: SUMMARIES[type], data: dataOf(type) })),
    {
      type: 'tillfront.test',
      summary: 'Sent by `tillfront doctor`. Accept it, and do nothing.',
      data: { type: 'object', description: 'Empty.' },
    },
  ];
  const mapping = Object.fromEntries(
    kinds.map(({ type }) => [type, `#/components/schemas/${schemaName(type)}`]),
  );
  Object.assign(document.components?.schemas ?? {}, {
    EventHead: {
      type: 'object',
      required: (event?.required ?? []).filter((name) => name in head),
      properties: head,
    },
    ...Object.fromEntries(
      kinds.map(({ type, summary, data }) => [
        schemaName(type),
        {
          description: summary,
          allOf: [
            schemaRef('EventHead'),
            {
              type: 'object',
              required: ['type', 'data'],
              properties: { type: { type: 'string', const: type }, data },
            },
          ],
        },
      ]),
    ),
    WebhookEvent: {
      description:
        'An event as it is posted to your server. More types may come: answer 2xx to those that you do not know.',
      discriminator: { propertyName: 'type', mapping },
      oneOf: kinds.map(({ type }) => schemaRef(schemaName(type))),
    },
  });
  document.webhooks = Object.fromEntries(
    kinds.map(({ type, summary }) => [
      type,
      {
        post: {
          operationId: `webhooks.${type}`,
          tags: ['events'],
          summary,
          // The signature proves it.
          security: [],
          parameters: HEADERS,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaRef(schemaName(type)) } },
          },
          responses: {
            '2XX': {
              description: 'Accepted. Any other answer is tried again for 72 hours; 410 ends the event.',
            },
          },
        },
      },
    ]),
  ) as NonNullable<OpenAPIObject['webhooks']>;
}
