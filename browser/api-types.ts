import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';

interface Schema extends Record<string, unknown> {
  title?: string;
  description?: string;
  oneOf?: Schema[];
}
type Schemas = Record<string, Schema>;

interface Parameter {
  name: string;
  in: string;
  description?: string;
  schema: Schema;
}

interface Description {
  paths: Record<string, Record<string, { parameters: Parameter[] }>>;
  components: { schemas: Schemas };
}

/** A file of generated types. */
interface TypesFile {
  path: string;
  /** Schemas of the API description, with their names in this file. The schemas that they refer to are included. */
  schemas: Readonly<Record<string, string>>;
  /** Types that another file already defines, by schema name. */
  imported?: { from: string; schemas: Readonly<Record<string, string>> };
  /** Lists whose query becomes a type of this name, by path. */
  queries?: Readonly<Record<string, string>>;
}

const kit = {
  PaymentDto: 'Payment',
  FailureDto: 'PaymentFailure',
  PendingOperationDto: 'PendingOperation',
  PaymentCardDto: 'PaymentCard',
  BrowserSessionDto: 'CheckoutSession',
  ProvidedDto: 'ProvidedFields',
  PayerDto: 'Payer',
  BillingDto: 'Billing',
  UssdBankDto: 'UssdBank',
  NextAction: 'NextAction',
  ProblemFault: 'Fault',
  Problem: 'Problem',
};

const files: readonly TypesFile[] = [
  { path: 'browser/kit/api.ts', schemas: kit },
  {
    path: 'browser/console/api.ts',
    schemas: {
      TimelineEntryDto: 'TimelineEntry',
      EventDto: 'MerchantEvent',
      PaymentListDto: 'PaymentPage',
      RefundDto: 'Refund',
      MerchantSessionDto: 'MerchantSession',
      AuditListDto: 'AuditPage',
      SignInDto: 'SignedIn',
      ApprovalListDto: 'ApprovalPage',
    },
    imported: { from: '../kit/api.js', schemas: { PaymentDto: 'Payment' } },
  },
  {
    path: 'packages/tillfront-node/src/api.ts',
    schemas: {
      CreateSessionDto: 'NewSession',
      MerchantSessionDto: 'Session',
      SessionListDto: 'SessionList',
      SessionData: 'EventSession',
      PaymentDto: 'Payment',
      PaymentListDto: 'PaymentPage',
      TimelineEntryDto: 'TimelineEntry',
      CompleteDto: 'Completion',
      RefundRequestDto: 'NewRefund',
      RefundDto: 'Refund',
      RefundListDto: 'RefundList',
      ApprovedDto: 'AskedApproval',
      EventDto: 'EventRecord',
      WebhookEvent: 'WebhookEvent',
      NextAction: 'NextAction',
      ProblemFault: 'Fault',
      Problem: 'Problem',
    },
    queries: {
      '/v1/payments': 'PaymentQuery',
      '/v1/payments/{id}': 'WaitQuery',
      '/v1/events': 'EventQuery',
    },
  },
];

/** The types of the service's answers, generated from the API description. */
async function generate({ path, schemas: wanted, imported, queries = {} }: TypesFile): Promise<string> {
  const description = JSON.parse(await readFile('docs/openapi.json', 'utf8')) as Description;
  const ofQueries = Object.entries(queries).map(
    ([of, name]) => [name, querySchema(description, of)] as const,
  );
  const names = {
    ...wanted,
    ...imported?.schemas,
    ...Object.fromEntries(ofQueries.map(([name]) => [name, name])),
  };
  const all = { ...hoistVariants(description.components.schemas), ...Object.fromEntries(ofQueries) };
  const schemas = closure(all, Object.keys(names));
  const given = closure(all, Object.keys(imported?.schemas ?? {}));
  const document = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: { schemas } };
  const ast = await openapiTS(JSON.stringify(document, withoutDetails));
  const own = schemaMembers(ast).filter((member) => given[memberName(member)] === undefined);
  const nameOf = (schema: string): string =>
    Object.entries(names).find(([of]) => of === schema)?.[1] ?? schema.replace(/Dto$/, '');
  const text = astToString(own.map((member) => declaration(member, nameOf)))
    .replaceAll(/components\["schemas"\]\["(\w+)"\]/g, (_, schema: string) => nameOf(schema))
    .replaceAll(/ ?\* @(enum|constant).*\n|\/\*\* @(enum|constant)[^\n]*\*\/\n/g, '')
    .replaceAll('@description ', '');
  const imports = imported
    ? `import type { ${Object.values(imported.schemas).join(', ')} } from '${imported.from}';\n\n`
    : '';
  const header = '// Generated from docs/openapi.json: run "npm run kit:types".\n\n';
  return format(header + imports + text, { ...(await resolveConfig(path)), parser: 'typescript' });
}

/** The query of a GET as a schema of an object, all of it optional. */
function querySchema({ paths }: Description, path: string): Schema {
  const parameters = (paths[path]?.['get']?.parameters ?? []).filter((one) => one.in === 'query');
  if (parameters.length === 0) throw new Error(`docs/openapi.json has no query of GET ${path}`);
  const properties = parameters.map(({ name, description, schema }) => [
    name,
    { ...schema, ...(description !== undefined && { description }) },
  ]);
  return { type: 'object', properties: Object.fromEntries(properties) as Schemas };
}

/** Names the variants of a union by their titles. */
function hoistVariants(schemas: Schemas): Schemas {
  const { NextAction: union, ...others } = schemas;
  const variants = (union?.oneOf ?? []).map((variant): [string, Schema] => {
    const title = variant.title ?? '';
    return [`${title.charAt(0).toUpperCase()}${title.slice(1)}Action`, variant];
  });
  const oneOf = variants.map(([name]) => ({ $ref: `#/components/schemas/${name}` }));
  return {
    ...others,
    ...Object.fromEntries(variants),
    NextAction: { description: union?.description ?? '', oneOf },
  };
}

/** These schemas and everything that they refer to. */
function closure(all: Schemas, wanted: readonly string[]): Schemas {
  const found: Schemas = {};
  const visit = (name: string): void => {
    const schema = all[name];
    if (schema === undefined) throw new Error(`docs/openapi.json has no schema ${name}`);
    if (found[name] !== undefined) return;
    found[name] = schema;
    for (const [, reference = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      visit(reference);
    }
  };
  for (const name of wanted) visit(name);
  return found;
}

/** Removes what does not belong to a type, or what only readers of the whole description understand. */
function withoutDetails(name: string, value: unknown): unknown {
  if (['example', 'examples', 'format', 'title', 'discriminator'].includes(name) && !isSchema(value))
    return undefined;
  return name === 'description' && typeof value === 'string' ? value.replace(/ \(seed [^)]*\)/, '') : value;
}

/** Whether a member called `title` is a property of that name. */
function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function schemaMembers(ast: readonly ts.Node[]): ts.PropertySignature[] {
  const components = ast.find(
    (node): node is ts.InterfaceDeclaration =>
      ts.isInterfaceDeclaration(node) && node.name.text === 'components',
  );
  const schemas = components?.members.find((member) => memberName(member) === 'schemas');
  if (!schemas || !ts.isPropertySignature(schemas) || !schemas.type || !ts.isTypeLiteralNode(schemas.type)) {
    throw new Error('openapi-typescript has changed its form');
  }
  return schemas.type.members.filter(ts.isPropertySignature);
}

function memberName({ name }: ts.TypeElement): string {
  return name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : '';
}

/** An interface where the schema is an object, an alias otherwise. */
function declaration(member: ts.PropertySignature, nameOf: (schema: string) => string): ts.Node {
  const { type } = member;
  if (!type) throw new Error('openapi-typescript has changed its form');
  const name = nameOf(memberName(member));
  const exported = [ts.factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  const node = ts.isTypeLiteralNode(type)
    ? ts.factory.createInterfaceDeclaration(exported, name, undefined, undefined, type.members)
    : ts.factory.createTypeAliasDeclaration(exported, name, undefined, type);
  return ts.setSyntheticLeadingComments(node, ts.getSyntheticLeadingComments(member));
}

// Usage: node browser/api-types.ts write|check
const [task] = process.argv.slice(2);
if (task !== 'write' && task !== 'check') throw new Error('Usage: node browser/api-types.ts write|check');
for (const file of files) {
  const text = await generate(file);
  if (task === 'write') await writeFile(file.path, text);
  else if ((await readFile(file.path, 'utf8').catch(() => '')) !== text) {
    console.error(`${file.path} is not what docs/openapi.json says: run "npm run kit:types" and commit it.`);
    process.exitCode = 1;
  }
}
