import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { packageVersion } from '../config/package-version.js';
import { controllerRoutes } from '../http/server/controller-routes.js';
import { stateLimits } from './limits.js';
import { orderWords } from './words.js';
import { problemResponses, problemSchemas, problemsOf } from './problems.js';
import type { DescribedGuard, SecurityScheme } from '../http/server/described-guard.js';

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
    .addTag(
      'settlements',
      'Compares the gateway’s settlement reports with the payments here and the shop’s orders.',
    )
    .addTag('reports', 'Sums and tables of payments.')
    .addTag('audit', 'Who did what with a merchant key. Signing in to the console is an entry too.')
    .addTag('gateway', 'The gateway calls these, and so do payers whom it sends back.')
    .addTag('machines', 'Balancers, orchestrators and Prometheus call these.')
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        description: 'A merchant key. A read key is enough for calls that only read.',
      },
      'merchantKey',
    )
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', description: 'The client token (`cst_…`) of one checkout session.' },
      'clientToken',
    )
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        description:
          'The token with which a payer comes back from the bank (`crt_…`). It shows one payment for 15 minutes, without `nextAction`, `card` and `metadata`.',
      },
      'returnToken',
    )
    .build();
  const security = securityByOperation(app);
  const document = SwaggerModule.createDocument(app, base, { operationIdFactory: operationId });
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation)
        completeOperation(operation, path, method, security.get(operation.operationId ?? '') ?? []);
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
  security: readonly SecurityScheme[],
): void {
  operation.security ??= security.map((scheme) => ({ [scheme]: [] }));
  const headers = (operation.parameters ?? []).flatMap((parameter) =>
    'in' in parameter && parameter.in === 'header' ? [parameter.name] : [],
  );
  const problems = problemsOf({
    secured: operation.security.length > 0,
    named: path.includes('{'),
    withBody: operation.requestBody !== undefined,
    changing: method !== 'get',
    idempotent: headers.includes('Idempotency-Key'),
    // Payments are counted by address, and wrong keys are.
    limited: operation.security.length > 0,
  });
  operation.responses = { ...operation.responses, ...problems };
}

/** `PaymentsController.list` → `payments.list`. */
function operationId(controller: string, method: string): string {
  const name = controller.replace(/Controller$/, '');
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}.${method}`;
}

function securityByOperation(app: INestApplication): Map<string, readonly SecurityScheme[]> {
  const found = new Map<string, readonly SecurityScheme[]>();
  for (const { controller, name, guards } of controllerRoutes(app)) {
    const security = (guards as readonly DescribedGuard[]).flatMap((guard) => guard.apiSecurity ?? []);
    if (security.length > 0) found.set(operationId(controller.name, name), security);
  }
  return found;
}
