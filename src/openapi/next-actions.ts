import type { OpenAPIObject } from '@nestjs/swagger';
import { METHODS } from '../methods/methods.js';

interface ObjectSchema {
  required?: string[];
  properties?: Record<string, object>;
}

/** The forms of a next action, by `type`, and of an event's `data`. */
export function addNextActions(document: OpenAPIObject): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, ObjectSchema>;
  const actions = new Set(METHODS.flatMap(({ nextActions }) => nextActions));
  const NextAction = {
    description: 'What the payer must do next. Expect new types: treat one that you do not know as waiting.',
    discriminator: { propertyName: 'type' },
    oneOf: [...actions].map(({ type, description, properties, required }) => ({
      ...{ type: 'object', title: type, description, required: ['type', ...required] },
      properties: { type: { type: 'string', const: type }, ...properties },
    })),
  };
  const {
    payer: _,
    clientToken: _t,
    checkoutUrl: _u,
    payments: _p,
    ...properties
  } = schemas['MerchantSessionDto']?.properties ?? {};
  const SessionData = { type: 'object', required: Object.keys(properties), properties };
  Object.assign(schemas, { NextAction, SessionData });
  Object.assign(schemas['PaymentDto']?.properties ?? {}, {
    nextAction: { anyOf: [{ $ref: '#/components/schemas/NextAction' }, { type: 'null' }] },
  });
  Object.assign(schemas['EventDto']?.properties ?? {}, {
    data: {
      description: 'The payment, or the session without payer and token, as it then was.',
      anyOf: ['PaymentDto', 'SessionData'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
    },
  });
}
