import { readFileSync } from 'node:fs';

/** This program's version. Its package.json stands beside `src` and `dist` alike. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
