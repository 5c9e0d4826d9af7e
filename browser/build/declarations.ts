import { readFile } from 'node:fs/promises';
import ts from 'typescript';

/** What the kit exports beside its types, in the words of the types. */
const EXPORTS = `
/** Makes the client of one checkout session. Throws \`TillfrontError\` \`invalid-token\` for what can be no token. */
export declare const createTillfront: CreateTillfront;
/** Describes this browser in the values that banks take for 3-D Secure. Nothing in it names the payer. */
export declare const collectDeviceData: CollectDeviceData;
export declare const followRedirect: FollowRedirect;
`;

const ELEMENT = `
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

async function declarationsOf(file: string): Promise<string> {
  const source = await readFile(new URL(`../kit/${file}`, import.meta.url), 'utf8');
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(source, {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2022 },
  });
  if (diagnostics.length > 0) {
    const texts = diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    throw new Error(`${file}: ${texts.join('; ')}`);
  }
  // All declarations go into one file.
  return outputText.replaceAll(/^(?:import|export) type (?:\*|\{[^}]*\}) from '\.\/[^']*';\n/gm, '');
}

/** One declaration file for the kit with the element, and one for the kit without it. */
export async function kitDeclarations(): Promise<{ kit: string; core: string }> {
  const [api, types, error] = await Promise.all([
    declarationsOf('api.ts'),
    declarationsOf('types.ts'),
    declarationsOf('tillfront-error.ts'),
  ]);
  const core = `${api}${types}${error}${EXPORTS}`;
  return { kit: core + ELEMENT, core };
}
