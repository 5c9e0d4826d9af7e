import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { holdsCardNumber } from './holds-card-number.js';

describe('a card number', () => {
  test.each([
    ['4111111111111111'],
    ['4111 1111 1111 1111'],
    ['4111-1111-1111-1111'],
    ['4111 -1111\u00a01111\u20131111'],
    ['５５５５５５５５５５５５４４４４'],
    ['the card 5555555555554444, they say'],
    ['ORDER-4111111111111111'],
    ['x378282246310005y'],
    ['6011111111111117'],
    ['30569309025904'],
    ['5060990580000217499'],
    ['12 4111 1111 1111 1111 12'],
    ['4111.1111.1111.1111'],
    ['4111/1111/1111/1111'],
    ['(4111)_1111, 1111*1111'],
    ['3782:822463:10005'],
    ['deadbeef4111111111111111'.slice(1)],
    ['8f2b1c9e-6d3a-4f0e-9f0a-1d2c3b4a5968 4111111111111111'],
  ])('%s', (text) => {
    expect(holdsCardNumber(text)).toBe(true);
  });
});

describe('no card number', () => {
  test.each([
    ['a check digit that is wrong', '4111111111111112'],
    ['a length that the brand does not have', '41111111111111113'],
    ['no brand’s prefix', '1111111111111117'],
    ['a longer run of digits', '41111111111111110000'],
    ['dots in other places', '41.111.111.1111.1111'],
    ['years', '2023/2024/2025/2026'],
    ['words between', '4111 1111 and 1111 1111'],
    ['zeros', '0000000000000000'],
    ['a time in milliseconds', '1764000000000'],
    ['a time', '2026-11-22T05:50:12.123Z'],
    ['a UUID', '41111111-1111-1111-8aaa-aaaaaaaaaaaa'],
    ['an article’s number', '5000112637922'],
    ['a phone number', '+2348012345678'],
    ['few digits', '4111'],
    ['nothing', ''],
  ])('%s: %s', (_, text) => {
    expect(holdsCardNumber(text)).toBe(false);
  });

  test.each<[string, (uuid: string) => string]>([
    ['UUID', (uuid) => uuid],
    ['UUID in capital letters', (uuid) => uuid.toUpperCase()],
    ['UUID beside other signs', (uuid) => `test_${uuid}_1`],
    ['id of 24 hexadecimal digits', (uuid) => uuid.replaceAll('-', '').slice(0, 24)],
    ['SHA-256', (uuid) => createHash('sha256').update(uuid).digest('hex')],
  ])('hardly any random %s', (_, made) => {
    const held = Array.from({ length: 20_000 }, () => made(crypto.randomUUID())).filter(holdsCardNumber);
    expect(held).toEqual([]);
  });
});
