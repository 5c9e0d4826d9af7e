import { readFile, readdir } from 'node:fs/promises';
import { contentHash, integrityOf } from './page-files.ts';

const folder = new URL('../messages/', import.meta.url);

/** The texts of one language, as a file that is loaded when a payer needs it. */
export interface LanguageFile {
  /** BCP 47, without a region: `fr`. */
  language: string;
  content: string;
  /** Below `/kit`: a hash of the content, and a name. What is there never changes. */
  path: string;
  /** For Subresource Integrity. */
  integrity: string;
}

/** Every language that has a file, in the order of their tags. */
export async function languageFiles(): Promise<LanguageFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(
    names.map(async (name) => {
      const texts: unknown = JSON.parse(await readFile(new URL(name, folder), 'utf8'));
      const content = JSON.stringify(texts);
      const language = name.replace('.json', '');
      return { language, content, path: `${contentHash(content)}/${name}`, integrity: integrityOf(content) };
    }),
  );
}

/** What the page has to know of the languages that it does not hold. */
export async function languageTable(): Promise<string> {
  const others = (await languageFiles()).filter(({ language }) => language !== 'en');
  const table = others.map(({ language, path, integrity }) => [language, { path, integrity }] as const);
  return JSON.stringify(Object.fromEntries(table));
}
