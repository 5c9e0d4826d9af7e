import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const folder = fileURLToPath(new URL('../../node_modules/.cache/tillfront-bench/', import.meta.url));

/** Compiles a peer that uses decorators, which Node.js does not run as they are, with what it imports of its folder. Returns the program's path. */
export function compilePeer(name: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}package.json`, '{"type":"module"}');
  compile(name);
  return `${folder}${name}.js`;
}

function compile(name: string): void {
  const text = readFileSync(new URL(`peers/${name}.ts`, import.meta.url), 'utf8');
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2024,
      module: ts.ModuleKind.ESNext,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      useDefineForClassFields: false,
      rewriteRelativeImportExtensions: true,
    },
  });
  writeFileSync(`${folder}${name}.js`, outputText);
  for (const [, part = ''] of text.matchAll(/from '\.\/([\w-]+)\.ts'/g)) compile(part);
}
