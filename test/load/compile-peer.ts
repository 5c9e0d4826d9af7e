import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const folder = fileURLToPath(new URL('../../node_modules/.cache/tillfront-bench/', import.meta.url));

/** Compiles a peer that uses decorators, which Node.js does not run as they are. Returns the program's path. */
export function compilePeer(source: string): string {
  const path = fileURLToPath(new URL(source, import.meta.url));
  const { outputText } = ts.transpileModule(readFileSync(path, 'utf8'), {
    compilerOptions: {
      target: ts.ScriptTarget.ES2024,
      module: ts.ModuleKind.ESNext,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      useDefineForClassFields: false,
    },
  });
  mkdirSync(folder, { recursive: true });
  const program = `${folder}${source.replace(/^.*\//, '').replace(/\.ts$/, '.mjs')}`;
  writeFileSync(program, outputText);
  return program;
}
