import { expect, test } from '@jest/globals';
import { OpenedFiles } from './opened-files.js';

/** The file at each path, or the error of looking at it. */
function looking(at: Record<string, number | string>): OpenedFiles {
  return new OpenedFiles('/data/till.db', (path) => {
    const found = at[path] ?? 'ENOENT';
    if (typeof found === 'number') return { dev: 1, ino: found };
    throw Object.assign(new Error(found), { code: found });
  });
}

const file = '/data/till.db';
const log = '/data/till.db-wal';

test.each<[string, Record<string, number | string>, object | undefined]>([
  ['the same files', {}, undefined],
  ['another database', { [file]: 7 }, { path: file }],
  ['another log', { [log]: 7 }, { path: log }],
  ['a removed database', { [file]: 'ENOENT' }, { path: file }],
  ['a removed log', { [log]: 'ENOENT' }, { path: log }],
  ['a folder that is a file now', { [file]: 'ENOTDIR', [log]: 'ENOTDIR' }, { path: file }],
  ['a disk that fails', { [file]: 'EIO' }, { path: file, error: 'EIO' }],
  ['a folder that was closed to it', { [file]: 'EACCES', [log]: 'EACCES' }, { path: file, error: 'EACCES' }],
  ['a network folder that went away', { [log]: 'ESTALE' }, { path: log, error: 'ESTALE' }],
])('%s', (_name, change, expected) => {
  const now: Record<string, number | string> = { [file]: 1, [log]: 2 };
  const files = looking(now);
  expect(files.changed()).toBeUndefined();
  Object.assign(now, change);
  expect(files.changed()).toEqual(expected);
  Object.assign(now, { [file]: 1, [log]: 2 });
  expect(files.changed()).toBeUndefined();
});

test('a log counts from when it is first seen', () => {
  const now: Record<string, number | string> = { [file]: 1 };
  const files = looking(now);
  expect(files.changed()).toBeUndefined();
  now[log] = 2;
  expect(files.changed()).toBeUndefined();
  now[log] = 3;
  expect(files.changed()).toEqual({ path: log });
});
