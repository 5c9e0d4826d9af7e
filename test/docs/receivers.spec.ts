import { afterEach, describe, expect, test } from '@jest/globals';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { signatureHeaders } from '../../src/webhooks/sender.js';
import { freePort } from '../setup/free-port.js';
import { until } from '../harness/until.js';
import { needProgram, type Program } from '../setup/program.js';
import { blocksOf } from './markdown.js';

/** The receivers of `examples/receiver`, each as a process of its own, with the secret that the command of docs/webhooks.md makes. */

const [secretCommand] = blocksOf('webhooks.md').filter(({ language }) => language === 'sh');

interface Receiver {
  language: string;
  file: string;
  programs: Program[];
  command: (port: number) => [string, ...string[]];
}

const RECEIVERS: Receiver[] = [
  {
    language: 'ts',
    file: 'receiver.ts',
    programs: [],
    command: () => [process.execPath, 'receiver.ts'],
  },
  {
    language: 'php',
    file: 'receiver.php',
    programs: ['php'],
    command: (port) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'],
  },
];

let child: ChildProcess | undefined;
let directory: string | undefined;

afterEach(async () => {
  child?.kill('SIGKILL');
  if (directory !== undefined) await rm(directory, { recursive: true, force: true });
});

describe.each(RECEIVERS)('the receiver in $language', ({ file, programs, command }) => {
  test('takes a genuine event, and refuses one that is forged, old or of another secret', async () => {
    for (const program of programs) needProgram(program);
    const secret = execFileSync('bash', ['-c', secretCommand?.code ?? ''], { encoding: 'utf8' }).trim();
    directory = await mkdtemp(join(tmpdir(), 'tillfront-test-docs-'));
    await writeFile(join(directory, 'package.json'), '{"type":"module"}');
    await copyFile(join('examples/receiver', file), join(directory, file));
    await symlink(resolve('node_modules'), join(directory, 'node_modules'));
    const port = await freePort();
    const [program, ...words] = command(port);
    let output = '';
    child = spawn(program, words, {
      cwd: directory,
      env: { PATH: process.env['PATH'], PORT: String(port), WEBHOOK_SECRET: secret },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    const event = { id: 'evt_1', body: '{"id":"evt_1","type":"payment.succeeded","data":{"city":"Ìkòyí"}}' };
    const post = (body: string, at = Date.now(), secrets = [secret]): Promise<number> =>
      fetch(`http://127.0.0.1:${port}/hooks`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...signatureHeaders(event, at, secrets) },
        body,
      }).then(
        (response) => response.status,
        () => 0,
      );
    await until(async () => (await post(event.body)) !== 0 || child?.exitCode !== null, 60_000);
    const other = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
    const statuses = {
      genuine: await post(event.body),
      duringAChangeOfTheSecret: await post(event.body, Date.now(), [other, secret]),
      forged: await post(event.body.replace('evt_1', 'evt_2')),
      old: await post(event.body, Date.now() - 600_000),
      ofAnotherSecret: await post(event.body, Date.now(), [other]),
    };
    expect({ statuses, output }).toEqual({
      statuses: {
        genuine: 204,
        duringAChangeOfTheSecret: 204,
        forged: 400,
        old: 400,
        ofAnotherSecret: 400,
      },
      output: expect.not.stringMatching(/error|exception|warning/i),
    });
  });
});
