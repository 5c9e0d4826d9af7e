import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { languageTable } from './languages.ts';

/** The oldest supported browsers. Those without light-dark(), :has() and private methods work with fewer features. */
const TARGET = ['chrome110', 'firefox115', 'safari16'];

const browserFolder = fileURLToPath(new URL('../', import.meta.url));

/** The licences of the packages in a bundle, which ask that their notices go with every copy. */
async function noticesOf({ inputs }: esbuild.Metafile): Promise<string> {
  const found = Object.keys(inputs).map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  const names = [...new Set(found)].filter((name) => name !== undefined);
  const notices = names.map(async (name) => {
    const license = new URL(`../../node_modules/${name}/LICENSE`, import.meta.url);
    return `/*! ${name}: ${(await readFile(license, 'utf8')).trim()} */\n`;
  });
  return (await Promise.all(notices)).join('');
}

/** One ES module that bundles `entry` (a path inside `browser/`) with all its imports. */
export async function bundleScript(entry: string): Promise<string> {
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
    metafile: true,
    define: { LANGUAGES: JSON.stringify(await languageTable()) },
    logLevel: 'warning',
  });
  const [file] = result.outputFiles;
  if (file === undefined) throw new Error(`esbuild wrote nothing for ${entry}`);
  return (await noticesOf(result.metafile)) + file.text;
}

/** A minified stylesheet. */
export async function bundleStyle(entry: string): Promise<string> {
  const text = await readFile(new URL(`../${entry}`, import.meta.url), 'utf8');
  const { code } = await esbuild.transform(text, { loader: 'css', minify: true, target: TARGET });
  return code;
}
