import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { defaultProfile } from './default-profile.js';
import { planProfile } from '../plan/operation-plan.js';
import { parseProfile, ProfileError } from './load.js';

/** A load on a busy machine must not fail the test: what is slow is slow every time. */
function fastest(text: string): number {
  let least = Infinity;
  for (let tries = 0; tries < 5 && least > 50; tries++) {
    const begun = process.threadCpuUsage();
    load(text);
    const { user, system } = process.threadCpuUsage(begun);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

/** Loads and compiles it. Nothing but a {@link ProfileError} may come of it. */
function load(text: string): void {
  try {
    planProfile(parseProfile(text));
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    expect(error.problems.length).toBeGreaterThan(0);
  }
}

const word = fc.constantFrom(
  ...[
    'client_ref',
    'payerEmail',
    'payCard',
    'void',
    'default',
    '{client_ref}',
    '{{',
    '{',
    '}',
    '{/a/0}',
    '{/a?b:c}',
  ],
  ...[
    '/a/0',
    '/a/1',
    '/~',
    '/__proto__',
    '__proto__',
    '',
    'constructor',
    '{token}',
    '{signature}',
    '((a+)+)+$',
    'GET',
    'https://x/{/a}',
  ],
);
const key = fc.oneof(
  word,
  fc.constantFrom(
    ...[
      'operations',
      'extra',
      'credentials',
      'token',
      'reference',
      'outcome',
      'notification',
      'encryption',
      'card',
      'sign',
      'over',
    ],
    ...[
      'rename',
      'constants',
      'include',
      'omit',
      'keep',
      'before',
      'encode',
      'headers',
      'method',
      'path',
      'require',
      'meanings',
    ],
    ...[
      'redirectUrl',
      'redirectFields',
      'plaintext',
      'scope',
      'value',
      'when',
      'form',
      'body',
      'signature',
      'answer',
      'methods',
    ],
  ),
);
const json = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6 },
    word,
    fc.constantFrom(null, true, 1, 'POST', 'query', 'sha512'),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(key, tie('tree'), { maxKeys: 6 }),
  ),
})).tree;

test('no profile crashes the loader or holds it up', () => {
  load('{}');
  fc.assert(
    fc.property(json, (file) => {
      expect(fastest(JSON.stringify(file))).toBeLessThan(50);
    }),
    { numRuns: 300 },
  );
});

test('no change of one value of a good profile does', () => {
  const places = placesOf(defaultProfile, []);
  fc.assert(
    fc.property(fc.constantFrom(...places), json, (place, value) => {
      const file = structuredClone(defaultProfile) as unknown as Record<string, unknown>;
      put(file, place, value);
      expect(fastest(JSON.stringify(file))).toBeLessThan(50);
    }),
    { numRuns: 300 },
  );
});

test('no text that is no JSON does', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 0, max: 4000 }), (insert, at) => {
      const good = JSON.stringify(defaultProfile);
      load(good.slice(0, at) + insert + good.slice(at));
    }),
  );
});

test.each([
  ['many unknown keys', `{${Array.from({ length: 8_000 }, (_, n) => `"operation${n}":1`).join(',')}}`],
  [
    'many constants',
    `{"operations":{"void":{"constants":{${Array.from({ length: 8_000 }, (_, n) => `"a${n}":1`).join(',')}}}}}`,
  ],
  ['a long template', `{"operations":{"void":{"constants":{"a":"${'{payerEmial}'.repeat(9_000)}"}}}}`],
  ['a deep value', `{"operations":{"void":{"constants":{"a":${'['.repeat(60)}1${']'.repeat(60)}}}}}`],
  ['brackets without end', '['.repeat(130_000)],
  ['braces without end', '{"a":'.repeat(25_000)],
  ['the same key often', `{${Array.from({ length: 12_000 }, () => '"card":{}').join(',')}}`],
  ['too much', ' '.repeat(300_000)],
])('%s costs little', (_name, text) => {
  expect(fastest(text)).toBeLessThan(50);
});

function placesOf(value: unknown, at: readonly string[]): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([name, inner]) => placesOf(inner, [...at, name]))].filter(
    (place) => place.length > 0,
  );
}

function put(file: Record<string, unknown>, place: readonly string[], value: unknown): void {
  let at = file;
  for (const step of place.slice(0, -1)) at = at[step] as Record<string, unknown>;
  at[place.at(-1) ?? ''] = value;
}
