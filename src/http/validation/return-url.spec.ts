import { describe, expect, test } from '@jest/globals';
import { isAllowedReturn, isReturnUrl, withResult } from './return-url.js';

const origins = ['https://shop.example', 'http://localhost:4000'];

describe('payers are sent to', () => {
  test.each([
    ['https://shop.example'],
    ['https://shop.example/'],
    ['https://shop.example:443/thanks'],
    ['HTTPS://Shop.Example/thanks?order=1&x=https://other.example#top'],
    ['https://shop.example/@evil.example'],
    ['https://shop.example?next=//evil.example'],
    ['http://localhost:4000/done'],
  ])('%s', (url) => {
    expect(isAllowedReturn(url, origins)).toBe(true);
  });
});

describe('payers are not sent to', () => {
  test.each([
    ['https://shop.example.evil.example/'],
    ['https://shop.example@evil.example/'],
    ['https://shop.example:443@evil.example/'],
    ['https://user:pass@shop.example/'],
    ['https://@shop.example/'],
    ['https://shop.example:8443/'],
    ['http://shop.example/'],
    ['https://evilshop.example/'],
    ['https://shop.example\\@evil.example/'],
    ['https:\\\\shop.example/'],
    ['https:/shop.example/'],
    ['https:shop.example/'],
    ['//shop.example/'],
    ['///shop.example/'],
    ['/thanks'],
    ['shop.example'],
    [' https://shop.example/'],
    ['https://shop.example/ '],
    ['https://shop.example/\r\nLocation: https://evil.example'],
    ['https://sh\top.example/'],
    ['ht\ntps://shop.example/'],
    ['https://shop.example%2eevil.example/'],
    ['https://shop.example%00.evil.example/'],
    ['https://evil.example/https://shop.example'],
    ['https://evil.example?https://shop.example'],
    ['https://evil.example#https://shop.example'],
    ['javascript:alert(1)//https://shop.example'],
    ['data:text/html,https://shop.example'],
    ['blob:https://shop.example/0c3f8f3e'],
    ['file:///etc/passwd'],
    ['ftp://shop.example/'],
    ['https://'],
    ['https:///'],
    ['https://[::1/'],
    ['https://shop.example:99999/'],
    ['https://ſhop.evil.example/'],
    ['null'],
    [''],
    [`https://shop.example/${'a'.repeat(2048)}`],
  ])('%j', (url) => {
    expect(isAllowedReturn(url, origins)).toBe(false);
  });

  test('anywhere, where nothing is allowed', () => {
    expect(isAllowedReturn('https://shop.example/', [])).toBe(false);
    expect(isAllowedReturn('data:,x', ['null'])).toBe(false);
  });
});

test('an address with an odd spelling of an allowed host is that host, as browsers see it', () => {
  // The long s folds to s, a full-width dot to a dot: the same origin, so the same shop.
  expect(isAllowedReturn('https://ſhop.example/', origins)).toBe(true);
  expect(isAllowedReturn('https://shop．example/', origins)).toBe(true);
});

test('the form says nothing about the origin', () => {
  expect(isReturnUrl('https://evil.example/')).toBe(true);
});

const result = { payment: 'pay_1', status: 'succeeded' };

describe('the result is added to the query, and the rest stays byte for byte', () => {
  test.each([
    ['https://shop.example', 'https://shop.example?payment=pay_1&status=succeeded'],
    ['https://shop.example/a?', 'https://shop.example/a?payment=pay_1&status=succeeded'],
    [
      'HTTPS://Shop.example/a/../b?q=a+b%20c&e=%C3%A9&x&=&y=[1]|{2}#top?x',
      'HTTPS://Shop.example/a/../b?q=a+b%20c&e=%C3%A9&x&=&y=[1]|{2}&payment=pay_1&status=succeeded#top?x',
    ],
    ['https://shop.example/?sig=a/b==&', 'https://shop.example/?sig=a/b==&payment=pay_1&status=succeeded'],
    ['https://shop.example/é', 'https://shop.example/%C3%A9?payment=pay_1&status=succeeded'],
  ])('%s', (url, expected) => {
    expect(withResult(url, result)).toBe(expected);
  });
});

test.each([
  'https://shop.example/?payment=1',
  'https://shop.example/?a=b&status',
  'https://shop.example/?stat%75s=',
])('%s already has one of the names', (url) => {
  expect(isReturnUrl(url)).toBe(false);
});
