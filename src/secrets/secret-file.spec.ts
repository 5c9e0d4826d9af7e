import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SecretFile, SecretFileError } from './secret-file.js';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secret-'));
  path = join(folder, 'secret');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A secret file with a clock of our own. */
function opened(check?: (value: string) => string | undefined) {
  let time = 0;
  const warnings: string[] = [];
  const file = new SecretFile(path, {
    variable: 'X_FILE',
    now: () => time,
    ...(check ? { check } : {}),
  });
  file.onUnusable(({ variable, reason }) => warnings.push(`${variable}: ${reason}`));
  return { file, warnings, wait: (ms: number) => void (time += ms) };
}

describe('the first read', () => {
  test.each([
    ['abc', 'abc'],
    ['abc\n', 'abc'],
    ['abc\r\n', 'abc'],
    ['abc\n\n', 'abc'],
    [' a b ', ' a b '],
    ['-----BEGIN\nline\n-----END\n', '-----BEGIN\nline\n-----END'],
  ])('takes %j as %j', (content, value) => {
    writeFileSync(path, content);
    expect(opened().file.current()).toBe(value);
  });

  test.each([
    ['an empty file', () => writeFileSync(path, '')],
    ['a blank file', () => writeFileSync(path, ' \n\n')],
    ['no file', () => undefined],
    ['a folder', () => void mkdirSync(path)],
    ['a huge file', () => writeFileSync(path, 'x'.repeat(70_000))],
  ])('refuses %s and names neither path nor content', (_name, prepare) => {
    prepare();
    expect(() => opened()).toThrow(SecretFileError);
    expect(() => opened()).toThrow(/^names (?!.*(secret-|xxx))/);
  });
});

describe('a changed file', () => {
  test('counts within 10 s', () => {
    writeFileSync(path, 'old');
    const { file, wait } = opened();
    writeFileSync(path, 'new');
    for (let second = 0; second < 10; second++) {
      file.current();
      wait(1_000);
    }
    expect(file.current()).toBe('new');
  });

  test('is read at most every few seconds, however often it is asked for', () => {
    writeFileSync(path, 'old');
    const { file, wait } = opened();
    writeFileSync(path, 'new');
    wait(4_000);
    expect(file.current()).toBe('old');
  });

  test('counts where a link is pointed elsewhere, as container platforms change secrets', () => {
    for (const version of ['1', '2']) writeFileSync(join(folder, version), `value-${version}`);
    symlinkSync(join(folder, '1'), path);
    const { file, wait } = opened();
    symlinkSync(join(folder, '2'), join(folder, 'next'));
    renameSync(join(folder, 'next'), path);
    wait(10_000);
    expect(file.current()).toBe('value-2');
  });

  test.each([
    ['missing', () => rmSync(path)],
    ['empty', () => writeFileSync(path, '')],
    ['malformed', () => writeFileSync(path, 'bad content')],
    [
      'a folder',
      () => {
        rmSync(path);
        mkdirSync(path);
      },
    ],
  ])('that is %s leaves the last good value, with one warning that shows nothing of it', (_name, spoil) => {
    writeFileSync(path, 'good');
    const { file, wait, warnings } = opened((value) =>
      value.includes(' ') ? 'must have no blanks' : undefined,
    );
    spoil();
    for (let round = 0; round < 3; round++) {
      wait(10_000);
      expect(file.current()).toBe('good');
    }
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^X_FILE: (?:must|names|is no longer)/);
    expect(warnings[0]).not.toMatch(/content|secret-/);
    rmSync(path, { recursive: true, force: true });
    writeFileSync(path, 'better');
    wait(10_000);
    expect(file.current()).toBe('better');
  });
});

test('a pipe is read once, for reading it again would block', () => {
  execFileSync('mkfifo', [path]);
  const writer = spawn('sh', ['-c', `printf piped > '${path}'`], { stdio: 'ignore' });
  const { file, wait } = opened();
  wait(60_000);
  expect(file.current()).toBe('piped');
  writer.kill();
});
