import { expect, test } from '@jest/globals';
import { auditRequestId, isAuditUser } from './audit-trail.js';

const OWN = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test.each([
  ['0c3f8f3e-6b5c-4f0e-9f0a-1d2c3b4a5968'],
  ['0C3F8F3E-6B5C-4F0E-9F0A-1D2C3B4A5968'],
  ['4bf92f3577b34da6a3ce929d0e0e4736'],
])('%s is kept', (id) => {
  expect(auditRequestId(id)).toBe(id);
});

test.each([
  ['order-17'],
  ['4111111111111111'],
  ['cvv-123'],
  ['41111111-1111-1111-1111-111111111111'],
  ['4bf92f3577b34da6a3ce929d0e0e47361'],
  ['ada.obi'],
])('in place of %s there is one of the audit’s own', (id) => {
  expect(auditRequestId(id)).toMatch(OWN);
  expect(auditRequestId(id)).not.toBe(id);
});

test.each([['anna'], ['anna.obi@shop.example'], ['svc-2026'], ['uid-1000'], ['uid-4294967294']])(
  '%s may be named',
  (user) => {
    expect(isAuditUser(user)).toBe(true);
  },
);

test.each([
  ['4111111111111111'],
  ['4111.1111.1111.1111'],
  ['a4111-1111-1111-1111'],
  ['08012345678'],
  ['uid-41111111111'],
  ['ann a'],
  [''],
  ['x'.repeat(65)],
])('%s may not', (user) => {
  expect(isAuditUser(user)).toBe(false);
});
