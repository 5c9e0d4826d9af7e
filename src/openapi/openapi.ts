import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { packageVersion } from '../config/package-version.js';
import { PAYMENT_METHODS } from '../config/payment-method.js';
import { EVENT_TYPES } from '../store/event-types.js';
import {
  CLOSED_REASONS,
  APPROVAL_KINDS,
  APPROVAL_STATES,
  DELIVERY_STATUSES,
  FAILURE_CODES,
  OPERATION_TYPES,
  PAYMENT_STATUSES,
  RECORDED_METHODS,
  SESSION_STATUSES,
  TIMELINE_TYPES,
} from '../store/schema.js';
import { problemCodes } from '../http/problems/problem.js';
import { problemResponses, problemSchemas, responseName } from './problems.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

export interface ApiInfo {
  /** The version of the software; that of the package if absent. */
  readonly version?: string;
  /** Where the API is served; the place of the description if absent. */
  readonly serverUrl?: string;
  /** Adds what controllers and DTOs cannot say by themselves. */
  readonly details?: (document: OpenAPIObject) => void;
}

/**
 * Describes the application's API as OpenAPI 3.1: what the controllers and DTOs say, and what holds for all calls: credentials
 * by their guards, and the problems that each call can answer with.
 */
export function buildOpenApi(app: INestApplication, info: ApiInfo = {}): OpenAPIObject {
  const base = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Tillfront')
    .setDescription(
      'The merchant’s side of a payment gateway: checkout sessions, payments and events. ' +
        'Within v1 fields are only added; ignore what you do not know.',
    )
    .setVersion(info.version ?? packageVersion())
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer(info.serverUrl ?? '/')
    .addTag('browser', 'The payer’s browser calls these with the client token of its session.')
    .addTag('sessions', 'The merchant’s server creates, lists, closes and redacts checkout sessions.')
    .addTag(
      'payments',
      'Lists payments, follows one, and decides on it: code, PIN, completion, void, resolve.',
    )
    .addTag('refunds', 'Gives back all or part of a paid payment.')
    .addTag('events', 'What happened, in one order. The same events are posted to the merchant’s server.')
    .addTag('approvals', 'What waits for a second person, above `APPROVAL_ABOVE`.')
    .addTag('audit', 'Who did what with a merchant key. Signing in to the console is an entry too.')
    .addTag('gateway', 'The gateway calls these, and so do payers whom it sends back.')
    .addTag('machines', 'Balancers, orchestrators and Prometheus call these.')
    // not by `addBearerAuth`, which says of every bearer that it is a JWT
    .addSecurity('merchantKey', {
      type: 'http',
      scheme: 'bearer',
      description:
        'A merchant key. A read key is enough for calls that only read, and so is a key for the books, which sees payer data masked.',
    })
    .addSecurity('clientToken', {
      type: 'http',
      scheme: 'bearer',
      description: 'The client token (`cst_…`) of one checkout session.',
    })
    .addSecurity('returnToken', {
      type: 'http',
      scheme: 'bearer',
      description:
        'The token with which a payer comes back from the bank (`crt_…`). It shows one payment for 15 minutes, without `nextAction`, `card` and `metadata`.',
    })
    .build();
  const document = SwaggerModule.createDocument(app, base, { operationIdFactory: operationId });
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation) completeOperation(operation, path, method);
    }
  }
  const components = document.components ?? {};
  document.components = {
    ...components,
    schemas: { ...components.schemas, ...problemSchemas },
    responses: { ...components.responses, ...problemResponses },
  };
  info.details?.(document);
  orderWords(document);
  stateLimits(document);
  return document;
}

function completeOperation(
  operation: Operation,
  path: string,
  method: (typeof METHODS)[number],
): void {
  operation.security ??= [];
  const headers = (operation.parameters ?? []).flatMap((parameter) =>
    'in' in parameter && parameter.in === 'header' ? [parameter.name] : [],
  );
  const secured = operation.security.length > 0;
  const withBody = operation.requestBody !== undefined;
  const idempotent = headers.includes('Idempotency-Key');
  // What any server can answer is not repeated at each call.
  const applying: readonly (readonly [status: number, applies: boolean])[] = [
    [400, true],
    [401, secured],
    [403, true],
    // Its path names something that may not be there, or it goes on after an event that was removed.
    [404, path.includes('{') || path === '/v1/events'],
    [409, method !== 'get'],
    [413, withBody],
    [415, withBody],
    [422, idempotent],
    // Payments are counted by address, and wrong keys are.
    [429, secured],
    [500, true],
    [502, idempotent],
    [503, true],
  ];
  const problems = Object.fromEntries(
    applying
      .filter(([, applies]) => applies)
      .map(([status]) => [String(status), { $ref: `#/components/responses/${responseName(status)}` }]),
  );
  operation.responses = { ...operation.responses, ...problems };
}

/** `PaymentsController.list` → `payments.list`. */
function operationId(controller: string, method: string): string {
  const name = controller.replace(/Controller$/, '');
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}.${method}`;
}

const LISTS: readonly (readonly string[])[] = [
  PAYMENT_METHODS,
  RECORDED_METHODS,
  PAYMENT_STATUSES,
  SESSION_STATUSES,
  CLOSED_REASONS,
  OPERATION_TYPES,
  FAILURE_CODES,
  TIMELINE_TYPES,
  EVENT_TYPES,
  DELIVERY_STATUSES,
  APPROVAL_KINDS,
  APPROVAL_STATES,
  problemCodes,
];

/**
 * Puts the words of every enumeration into the order of the list that they are from. The compiler hands them over in an
 * order of its own, which changes with code that has nothing to do with them.
 */
function orderWords(document: OpenAPIObject): void {
  eachText(document.paths);
  eachText(document.components);
}

function eachText(part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  for (const [name, inner] of Object.entries(part)) {
    if (name === 'enum' && Array.isArray(inner)) inner.sort(inListOrder(inner));
    else eachText(inner);
  }
}

function inListOrder(words: readonly unknown[]): (one: unknown, other: unknown) => number {
  const list: readonly unknown[] =
    LISTS.find((known) => words.every((word) => word === null || known.some((w) => w === word))) ?? [];
  const place = (word: unknown): number => (word === null ? Infinity : list.indexOf(word));
  return (one, other) => place(one) - place(other);
}

/** The largest number of the format `int32`. */
const MAX_INTEGER = 2_147_483_647;

const GRANT = {
  description: 'The caller’s origin, if it is an allowed one.',
  schema: { type: 'string', format: 'uri' },
};

/** A part of the description as it is written. */
type Part = Record<string, unknown>;

/**
 * Says of every number that it is a whole one (money is text, so what is left counts something), of a list of different words how
 * long it can be, and of every answer that it may carry a grant for the caller's origin.
 */
function stateLimits(document: OpenAPIObject): void {
  for (const server of document.servers ?? []) (server as unknown as Part)['x-internal'] = false;
  completeParts(document.paths);
  completeParts(document.components);
}

function completeParts(part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  if (Array.isArray(part)) {
    for (const inner of part) completeParts(inner);
    return;
  }
  const record = part as Part;
  limitSchema(record);
  for (const [name, inner] of Object.entries(record)) {
    // What stands in an example is no schema.
    if (name === 'example' || name === 'examples') continue;
    if (name === 'responses') grantAll(inner as Record<string, Part>);
    completeParts(inner);
  }
}

function limitSchema(schema: Part): void {
  const { type } = schema;
  if (type === 'number') schema['type'] = 'integer';
  if (Array.isArray(type))
    schema['type'] = type.map((one) => (one === 'number' ? 'integer' : (one as string)));
  const types = [schema['type']].flat();
  const words = types.includes('array') ? differentWords(schema) : undefined;
  if (words !== undefined) schema['maxItems'] ??= words;
  if (types.includes('integer')) {
    schema['format'] ??= 'int32';
    schema['minimum'] ??= 0;
    schema['maximum'] ??= MAX_INTEGER;
  }
}

/** A list of different words holds at most as many as there are. */
function differentWords({ uniqueItems, items }: Part): number | undefined {
  return uniqueItems === true ? (items as { enum?: unknown[] } | undefined)?.enum?.length : undefined;
}

function grantAll(answers: Record<string, Part>): void {
  for (const answer of Object.values(answers)) {
    if ('$ref' in answer) continue;
    answer['headers'] = { ...(answer['headers'] as Part | undefined), 'Access-Control-Allow-Origin': GRANT };
  }
}
