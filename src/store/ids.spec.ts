import { expect, test } from '@jest/globals';
import { mint, newId, timeBound, timeOfId } from './ids.js';

test('ids are unguessable, sort by time and say their time', () => {
  const ids = Array.from({ length: 500 }, (_, index) => newId('pay', 1_800_000_000_000 + index));
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids.map((id) => id.slice(12))).size).toBe(500);
  for (const id of ids) expect(id).toMatch(/^pay_[0-9a-z]{8}[A-Za-z0-9]{16}$/);
  expect(timeOfId(newId('evt', 1_800_000_000_123))).toBe(1_800_000_000_123);
});

test('a write that is decided twice draws the same ids, and two writes never do', () => {
  const draw = (seed: string) => {
    const next = mint(seed, 1_800_000_000_000);
    return [next('pay'), next('evt'), next('evt')];
  };
  expect(draw('one')).toEqual(draw('one'));
  expect(new Set([...draw('one'), ...draw('two')]).size).toBe(6);
  for (const id of draw('one')) expect(id).toMatch(/^(pay|evt)_[0-9a-z]{8}[A-Za-z0-9]{16}$/);
});

test('any time has a bound', () => {
  expect(timeBound('pay', -5) <= newId('pay')).toBe(true);
  expect(timeBound('pay', Number.MAX_SAFE_INTEGER) > newId('pay')).toBe(true);
});
