import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { languageTable, type LanguageSource } from './languages.ts';

/** The oldest supported browsers. Those without light-dark(), :has() and private methods work with fewer features. */
const TARGET = ['chrome110', 'firefox115', 'safari16'];

const browserFolder = fileURLToPath(new URL('../', import.meta.url));

/** A stylesheet that a script imports becomes a minified string. */
const cssAsText: esbuild.Plugin = {
  name: 'css-as-text',
  setup: (build) => {
    build.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await esbuild.transform(await readFile(path, 'utf8'), {
        loader: 'css',
        minify: true,
        target: TARGET,
      });
      return { contents: `export default ${JSON.stringify(code.trim())}`, loader: 'js' };
    });
  },
};

/** What is bundled into a script beside our own code. Its licence asks that its notice goes with every copy. */
const BUNDLED = {
  'kit/tillfront.ts': 'localized-address-format',
  'console/console.ts': 'uqr',
} as const;

async function noticeFor(entry: string): Promise<string> {
  const bundled = entry in BUNDLED ? BUNDLED[entry as keyof typeof BUNDLED] : undefined;
  if (bundled === undefined) return '';
  const license = await readFile(new URL(`../../node_modules/${bundled}/LICENSE`, import.meta.url), 'utf8');
  return `/*! ${bundled}: ${license.trim()} */`;
}

/** One ES module that bundles `entry` (a path inside `browser/`) with all its imports. */
export async function bundleScript(entry: string, languages: LanguageSource = 'pinned'): Promise<string> {
  const result = await esbuild.build({
    absWorkingDir: browserFolder,
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    target: TARGET,
    minify: true,
    legalComments: 'none',
    charset: 'utf8',
    plugins: [cssAsText],
    define: { LANGUAGES: JSON.stringify(await languageTable(languages)) },
    banner: { js: await noticeFor(entry) },
    logLevel: 'warning',
  });
  const [file] = result.outputFiles;
  if (file === undefined) throw new Error(`esbuild wrote nothing for ${entry}`);
  return file.text;
}

/** A minified stylesheet. */
export async function bundleStyle(entry: string): Promise<string> {
  const text = await readFile(new URL(`../${entry}`, import.meta.url), 'utf8');
  const { code } = await esbuild.transform(text, { loader: 'css', minify: true, target: TARGET });
  return code;
}
