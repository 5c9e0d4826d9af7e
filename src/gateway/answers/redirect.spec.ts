import { expect, test } from '@jest/globals';
import { isSafeRedirect } from './redirect-reader.js';

test.each<[string, boolean, boolean]>([
  // address, in test mode, in live mode
  ['https://bank.example/acs?x=1', true, true],
  ['https://127.0.0.1/acs', true, true],
  ['http://127.0.0.1:4000/acs', true, false],
  ['http://localhost:4000/acs', true, false],
  ['http://[::1]:4000/acs', true, false],
  ['http://127.0.0.1.evil.example/', false, false],
  ['http://bank.example/acs', false, false],
  ['http://10.0.0.1/', false, false],
  ['https://bank.example@evil.example/', false, false],
  ['https://user:pw@bank.example/', false, false],
  ['javascript:alert(1)', false, false],
  ['data:text/html,x', false, false],
  ['//bank.example/', false, false],
  ['/acs', false, false],
  ['', false, false],
  [' https://bank.example/', false, false],
  ['https://bank.example/\nx', false, false],
  ['https:\\\\bank.example/', false, false],
])('%j', (url, inTest, inLive) => {
  expect(isSafeRedirect(url, 'test')).toBe(inTest);
  expect(isSafeRedirect(url, 'live')).toBe(inLive);
});
