import { describe, expect, test } from '@jest/globals';
import { createLogger, maskCards, type Logger } from './logger.js';

function lines(level = 'info'): { logger: Logger; written: Record<string, unknown>[] } {
  const written: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => void written.push(JSON.parse(line) as Record<string, unknown>) };
  return { logger: createLogger({ logLevel: level }, stream), written };
}

test('a line is JSON with its level, its time and the fields', () => {
  const { logger, written } = lines();
  logger.info({ event: 'a.thing', count: 3 });
  logger.debug({ event: 'a.detail' });
  expect(written).toEqual([
    { level: 'info', time: expect.stringMatching(/^\d{4}-.*Z$/), event: 'a.thing', count: 3 },
  ]);
});

test('of an error only its harmless members are logged', () => {
  const { logger, written } = lines();
  const cause = Object.assign(new Error('cvv 111'), { config: { data: 'secret' } });
  const error = Object.assign(new Error('no answer', { cause }), {
    code: 'ECONNRESET',
    config: { data: 'secret' },
  });
  logger.error({ event: 'failed', error });
  expect(written[0]?.['error']).toEqual({
    ...{ type: 'Error', message: 'no answer', code: 'ECONNRESET' },
    stack: expect.stringMatching(/^ {4}at /),
  });
});

test('the message of a syntax error, which quotes what was read, is left out', () => {
  const { logger, written } = lines();
  try {
    JSON.parse('{"pin": 4321 oops');
  } catch (error) {
    logger.error({ event: 'failed', error });
  }
  expect(JSON.stringify(written)).not.toContain('4321');
});

describe('what looks like a card number is masked', () => {
  test.each([
    '5060990580000217499',
    '4111111111111111',
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    '378282246310005',
    'card4111111111111111.',
    'ref_4111111111111111_x',
    '2221000000000009',
    '4222222222222',
  ])('%s', (text) => {
    const masked = maskCards(JSON.stringify({ text, ms: 12.5 }));
    expect(masked).toContain('[card]');
    expect(masked).not.toMatch(/\d{5}/);
    expect(JSON.parse(masked)).toMatchObject({ ms: 12.5 });
  });

  test.each([
    '2026-11-28T14:08:44.123Z',
    '1764338924123',
    '20261128140844123',
    '5e0f4111-1111-4111-8111-111111111111',
    '4bf92f3577b34da6a3ce929d0e0e4736',
    '00f067aa0ba902b7',
    'ORDER-1001_1',
    '127.0.0.1:54321',
    '123456789012',
    '41111111111111111111',
  ])('%s stays', (text) => {
    expect(maskCards(text)).toBe(text);
  });
});
