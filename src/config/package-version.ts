import { readFileSync } from 'node:fs';

/** The folder of this program's package.json, profiles and `dist`: two above this file in `src`, in `dist` and in a bundle alike. */
export const ROOT = new URL('../../', import.meta.url);

/** This program's version. */
export function packageVersion(): string {
  const text = readFileSync(new URL('package.json', ROOT), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
