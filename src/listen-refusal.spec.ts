import { expect, test } from '@jest/globals';
import { listenRefusal } from './serve.js';

const where = { host: 'till.internal', port: 3000, merchantPort: 3100, managementPort: 9000 };

function failure(fields: object): Error {
  return Object.assign(new Error('it failed'), { syscall: 'listen' }, fields);
}

test.each([
  [{ code: 'EADDRINUSE', port: 3000 }, /^Port 3000 is in use: .* set PORT to another port\.$/],
  [{ code: 'EADDRINUSE', port: 3100 }, /set MERCHANT_PORT to another port\.$/],
  [{ code: 'EADDRINUSE', port: 9000 }, /set MANAGEMENT_PORT to another port\.$/],
  [{ code: 'EACCES', port: 3000 }, /^This user may not listen on port 3000: set PORT to a port of 1024/],
  [{ code: 'EADDRNOTAVAIL', port: 3000 }, /^HOST till\.internal is not an address of this machine\.$/],
  [{ code: 'ENOTFOUND', syscall: 'getaddrinfo' }, /^HOST till\.internal cannot be resolved/],
])('%j is explained in one line', (fields, expected) => {
  expect(listenRefusal(failure(fields), where)).toMatch(expected);
});

test.each([
  [{ code: 'EADDRINUSE', port: 4000 }],
  [{ code: 'EMFILE', port: 3000 }],
  [{ code: 'ECONNREFUSED', syscall: 'connect', port: 3000 }],
])('%j is something else', (fields) => {
  expect(listenRefusal(failure(fields), where)).toBeUndefined();
});

test('an error without a system call is something else', () => {
  expect(listenRefusal(new Error('no'), where)).toBeUndefined();
});
