import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '../../test/harness/until.js';
import { SecretFile, type UnusableContent } from '../secrets/secret-file.js';
import { watchFiles } from './watch-files.js';

let folder: string;
let end: () => void = () => undefined;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'watched-'))));
afterEach(() => {
  end();
  rmSync(folder, { recursive: true });
});

test('a secret file that becomes malformed is said once, though nothing asks for the secret', async () => {
  const path = join(folder, 'secret');
  writeFileSync(path, 'good');
  let now = 0;
  const file = new SecretFile(path, {
    variable: 'X_FILE',
    now: () => (now += 5_000),
    check: (value) => (value.includes(' ') ? 'must have no blanks' : undefined),
  });
  const said: UnusableContent[] = [];
  end = watchFiles({ secretFiles: [file], tls: {} }, (unusable) => said.push(unusable), 5);
  writeFileSync(path, 'bad content');
  await until(() => said.length > 0);
  const before = now;
  await until(() => now > before + 20_000);
  expect(said).toEqual([{ variable: 'X_FILE', reason: 'must have no blanks' }]);
  expect(file.current()).toBe('good');
  writeFileSync(path, 'also bad, in another way');
  rmSync(path);
  await until(() => said.length > 1);
  expect(said[1]).toEqual({ variable: 'X_FILE', reason: 'names a file that cannot be read' });
});

test.each([
  ['without a certificate', 'garbage'],
  ['in another form than PEM', new X509Certificate(rootCertificates[0] ?? '').raw],
  [
    'whose second certificate is garbage',
    `${rootCertificates[0] ?? ''}\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`,
  ],
])('so is a CA file %s, and again after it was right', async (_what, garbage) => {
  const caFile = join(folder, 'ca.pem');
  const good = rootCertificates[0] ?? '';
  writeFileSync(caFile, good);
  const said: UnusableContent[] = [];
  end = watchFiles({ secretFiles: [], tls: { caFile } }, (unusable) => said.push(unusable), 5);
  for (let round = 1; round <= 2; round++) {
    writeFileSync(caFile, garbage);
    await until(() => said.length === round);
    writeFileSync(caFile, good);
    // Two looks later what was said is forgotten; that it is, the next round shows.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(said[1]).toEqual({
    variable: 'GATEWAY_CA_FILE',
    reason: 'names a file that is no readable PEM certificate',
  });
});
