import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isOpenToOthers, keepPrivate } from './private-file.js';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'private-'))));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  [0o644, 0o600, true],
  [0o666, 0o600, true],
  [0o640, 0o600, true],
  [0o604, 0o600, true],
  [0o600, 0o600, false],
  [0o400, 0o400, false],
])('a file of mode %o becomes %o', (before, after, open) => {
  const path = join(folder, `f${before}`);
  writeFileSync(path, 'x');
  chmodSync(path, before);
  expect(isOpenToOthers(path)).toBe(open);
  keepPrivate(path);
  expect(statSync(path).mode & 0o777).toBe(after);
  expect(isOpenToOthers(path)).toBe(false);
});

test('one that is not there is no fault', () => {
  const path = join(folder, 'none');
  expect(isOpenToOthers(path)).toBe(false);
  keepPrivate(path);
});
