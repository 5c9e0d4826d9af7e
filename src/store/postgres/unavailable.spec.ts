import { describe, expect, test } from '@jest/globals';
import { DatabaseError } from 'pg';
import { asPostgresUnavailable } from './unavailable.js';
import { StoreUnavailable } from '../store-unavailable.js';

function answered(code: string, severity = 'ERROR'): DatabaseError {
  return Object.assign(new DatabaseError('till at db.example', 1, 'error'), { code, severity });
}

function broken(code?: string): Error {
  return Object.assign(new Error('connect to till at db.example'), code !== undefined && { code });
}

describe('a server that is lost', () => {
  test.each(['EPIPE', 'EPERM', 'EBADF', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'])(
    'by the system’s code %s',
    (code) => {
      const error = asPostgresUnavailable(broken(code));
      expect(error).toBeInstanceOf(StoreUnavailable);
      expect(String(error)).toContain(`(${code})`);
      expect(String(error)).not.toContain('db.example');
    },
  );

  test('without a code, its message is not shown', () => {
    const error = asPostgresUnavailable(broken());
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(String(error)).not.toContain('db.example');
  });

  test.each([
    ['08006', 'ERROR'],
    ['25006', 'ERROR'],
    ['28P01', 'FATAL'],
    ['3D000', 'FATAL'],
    ['42P01', 'ERROR'],
    ['53300', 'FATAL'],
    ['53100', 'ERROR'],
    ['57P01', 'FATAL'],
    ['58030', 'ERROR'],
    ['XX000', 'FATAL'],
  ])('by its answer %s', (code, severity) => {
    const error = asPostgresUnavailable(answered(code, severity));
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(String(error)).toContain(code);
    expect(String(error)).not.toContain('db.example');
  });

  test('is said once', () => {
    const error = new StoreUnavailable('the database answered 57P01');
    expect(asPostgresUnavailable(error)).toBe(error);
  });
});

describe('what is no matter of the server’s', () => {
  test.each(['23505', '23502', '22P02', '40001', '42601', 'XX000', 'P0001'])('its answer %s', (code) => {
    const error = answered(code);
    expect(asPostgresUnavailable(error)).toBe(error);
  });

  test.each([new TypeError('t'), new RangeError('r'), new SyntaxError('s')])(
    'a fault of the code: %s',
    (error) => {
      expect(asPostgresUnavailable(error)).toBe(error);
    },
  );
});
