import { readFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

/** What the kit exports beside its types, in the words of the types. */
const EXPORTS = `
/** Makes the client of one checkout session. Throws \`TillfrontError\` \`invalid-token\` for text that cannot be a token. */
export declare const createTillfront: CreateTillfront;
/** Describes this browser in the values that banks take for 3-D Secure. Nothing in it names the payer. */
export declare const collectDeviceData: CollectDeviceData;
export declare const followRedirect: FollowRedirect;
export declare const TillfrontCheckout: { new (): TillfrontCheckoutElement };

declare global {
  interface HTMLElementTagNameMap {
    'tillfront-checkout': TillfrontCheckoutElement;
  }
  interface HTMLElementEventMap {
    'tillfront-result': CustomEvent<TillfrontResult>;
  }
}
`;

type Schemas = Record<string, object>;

/** The kit's types in one file that needs no other. */
export async function kitDeclarations(): Promise<string> {
  const [types, error] = await Promise.all([
    declarationsOf('types.ts'),
    declarationsOf('tillfront-error.ts'),
  ]);
  const named = [...`${types}${error}`.matchAll(/\b(\w+Dto|ProblemFault|Problem)\b/g)];
  const schemas = await schemasOf(named.map(([, name = '']) => name));
  const own = /^(?:import|export) type (?:\*|\{[^}]*\}) from '\.[^']*';\n/gm;
  return `${schemas}${types.replace(own, '')}${error.replace(own, '')}${EXPORTS}`;
}

async function declarationsOf(file: string): Promise<string> {
  const source = await readFile(new URL(`../kit/${file}`, import.meta.url), 'utf8');
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(source, {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2022 },
  });
  const [fault] = diagnostics;
  if (fault) throw new Error(`${file}: ${ts.flattenDiagnosticMessageText(fault.messageText, '; ')}`);
  return outputText;
}

/** The types of these schemas of the API, and of everything that they refer to. */
async function schemasOf(wanted: readonly string[]): Promise<string> {
  const file = new URL('../../docs/openapi.json', import.meta.url);
  const { components } = JSON.parse(await readFile(file, 'utf8')) as { components: { schemas: Schemas } };
  const found: Schemas = {};
  const visit = (name: string): void => {
    const schema = components.schemas[name];
    if (schema === undefined || found[name] !== undefined) return;
    found[name] = schema;
    for (const [, reference = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      visit(reference);
  };
  wanted.forEach(visit);
  const document = {
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: {},
    components: { schemas: found },
  };
  const options = { rootTypes: true, rootTypesNoSchemaPrefix: true };
  const text = astToString(await openapiTS(JSON.stringify(document), options));
  // A shop's page uses the kit's own names of them, one of which is the same.
  return text.replaceAll(/^export /gm, '').replace(/^type NextAction = .*\n/m, '');
}
