import type { OpenAPIObject } from '@nestjs/swagger';
import type { NextActionDescription } from '../methods/method-descriptor.js';
import { METHODS } from '../methods/methods.js';
import { exampleRequests, exampleResponses } from './examples.js';
import { namedExamples } from './named-examples.js';
import { plainPaths } from './plain-paths.js';
import { responseName } from './problems.js';
import { PROBLEM_MEDIA_TYPE } from '../http/problems/problem-reply.js';
import { problemCodes, problemStatus, problemTitle, problemType } from '../http/problems/problem.js';

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
  const schemas = document.components?.schemas as Record<string, { properties?: Record<string, Schema> }>;
  setProperty(schemas['PaymentDto'], 'nextAction', {
    anyOf: [{ $ref: '#/components/schemas/NextAction' }, { type: 'null' }],
  });
  setProperty(schemas['EventDto'], 'data', {
    description:
      'Its state at that moment: the payment, for `payment.…`; the session without payer, token and address, for `checkout_session.…`.',
    anyOf: [{ $ref: '#/components/schemas/PaymentDto' }, { $ref: '#/components/schemas/SessionData' }],
  });
  const session = schemas['MerchantSessionDto'];
  Object.assign(schemas, { NextAction: nextAction, SessionData: sessionData(session) });
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
