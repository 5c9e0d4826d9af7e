import { describe, expect, test } from '@jest/globals';
import { simulate } from './simulate.js';

/**
 * Worlds that are fine, and fail without one rule. A world is another one once the simulation has changed: then another seed takes its
 * place, which the mutant alone finds.
 */
const FOUND = {
  'no-epoch': '17',
  'all-pay': '1',
  'no-bounce': '1',
  'approved-rest': '7',
  'pin-is-a-decline': '10',
} as const;

/** Seeds whose world was seen to be fine. */
const fine = new Set<string>();

describe('the engine in virtual time', () => {
  test.each(Object.entries(FOUND))('without %s alone, world %s fails', async (mutant, seed) => {
    expect(await simulate('--mutant', mutant, '--seed', seed)).toMatchObject({ code: 1 });
    if (fine.has(seed)) return;
    expect(await simulate('--seed', seed)).toMatchObject({ code: 0 });
    fine.add(seed);
  });

  test('sees two payments of one order at once where nothing keeps them apart', async () => {
    const { code, output } = await simulate(
      '--mutant',
      'started-beside-live',
      '--payments',
      '400',
      '--large',
    );
    expect({ code, output }).toMatchObject({ code: 1 });
    expect(output).toMatch(/are live at once|is charged while/);
  });
});
