import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { PAYMENT_METHODS } from '../config/payment-method.js';
import { defaultProfile } from '../gateway/profile/default-profile.js';
import { paymentFields } from '../gateway/requests/payment-fields.js';
import { usedAssumptions } from './profile-assumptions.js';
import { ENCRYPTION_SCHEMES, MEANING_NAMES, profileSchema } from '../gateway/profile/format.js';
import { schemaFile, writeReference } from '../gateway/profile/reference.js';
import { parseProfile } from '../gateway/profile/load.js';

const reference = readFileSync('docs/gateway-profile.md', 'utf8');
const assumptions = readFileSync('docs/assumptions.md', 'utf8');

/** Every name of a property in the schema, and whether each has a description. */
function propertiesOf(node: unknown): { name: string; described: boolean }[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) =>
    key === 'properties' && typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, property]: [string, unknown]) => [
          { name, described: typeof property === 'object' && property !== null && 'description' in property },
          ...propertiesOf(property),
        ])
      : propertiesOf(value),
  );
}

describe('the published schema', () => {
  test('describes every key', () => {
    const silent = propertiesOf(profileSchema).filter(
      ({ name, described }) => !described && name !== 'pointer',
    );
    expect(silent).toEqual([]);
  });

  test('is the one that editors load', () => {
    expect(readFileSync('profiles/profile.schema.json', 'utf8')).toBe(schemaFile());
  });
});

describe('the reference of the profile', () => {
  /** In code, as a key in an example, or as the last part of a longer name. */
  const mentions = (name: string): boolean =>
    ['`', '"', '.'].some((before) => ['`', '"'].some((after) => reference.includes(before + name + after)));

  test('names every key of the schema, every field, meaning and scheme', () => {
    const names = [
      ...propertiesOf(profileSchema).map(({ name }) => name),
      ...Object.keys(paymentFields),
      ...MEANING_NAMES,
      ...ENCRYPTION_SCHEMES,
    ];
    expect([...new Set(names)].filter((name) => !mentions(name))).toEqual([]);
  });

  test('has the tables that the schema and the fields make', () => {
    expect(reference).toBe(writeReference(reference));
    expect(reference.match(/<!-- generated: /g)?.length).toBeGreaterThan(8);
  });

  test('has examples that can be used', () => {
    const examples = [...reference.matchAll(/```json\n(.*?)```/gs)].map(([, text]) => text ?? '');
    expect(examples.length).toBeGreaterThan(1);
    for (const example of examples) expect(parseProfile(example)).toBeDefined();
  });
});

describe('the list of assumptions', () => {
  test('names each assumption with its key', () => {
    for (const name of usedAssumptions(defaultProfile, PAYMENT_METHODS)) {
      expect(assumptions).toContain(`\`${name}\``);
    }
  });

  test('has the paths and words of the built-in profile', () => {
    for (const [key, operation] of Object.entries(defaultProfile.operations)) {
      if (operation && key !== 'payCard' && key !== 'initiateWallet')
        expect(assumptions).toContain(`\`${operation.method} ${operation.path}\``);
    }
    for (const word of Object.values(defaultProfile.outcome.meanings).flat()) {
      expect(assumptions).toContain(`\`${word}\``);
    }
    for (const pointer of defaultProfile.notification.reference)
      expect(assumptions).toContain(`\`${pointer}\``);
  });
});
