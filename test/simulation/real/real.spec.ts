import { it } from '@jest/globals';
import { stores } from '../../harness/test-store.js';
import { simulate } from '../simulate.js';

/** What a failure shows: how it ended, and what was seen last. */
const SHOWN_LINES = 80;

it.each(stores)(
  'the built service keeps its promises on the %s store, whatever ends its processes',
  async (store) => {
    const options = ['--real', '--log', '--store', store, '--seed', '1', '--payments', '8'];
    const { code, output } = await simulate(options);
    const faults = output.match(/^.*(?:FAULT|not yet at rest).*$/gm) ?? [];
    const shown = [...faults.slice(-SHOWN_LINES), ...output.split('\n').slice(-SHOWN_LINES)];
    if (code !== 0) throw new Error(`it ended with ${code}:\n${shown.join('\n')}`);
  },
  1_800_000,
);
