import { describe, expect, test } from '@jest/globals';
import { inspect } from 'node:util';
import { NamedKeyList, parseNamedKey } from './named-keys.js';
import { FixedSecret } from './secret-source.js';

describe('an entry', () => {
  test.each<[string, string | undefined, string]>([
    ['mk_live_a', undefined, 'mk_live_a'],
    ['ops-anna=mk_live_a', 'ops-anna', 'mk_live_a'],
    ['7=k', '7', 'k'],
    [`${'n'.repeat(32)}=k`, 'n'.repeat(32), 'k'],
    // what ends in the padding of base64 is a key, even where a name could stand before it
    ['c2VjcmV0cw==', undefined, 'c2VjcmV0cw=='],
    ['c2VjcmV0LWs=', undefined, 'c2VjcmV0LWs='],
    ['anna=', undefined, 'anna='],
    ['anna=c2VjcmV0cw==', 'anna', 'c2VjcmV0cw=='],
    ['anna=c2VjcmV0LWs=', 'anna', 'c2VjcmV0LWs='],
  ])('%s', (entry, name, key) => {
    expect(parseNamedKey(entry)).toEqual({ name, key });
  });

  test.each([
    'Anna=k',
    'an na=k',
    'ä=k',
    `${'n'.repeat(33)}=k`,
    '=k',
    '=',
    '==',
    'a=b=c',
    'ab===',
    'a=b===',
    '',
  ])('%j is none', (entry) => {
    expect(parseNamedKey(entry)).toBeUndefined();
  });
});

describe('a list of keys', () => {
  test('finds the name of the key that is presented, and takes no name for a key', () => {
    const list = new NamedKeyList(new FixedSecret('plain, anna=one ,bob=two=='));
    expect(list.current()).toEqual(['plain', 'one', 'two==']);
    expect(list.match('plain')).toEqual({ name: undefined });
    expect(list.match('one')).toEqual({ name: 'anna' });
    expect(list.match('two==')).toEqual({ name: 'bob' });
    for (const wrong of ['anna', 'anna=one', 'bob=two==', 'two=', 'two', 'ONE', '']) {
      expect(list.match(wrong)).toBeUndefined();
    }
  });

  test('follows its source', () => {
    let text = 'anna=one';
    const list = new NamedKeyList({ current: () => text });
    expect(list.match('one')).toEqual({ name: 'anna' });
    const before = list.current();
    expect(list.current()).toBe(before);
    text = 'bob=one,anna=two';
    expect([list.match('one'), list.match('two')]).toEqual([{ name: 'bob' }, { name: 'anna' }]);
  });

  test('is empty where nothing is set, and shows nothing of itself', () => {
    expect(new NamedKeyList(new FixedSecret(undefined)).match('')).toBeUndefined();
    const list = new NamedKeyList(new FixedSecret('anna=hunter2'));
    list.current();
    expect(inspect(list, { showHidden: true, depth: 9 }) + JSON.stringify(list)).not.toContain('hunter2');
  });
});
