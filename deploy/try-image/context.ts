import { readdirSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';

/** Whether a `.dockerignore` keeps a file out: the last line that matches it, or a folder above it, decides. */
export function ignores(lines: readonly string[], path: string): boolean {
  const steps = path.split('/').map((_, index, all) => all.slice(0, index + 1).join('/'));
  let ignored = false;
  for (const line of lines) {
    const keeps = line.startsWith('!');
    const pattern = keeps ? line.slice(1) : line;
    const matches = steps.some(
      (step) => matchesGlob(step, pattern) || (pattern === '*' && !step.includes('/')),
    );
    if (matches) ignored = !keeps;
  }
  return ignored;
}

/** The lines of a `.dockerignore` that say something. */
export function ignoreLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** Every file that the engine would get, relative to the context. */
export function contextFiles(root: string, lines: readonly string[], below = ''): string[] {
  return readdirSync(join(root, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    // Never looked into by us, for time; the ignore file must keep them out as well.
    if (path === 'node_modules' || path === '.git') return [];
    if (entry.isDirectory()) return contextFiles(root, lines, path);
    return ignores(lines, path) ? [] : [path];
  });
}
