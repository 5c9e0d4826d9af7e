import { describe, expect, test } from '@jest/globals';
import { FixedSecret, SecretList } from './secret-source.js';

describe('a list of secrets', () => {
  test.each<[string | undefined, string[]]>([
    [undefined, []],
    ['a', ['a']],
    ['a,b', ['a', 'b']],
    [' a , b ', ['a', 'b']],
  ])('%j is %j', (text, entries) => {
    expect(new SecretList(new FixedSecret(text)).current()).toEqual(entries);
  });

  test('follows its source, and is the same object until that changes', () => {
    let text = 'a';
    const list = new SecretList({ current: () => text });
    const before = list.current();
    expect(list.current()).toBe(before);
    text = 'b,a';
    expect(list.current()).toEqual(['b', 'a']);
    expect(before).toEqual(['a']);
  });
});
