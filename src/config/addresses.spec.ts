import { describe, expect, test } from '@jest/globals';
import { isAddressRange, isLoopbackHost, parseBaseUrl, parseHttpUrl, parseOrigin } from './addresses.js';

describe('a base address', () => {
  test.each([
    ['https://pay.example', 'https://pay.example'],
    ['https://pay.example/', 'https://pay.example'],
    ['https://pay.example/api//', 'https://pay.example/api'],
    ['HTTPS://Pay.Example:443/api', 'https://pay.example/api'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://[::1]:3000/', 'http://[::1]:3000'],
  ])('%s is %s', (text, expected) => {
    expect(parseBaseUrl(text)).toBe(expected);
  });

  test.each([
    '',
    'pay.example',
    '//pay.example',
    'ftp://pay.example',
    'javascript:alert(1)',
    'https:pay.example',
    'https:///pay.example',
    'https://user:secret@pay.example',
    'https://user@pay.example',
    'https://pay.example?x=1',
    'https://pay.example/?',
    'https://pay.example/#x',
    ' https://pay.example',
    'https://pay.example ',
    'https://pay.example\n',
    'https://pay\\example',
    'https://pay.example:99999',
    'https://',
  ])('%j is none', (text) => {
    expect(parseBaseUrl(text)).toBeUndefined();
  });
});

test('an address may carry a query where it is not a base', () => {
  expect(parseHttpUrl('https://shop.example/hook?tenant=1')?.href).toBe('https://shop.example/hook?tenant=1');
});

describe('an origin', () => {
  test.each([
    ['https://shop.example', 'https://shop.example'],
    ['https://SHOP.example', 'https://shop.example'],
    ['https://shop.example:443', 'https://shop.example'],
    ['https://shop.example:8443', 'https://shop.example:8443'],
    ['http://localhost:5173', 'http://localhost:5173'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ])('%s is %s', (text, expected) => {
    expect(parseOrigin(text)).toBe(expected);
  });

  test.each([
    'https://shop.example/',
    'https://shop.example/path',
    'https://shop.example?x',
    'https://shop.example#x',
    'https://user@shop.example',
    'shop.example',
    '*',
    'null',
    'https://*.shop.example',
    'https://*',
    'file:///x',
    'https://shop.example,https://evil.example',
  ])('%s is none', (text) => {
    expect(parseOrigin(text)).toBeUndefined();
  });
});

test.each([
  ['10.0.0.0/8', true],
  ['10.0.0.1', true],
  ['fd00::/8', true],
  ['::1', true],
  ['10.0.0.0/33', false],
  ['10.0/8', false],
  ['10', false],
  ['fd00::/129', false],
  ['10.0.0.0/', false],
  ['loopback', false],
  ['', false],
])('%j is an address or a range: %s', (text, expected) => {
  expect(isAddressRange(text)).toBe(expected);
});

test.each([
  ['http://localhost', true],
  ['http://LOCALHOST.', true],
  ['http://shop.localhost', true],
  ['http://127.9.9.9', true],
  ['http://0x7f.1', true],
  ['http://[::1]', true],
  ['http://[::ffff:127.0.0.1]', true],
  ['http://localhost.example', false],
  ['http://10.0.0.1', false],
  ['http://[fd00::1]', false],
])('%s is this machine: %s', (url, expected) => {
  expect(isLoopbackHost(new URL(url).hostname)).toBe(expected);
});
