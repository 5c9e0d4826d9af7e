import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer, type SecureContextOptions } from 'node:tls';
import type { Bench } from './bench.ts';

const openssl = (cwd: string, ...args: string[]): void =>
  void execFileSync('openssl', args, { cwd, stdio: 'pipe' });

/** A certificate authority of the drill's own. Returns the file of its certificate. */
export function makeAuthority(folder: string): string {
  const named = ['-subj', '/CN=Drill CA', '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2'];
  openssl(folder, 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...named);
  const settings =
    '[ca]\ndefault_ca=d\n[d]\ndatabase=index\nnew_certs_dir=.\nserial=serial\npolicy=p\ndefault_md=sha256\nunique_subject=no\n[p]\ncommonName=supplied\n[e]\nsubjectAltName=DNS:localhost\n';
  for (const [file, text] of Object.entries({ 'ca.cnf': settings, index: '', serial: '01' }))
    writeFileSync(join(folder, file), text);
  openssl(
    folder,
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=localhost',
    '-keyout',
    'key.pem',
    '-out',
    'request.pem',
  );
  return join(folder, 'ca.pem');
}

/** A certificate for localhost that ends then, in milliseconds of the wall clock. */
export function issue(folder: string, until: number): SecureContextOptions {
  const end = new Date(until).toISOString().replace(/\D/g, '').slice(0, 14);
  const signed = [
    '-cert',
    'ca.pem',
    '-keyfile',
    'ca.key',
    '-in',
    'request.pem',
    '-out',
    'cert.pem',
    '-extensions',
    'e',
  ];
  openssl(folder, 'ca', '-config', 'ca.cnf', '-batch', '-notext', '-enddate', `${end}Z`, ...signed);
  return { key: readFileSync(join(folder, 'key.pem')), cert: readFileSync(join(folder, 'cert.pem')) };
}

/** What answers for the gateway over TLS. */
export async function startTlsFront(
  bench: Bench,
  first: SecureContextOptions,
): Promise<{ port: number; cut: () => void; use: (next: SecureContextOptions) => void }> {
  const sockets = new Set<Socket>();
  const server = createServer({ ...first }, (plain) => {
    const gateway = connect(bench.sandbox.port, '127.0.0.1');
    plain.on('error', () => gateway.destroy()).pipe(gateway);
    gateway.on('error', () => plain.destroy()).pipe(plain);
  });
  server.on(
    'connection',
    (socket: Socket) => void sockets.add(socket.on('close', () => sockets.delete(socket))),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  bench.finally(() => {
    cut();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, cut, use: (next) => server.setSecureContext(next) };
}
