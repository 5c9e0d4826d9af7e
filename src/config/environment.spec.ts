import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { ConfigError } from './config-error.js';
import { readEnvironment } from './environment.js';

const folder = mkdtempSync(join(tmpdir(), 'env-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the environment is completed by a file and wins over it', () => {
  const file = join(folder, '.env');
  writeFileSync(file, 'ENVIRONMENT_SPEC_A=file\nPATH=file\n');
  const env = readEnvironment(file);
  expect(env['ENVIRONMENT_SPEC_A']).toBe('file');
  expect(env['PATH']).not.toBe('file');
});

test('without a file it is the environment alone', () => {
  expect(readEnvironment(join(folder, 'none'))['PATH']).toBe(process.env['PATH']);
});

test('a file that cannot be read stops the start', () => {
  expect(() => readEnvironment(tmpdir())).toThrow(ConfigError);
});
