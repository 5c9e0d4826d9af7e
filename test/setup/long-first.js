import { relative, sep } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/** Folders by what their files start and wait for, slowest first. */
const LONG = ['truth', 'chaos', 'browser', 'security', 'docs', 'e2e', 'cli', 'load'];

/** Minutes of attacks. */
const LONGEST = 'budget.spec.ts';

/**
 * Runs the longest files first, so that at the end no worker waits for one that began late. The times of an earlier run
 * decide if there are any. A fresh clone goes by the folder, then by the size.
 */
export default class LongFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    if (sorted.some(({ duration }) => duration !== undefined)) return sorted;
    return sorted.toSorted((one, other) => place(one.path) - place(other.path));
  }
}

function place(path) {
  const [top, folder, file] = relative(process.cwd(), path).split(sep);
  if (file === LONGEST) return -1;
  return top === 'test' && LONG.includes(folder) ? LONG.indexOf(folder) : LONG.length;
}
