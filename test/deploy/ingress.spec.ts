import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'node:https';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { until } from '../harness/until.js';
import { startProbe, type Probe } from '../http/probe-app.js';
import { freePort } from '../setup/free-port.js';

/** Debian's nginx with the shipped configuration, in front of the service's own edge. */

const NGINX = '/usr/sbin/nginx';
const ingress = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../deploy/ingress', name), 'utf8');

let folder: string;
let probe: Probe;
let nginx: ChildProcess;
let port: number;

beforeAll(async () => {
  expect(existsSync(NGINX)).toBe(true);
  folder = mkdtempSync(join(tmpdir(), 'ingress-'));
  probe = await startProbe({ trustProxy: 1 });
  port = await freePort();
  const [key, certificate] = [join(folder, 'tls.key'), join(folder, 'tls.crt')];
  const subject = ['-subj', '/CN=pay.example', '-days', '1', '-nodes', '-newkey', 'ec:/dev/null'];
  spawnSync('openssl', ['ecparam', '-name', 'prime256v1', '-out', join(folder, 'curve')]);
  subject[subject.length - 1] = `ec:${join(folder, 'curve')}`;
  spawnSync('openssl', ['req', '-x509', ...subject, '-keyout', key, '-out', certificate]);
  const file = join(folder, 'nginx.conf');
  const plain = await freePort();
  writeFileSync(
    file,
    `pid ${folder}/pid;\ndaemon off;\n${ingress('nginx.conf')}`
      .replace('/etc/nginx/tls/tls.crt', certificate)
      .replace('/etc/nginx/tls/tls.key', key)
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('listen 80', `listen 127.0.0.1:${plain}`)
      .replace('server 127.0.0.1:3000', `server 127.0.0.1:${probe.port}`),
  );
  nginx = spawn(NGINX, ['-c', file, '-p', folder], { stdio: 'ignore' });
  await until(async () => (await ask('/v1/things/1').catch(() => ({ status: 0 }))).status === 200);
});
afterAll(async () => {
  nginx?.kill();
  await probe?.app.close();
  rmSync(folder, { recursive: true, force: true });
});

function ask(path: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers, rejectUnauthorized: false, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    })
      .on('error', reject)
      .end();
  });
}

test('the caller’s address is the peer’s, whatever it says itself', async () => {
  const { text } = await ask('/v1/address', { 'x-forwarded-for': '203.0.113.7' });
  expect(JSON.parse(text)).toEqual({ address: '127.0.0.1' });
});

test('30 KB of cookies come through on the way back from the bank, and are refused elsewhere', async () => {
  const headers = { cookie: 'a=b; '.repeat(5_900) };
  expect((await ask('/console', headers)).status).toBe(200);
  expect((await ask('/v1/things/1', headers)).status).toBe(431);
});

test('a flood of one address is slowed down', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 200 }, async () => (await ask('/v1/things/1').catch(() => ({ status: 0 }))).status),
  );
  expect(statuses).toContain(200);
  expect(statuses.filter((status) => status !== 200).length).toBeGreaterThan(20);
});

test('the configuration for Kubernetes is an Ingress to the payers’ port with the same limits', () => {
  const [route, settings] = parseAllDocuments(ingress('kubernetes.yaml')).map(
    (document) => document.toJS() as Record<string, unknown>,
  );
  expect(route).toMatchObject({
    kind: 'Ingress',
    metadata: {
      annotations: {
        'nginx.ingress.kubernetes.io/limit-connections': '64',
        'nginx.ingress.kubernetes.io/proxy-next-upstream': 'off',
      },
    },
  });
  expect(settings).toMatchObject({ kind: 'ConfigMap', data: { 'client-header-timeout': '10' } });
});
