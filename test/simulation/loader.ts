import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { MUTANTS } from './mutants.ts';

/**
 * Loads the service's own sources, with one of its rules taken out where `MUTANT` names one: `node --import ./test/simulation/loader.ts
 * test/simulation/main.ts`.
 */

const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.ESNext,
  target: ts.ScriptTarget.ES2024,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  verbatimModuleSyntax: false,
};

const root = new URL('../../', import.meta.url).href;
const mutant = process.env['MUTANT'];
const patch = mutant === undefined ? undefined : MUTANTS[mutant];
if (mutant !== undefined && !patch) throw new Error(`There is no mutant ${mutant}`);

registerHooks({
  resolve(specifier, context, next) {
    const ours = specifier.startsWith('.') && context.parentURL?.startsWith(root);
    return next(
      ours && !context.parentURL?.includes('/node_modules/') ? specifier.replace(/\.js$/, '.ts') : specifier,
      context,
    );
  },
  load(url, context, next) {
    if (!url.startsWith(root) || url.includes('/node_modules/') || !url.endsWith('.ts'))
      return next(url, context);
    let source = readFileSync(fileURLToPath(url), 'utf8');
    if (patch && url === new URL(`src/payments/${patch.file}`, root).href) {
      const changed = source.replace(patch.from, patch.to);
      if (changed === source) throw new Error(`The mutant ${mutant} fits ${patch.file} no longer`);
      source = changed;
    }
    const { outputText } = ts.transpileModule(source, { compilerOptions: OPTIONS, fileName: url });
    return { format: 'module', source: outputText, shortCircuit: true };
  },
});
