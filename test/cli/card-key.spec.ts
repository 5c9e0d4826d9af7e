import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { CompactEncrypt, importJWK, type JWK } from 'jose';
import { chmod, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { approved, answer } from '../harness/gateway-answers.js';
import { card, device } from '../harness/client.js';
import { startScene } from '../harness/scene.js';
import { until } from '../harness/until.js';
import { runCli } from './run-cli.js';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'card-key-'));
  file = join(folder, 'card.pem');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Key {
  kid: string;
  bits: number;
}

const rotate = async (...options: string[]) =>
  (await runCli(['card-key', 'rotate', '--json', ...options], { CARD_ENCRYPTION_KEY_FILE: file })).json<{
    key: Key;
    kept: Key[];
    dropped: Key[];
    followed: boolean;
  }>();

describe('card-key', () => {
  test('rotate makes the first key, then puts each new one first and keeps one of the former', async () => {
    const first = await rotate();
    expect(first).toMatchObject({ followed: true, kept: [], dropped: [], key: { bits: 2048 } });
    const second = await rotate();
    expect([second.kept, second.dropped]).toEqual([[first.key], []]);
    const third = await rotate();
    expect([third.kept, third.dropped]).toEqual([[second.key], [first.key]]);
    const fourth = await rotate('--keep', '0');
    expect([fourth.kept, fourth.dropped]).toEqual([[], [third.key, second.key]]);

    const listed = await runCli(['card-key', 'list', '--json', '--file', file]);
    expect(listed.json()).toEqual({ file, keys: [fourth.key] });
    expect(await readdir(folder)).toEqual(['card.pem']);
  });

  test('only its owner can read a new file, and an old one keeps its mode', async () => {
    await rotate();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await chmod(file, 0o640);
    await rotate();
    expect((await stat(file)).mode & 0o777).toBe(0o640);
  });

  test('nothing private is shown', async () => {
    const { stdout, stderr } = await runCli(['card-key', 'rotate', '--file', file]);
    const pem = await readFile(file, 'utf8');
    for (const line of pem.split('\n').filter((text) => text.length > 40)) {
      expect(stdout + stderr).not.toContain(line);
    }
    expect(stdout).not.toContain('PRIVATE KEY');
  });

  test('a key that stands in the environment itself cannot be changed there', async () => {
    const { code, stderr } = await runCli(['card-key', 'rotate'], { CARD_ENCRYPTION_KEY: 'x' });
    expect([code, stderr]).toEqual([4, expect.stringContaining('CARD_ENCRYPTION_KEY_FILE')]);
  });

  test.each([
    ['no file', ['card-key', 'list', '--file', '/nowhere.pem'], 'cannot be read'],
    ['no key in it', ['card-key', 'list', '--file', 'package.json'], 'no private key'],
    ['no folder', ['card-key', 'rotate', '--file', '/nowhere/card.pem'], 'cannot be written'],
  ])('%s', async (_what, args, message) => {
    const { code, stderr } = await runCli(args);
    expect([code, stderr]).toEqual([4, expect.stringContaining(message)]);
  });

  test('a running service hands out the new key, and still opens what the former one closed', async () => {
    const former = (await rotate()).key;
    const scene = await startScene('embedded', {
      CARD_ENCRYPTION_KEY: undefined,
      CARD_ENCRYPTION_KEY_FILE: file,
    });
    try {
      const publicKey = async () => (await scene.client.get<JWK>('/v1/card-encryption-key')).body;
      const before = await publicKey();
      expect(before.kid).toBe(former.kid);
      const session = await scene.client.createSession();
      const encryptedCard = await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(card)))
        .setProtectedHeader({
          alg: 'RSA-OAEP-256',
          enc: 'A256GCM',
          kid: before.kid,
          sid: session.id,
          iat: Math.floor(Date.now() / 1000),
        })
        .encrypt(await importJWK(before, 'RSA-OAEP-256'));
      const { key } = await rotate();
      await until(async () => (await publicKey()).kid === key.kid);
      scene.gateway.script('POST /payment/card', answer(approved));
      const paid = await scene.client.post<{ status: string }>(
        '/v1/payments/card',
        { encryptedCard, device },
        { token: session.clientToken },
      );
      expect([paid.status, paid.body.status]).toEqual([201, 'succeeded']);
    } finally {
      await scene.stop();
    }
  });
});
