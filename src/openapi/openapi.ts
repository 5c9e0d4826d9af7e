import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { packageVersion } from '../config/package-version.js';
import { SessionEventDto } from '../payments/core/payment.dto.js';
import { addNextActions } from './next-actions.js';
import { addProblems } from './problems.js';
import { addWebhooks } from './webhooks.js';

const TAGS = {
  browser: 'Called by the payer’s browser with the session’s client token.',
  sessions: 'Create, list, close and redact checkout sessions.',
  payments: 'List and follow payments, and act on them.',
  approvals: 'Refunds above `APPROVAL_ABOVE` that wait for a second person.',
  accounting: 'The ledger, the gateway’s settlement reports, differences between them, and reports.',
  events: 'Everything that happened, in one order. Your server gets the same events as webhooks.',
  audit: 'Who did what with a merchant key, including sign-ins to the console.',
  gateway: 'Called by the gateway, and by payers on their way back from the bank.',
  operations: 'Called by load balancers, orchestrators and Prometheus.',
} as const;

/** `serverUrl`: where the API is served; by default where the document is. */
export function describeApi(app: INestApplication, serverUrl = '/'): OpenAPIObject {
  const base = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Tillfront')
    .setDescription(
      'Checkout sessions, payments and events on the merchant’s side of a payment gateway. Within v1, fields are only added: ignore fields that you do not know.',
    )
    .setVersion(packageVersion())
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer(serverUrl);
  for (const [name, description] of Object.entries(TAGS)) base.addTag(name, description);
  // `addBearerAuth` would call every key a JWT.
  for (const [name, description] of [
    [
      'merchantKey',
      'A merchant key. Read keys may read everything; books keys may read payments and work on the books.',
    ],
    ['clientToken', 'The client token (`cst_…`) of one checkout session.'],
    [
      'returnToken',
      'The token (`crt_…`) that the payer’s browser gets on the way back from the bank. It reads one payment for 15 minutes.',
    ],
  ] as const)
    base.addSecurity(name, { type: 'http', scheme: 'bearer', description });
  const document = SwaggerModule.createDocument(app, base.build(), {
    operationIdFactory: operationId,
    extraModels: [SessionEventDto],
  });
  addNextActions(document);
  addWebhooks(document);
  addProblems(document);
  return JSON.parse(JSON.stringify(document), normalized) as OpenAPIObject;
}

/** Swagger UI styles itself. It loads nothing from elsewhere, and runs nothing that stands in the page. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves the document at `/openapi.json` and a page to read and try it at `/docs`. It is made when it is first asked for. */
export function serveApiDocs(app: NestFastifyApplication, serverUrl: string): void {
  const server = app.getHttpAdapter().getInstance();
  server.addHook('onRequest', (request, reply, done) => {
    if (/^\/docs(?:[/?]|$)/.test(request.url)) reply.header('content-security-policy', PAGE_POLICY);
    done();
  });
  SwaggerModule.setup('docs', app, () => describeApi(app, serverUrl), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Tillfront API',
    swaggerOptions: { validatorUrl: null, persistAuthorization: false },
  });
}

/** `PaymentsController.list` → `payments.list`. */
function operationId(controller: string, method: string): string {
  const name = controller.replace(/Controller$/, '');
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}.${method}`;
}

/** Every number counts something, for money is text. The compiler lists the words of a type in an order that changes. */
function normalized(name: string, value: unknown): unknown {
  if (name === 'enum' && Array.isArray(value)) return value.sort();
  const types = typeof value === 'object' && value !== null && 'type' in value ? [value.type].flat() : [];
  if (!types.some((one) => one === 'number' || one === 'integer')) return value;
  const whole = types.map((one): unknown => (one === 'number' ? 'integer' : one));
  const limits = { format: 'int32', minimum: 0, maximum: 2_147_483_647 };
  return { ...limits, ...(value as object), type: whole.length === 1 ? whole[0] : whole };
}
