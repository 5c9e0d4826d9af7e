import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseAnswer } from './answer-json.js';

describe('an answer that can be trusted as JSON', () => {
  test('is what JSON.parse makes of it, whatever it holds', () => {
    const withoutPrototypeKeys = fc
      .jsonValue({ maxDepth: 8 })
      .filter((value) => !/"(?:__proto__|constructor|prototype)":/.test(JSON.stringify(value)));
    fc.assert(
      fc.property(withoutPrototypeKeys, fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseAnswer(text)).toEqual({ ok: true, document: JSON.parse(text) as unknown });
      }),
    );
  });

  test('any text at all is read without throwing', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseAnswer(text)));
  });

  test.each(['', '{', '{"a":1}}', '<html>', '{"a":1,}', "{'a':1}", 'undefined', '{"a":"\u0001"}'])(
    '%j is none',
    (text) => {
      expect(parseAnswer(text)).toEqual({ ok: false, reason: 'not-json' });
    },
  );

  test.each([
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '{"x":[{"a":{"b":1,"b":2}}]}',
    '{"":1,"":2}',
    '{"__proto__":1,"__proto__":2}',
    '{"a\\\\":1,"a\\\\":2}',
  ])('%s says two things at once', (text) => {
    expect(parseAnswer(text)).toEqual({ ok: false, reason: 'contradiction' });
  });

  test.each(['{"a":{"b":1},"b":2}', '{"a":":","b":"{\\"a\\":1}"}', '{"a\\"":1,"a":2}', '[{"a":1},{"a":2}]'])(
    '%s does not',
    (text) => {
      expect(parseAnswer(text)).toEqual({ ok: true, document: JSON.parse(text) as unknown });
    },
  );

  test('members that reach a prototype are dropped', () => {
    const text = '{"__proto__":{"a":1},"x":{"constructor":{"prototype":{"a":1}},"b":2,"\\u005f_proto__":3}}';
    const answer = parseAnswer(text);
    expect(answer).toEqual({ ok: true, document: { x: { b: 2 } } });
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  test('a hostile depth is refused, and fast', () => {
    const before = process.threadCpuUsage();
    expect(parseAnswer('['.repeat(20_000) + ']'.repeat(20_000))).toEqual({
      ok: false,
      reason: 'unrecognised',
    });
    expect(parseAnswer(`"${'\\\\'.repeat(500_000)}`)).toEqual({ ok: false, reason: 'not-json' });
    expect(parseAnswer(`"${'\\"'.repeat(500_000)}"`)).toMatchObject({ ok: true });
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });
});
