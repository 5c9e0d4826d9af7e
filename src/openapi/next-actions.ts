import type { OpenAPIObject } from '@nestjs/swagger';
import { NEXT_ACTIONS } from '../methods/next-actions.js';

interface ObjectSchema {
  required?: string[];
  properties?: Record<string, object>;
}

/** The forms of a next action, by `type`, and of an event's `data`. */
export function addNextActions(document: OpenAPIObject): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, ObjectSchema>;
  const NextAction = {
    description: 'What the payer must do next. Expect new types: treat one that you do not know as waiting.',
    discriminator: { propertyName: 'type' },
    oneOf: NEXT_ACTIONS.map(({ type, description, properties, required }) => ({
      ...{ type: 'object', title: type, description, required: ['type', ...required] },
      properties: { type: { type: 'string', const: type }, ...properties },
    })),
  };
  Object.assign(schemas, { NextAction });
  for (const name of ['PaymentDto', 'BrowserPaymentDto'])
    Object.assign(schemas[name]?.properties ?? {}, {
      nextAction: { anyOf: [{ $ref: '#/components/schemas/NextAction' }, { type: 'null' }] },
    });
  Object.assign(schemas['EventDto']?.properties ?? {}, {
    data: {
      description: 'The payment, or the session without payer and token, as it then was.',
      anyOf: ['PaymentDto', 'SessionEventDto'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
    },
  });
}
