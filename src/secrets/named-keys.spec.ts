import { expect, test } from '@jest/globals';
import { inspect } from 'node:util';
import { NamedKeys, parseNamedKey } from './named-keys.js';

test.each([
  ['key', { name: undefined, key: 'key' }],
  ['anna=key', { name: 'anna', key: 'key' }],
  ['anna-2=a2V5==', { name: 'anna-2', key: 'a2V5==' }],
  ['a2V5==', { name: undefined, key: 'a2V5==' }],
  ['Anna=key', undefined],
  ['anna=ke=y', undefined],
  ['=key', undefined],
  [`${'a'.repeat(33)}=key`, undefined],
])('%s', (entry, expected) => {
  expect(parseNamedKey(entry)).toEqual(expected);
});

test('a presented key has its owner’s name, and the list shows none of them', () => {
  const keys = new NamedKeys('anna=one, two ,ben=three=');
  expect(keys.match('one')).toEqual({ name: 'anna' });
  expect(keys.match('two')).toEqual({ name: undefined });
  expect(keys.match('three=')).toEqual({ name: 'ben' });
  for (const wrong of ['', 'anna=one', 'anna', 'three', 'ONE']) expect(keys.match(wrong)).toBeUndefined();
  expect(inspect(keys, { showHidden: true, depth: 9 })).not.toMatch(/one|two|three/);
  expect(new NamedKeys(undefined).match('')).toBeUndefined();
});
