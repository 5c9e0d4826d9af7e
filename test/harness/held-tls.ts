import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { until } from './until.js';

/** A TLS front of a gateway whose handshakes wait while the test holds them back. */
export interface HeldTls {
  url: string;
  /** The certificate to trust, a PEM file. */
  caFile: string;
  /** Where what came through goes to: the gateway's address. */
  target: string;
  /** From now on new connections wait before their handshake. */
  hold(): void;
  /** Waits until the service has closed its idle connections, so that its next call makes a new one. */
  drained(withinMs: number): Promise<void>;
  /** How many wait. */
  waiting(): number;
  /** Lets those that wait go on, and new ones through. */
  release(): void;
  close(): Promise<void>;
}

export async function startHeldTls(): Promise<HeldTls> {
  const folder = await mkdtemp(join(tmpdir(), 'tillfront-test-tls-'));
  makeCertificate(folder);
  const [key, cert] = await Promise.all(
    ['key.pem', 'cert.pem'].map((name) => readFile(join(folder, name), 'utf8')),
  );
  const sockets = new Set<Socket>();
  let waiting: Socket[] = [];
  let holding = false;
  const secured: TlsServer = createTlsServer({ key, cert }, (plain) => {
    const { hostname, port } = new URL(front.target);
    const gateway = connect(Number(port), hostname);
    plain.on('error', () => gateway.destroy()).pipe(gateway);
    gateway.on('error', () => plain.destroy()).pipe(plain);
  });
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    if (holding) waiting.push(socket);
    else secured.emit('connection', socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const front: HeldTls = {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    caFile: join(folder, 'cert.pem'),
    target: '',
    hold: () => {
      holding = true;
    },
    drained: (withinMs) => until(() => sockets.size === 0, withinMs),
    waiting: () => waiting.length,
    release: () => {
      holding = false;
      for (const socket of waiting) secured.emit('connection', socket);
      waiting = [];
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
  return front;
}

function makeCertificate(cwd: string): void {
  const made = ['-keyout', 'key.pem', '-out', 'cert.pem', '-days', '2', '-subj', '/CN=localhost'];
  const names = ['-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...made, ...names], {
    cwd,
    stdio: 'ignore',
  });
}
