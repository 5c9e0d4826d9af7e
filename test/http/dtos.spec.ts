import 'reflect-metadata';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { getMetadataStorage } from 'class-validator';
import { check, fieldsOf, type Dto } from '../../src/http/check.js';

const root = join(import.meta.dirname, '../..');
const files = globSync('src/**/*.dto.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/'));

test('there are DTOs', () => {
  expect(files.length).toBeGreaterThan(0);
});

/** Otherwise the first request would be the one to find out. */
test.each(files)('the validators of %s can be compiled', async (file) => {
  const exported = (await import(`../../${file.slice(0, -'.ts'.length)}.js`)) as Record<string, unknown>;
  for (const type of Object.values(exported).filter(isClass)) {
    const checked = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false).length > 0;
    if (checked) expect(check(type, 'no object').faults).toHaveLength(1);
  }
});

function isClass(value: unknown): value is Dto {
  return typeof value === 'function' && value.prototype !== undefined;
}

/** Whoever adds one here has seen that it is never stored, or is digits by its nature. */
test('the fields of bodies that are not searched for card numbers are these', async () => {
  const found = new Set<string>();
  for (const file of files) {
    const exported = (await import(`../../${file.slice(0, -'.ts'.length)}.js`)) as Record<string, unknown>;
    for (const type of Object.values(exported).filter(isClass))
      for (const [name, field] of fieldsOf(type)) if (field.mayHoldCardNumber) found.add(name);
  }
  expect([...found].sort()).toEqual(['encryptedCard', 'encryptedPin', 'number', 'phone']);
});
