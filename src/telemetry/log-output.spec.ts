import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../test/harness/until.js';
import { LogOutput } from './log-output.js';

let folder: string;
let fd: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-'));
  fd = openSync(join(folder, 'log'), 'a');
});
afterEach(() => {
  closeSync(fd);
  rmSync(folder, { recursive: true });
});
const written = () => readFileSync(join(folder, 'log'), 'utf8');
const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `{"line":${index},"text":"₦"}\n`);

describe('the output of the log', () => {
  test('writes every line once, in order, over many turns', async () => {
    const output = new LogOutput(fd);
    for (const line of lines(500)) {
      output.write(line);
      if (Math.random() < 0.1) await new Promise((resolve) => setImmediate(resolve));
    }
    await output.flush();
    expect(written()).toBe(lines(500).join(''));
  });

  test('does not write within the call', () => {
    const output = new LogOutput(fd);
    output.write('{}\n');
    expect(written()).toBe('');
    output.flushSync();
    expect(written()).toBe('{}\n');
  });

  test('has everything written when a synchronous flush returns', () => {
    const output = new LogOutput(fd);
    for (const line of lines(100)) output.write(line);
    output.flushSync();
    expect(written()).toBe(lines(100).join(''));
  });

  test('goes on after a synchronous flush', async () => {
    const output = new LogOutput(fd);
    output.write('a\n');
    output.flushSync();
    output.write('b\n');
    await output.flush();
    output.write('c\n');
    await output.flush();
    expect(written()).toBe('a\nb\nc\n');
  });

  test('drops lines rather than filling the memory, and says how many', async () => {
    const output = new LogOutput(fd, { maxWaiting: 10 });
    for (let index = 0; index < 5; index++) output.write('12345\n');
    await output.flush();
    const [first, second] = written().split('\n');
    expect(first).toBe('12345');
    expect(JSON.parse(second ?? '')).toMatchObject({ event: 'log.dropped', count: 4 });
  });

  test('goes on by itself when a disk that was full has room, and says how many lines were lost', async () => {
    // A real file system without any room: what cannot be made here is tried with a device that is always full.
    const full = openSync('/dev/full', 'w');
    const held = join(folder, 'held');
    let lost = 0;
    const output = new LogOutput(full, { maxWaiting: 10, lost: (count) => (lost += count) });
    output.write('first\n');
    await output.flush();
    expect(lost).toBe(0);
    for (let index = 0; index < 5; index++) output.write('12345\n');
    expect(lost).toBe(4);
    // The same descriptor is a file with room from now on.
    closeSync(full);
    const reopened = openSync(held, 'a');
    expect(reopened).toBe(full);
    try {
      await until(() => readFileSync(held, 'utf8').split('\n').length > 3);
      const [first, second, third] = readFileSync(held, 'utf8').split('\n');
      expect([first, second]).toEqual(['first', '12345']);
      expect(JSON.parse(third ?? '')).toMatchObject({ event: 'log.dropped', count: 4, cause: 'ENOSPC' });
      output.write('later\n');
      await output.flush();
      expect(readFileSync(held, 'utf8')).toMatch(/later\n$/);
    } finally {
      closeSync(reopened);
    }
  });

  test('a pipe that nobody reads any longer is given up, and each line counts as lost', async () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(path, 'w');
    closeSync(reader);
    let lost = 0;
    const output = new LogOutput(writer, { lost: (count) => (lost += count) });
    output.write('a\n');
    await output.flush();
    output.write('b\n');
    closeSync(writer);
    expect(lost).toBe(2);
  });

  test.each(['flush', 'flushSync'] as const)(
    'an output that takes nothing holds nobody up: %s does not hang',
    async (flush) => {
      const full = openSync('/dev/full', 'w');
      const output = new LogOutput(full);
      output.write('a\n');
      await output[flush]();
      output.write('b\n');
      await output[flush]();
      // What waits does so every time; a busy machine takes its time now and then.
      let fastest = Infinity;
      for (let time = 0; time < 3; time++) {
        const start = performance.now();
        await output[flush]();
        fastest = Math.min(fastest, performance.now() - start);
      }
      // It tries again for as long as it lives: what is opened next under this number must not be somebody else's socket.
      closeSync(full);
      const held = join(folder, 'held');
      const reopened = openSync(held, 'a');
      expect(reopened).toBe(full);
      output.write('end\n');
      await until(() => readFileSync(held, 'utf8').includes('end\n'));
      await output.flush();
      closeSync(reopened);
      expect(fastest).toBeLessThan(500);
    },
  );
});
