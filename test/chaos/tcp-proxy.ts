import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What happens to connections: let through, refused, reset at once, swallowed without an answer, or let through without the answers. */
export type ProxyMode = 'open' | 'refuse' | 'reset' | 'swallow' | 'one-way';

/** A line that can be cut, between the service and its gateway or its database. */
export class TcpProxy {
  readonly #target: () => { host: string; port: number };
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #server: Server | undefined;
  #mode: ProxyMode = 'open';
  #port = 0;

  constructor(target: { host: string; port: number } | (() => { host: string; port: number })) {
    this.#target = typeof target === 'function' ? target : () => target;
  }

  get port(): number {
    return this.#port;
  }

  async start(): Promise<void> {
    await this.#listen();
  }

  /** From now on; connections that exist are cut by every mode but `open`. */
  async turn(mode: ProxyMode): Promise<void> {
    this.#mode = mode;
    if (mode !== 'open') this.cut();
    if (mode === 'refuse') await this.#unlisten();
    else if (!this.#server) await this.#listen();
  }

  /** Resets every connection that exists, also those that only wait for their next request. */
  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.resetAndDestroy();
    this.#pairs.clear();
  }

  /** Lets everything through from now on, but nothing back, on the connections that exist. */
  mute(): void {
    for (const [client, target] of this.#pairs) {
      target.unpipe(client);
      target.resume();
    }
  }

  /** How many connections are open. */
  get connections(): number {
    return this.#pairs.size;
  }

  async stop(): Promise<void> {
    this.cut();
    await this.#unlisten();
  }

  async #listen(): Promise<void> {
    const server = createServer((client) => this.#accept(client));
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, '127.0.0.1', resolve);
    });
    this.#port = (server.address() as AddressInfo).port;
  }

  async #unlisten(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server) await new Promise((resolve) => server.close(resolve));
  }

  #accept(client: Socket): void {
    client.on('error', () => client.destroy());
    if (this.#mode === 'reset') {
      client.resetAndDestroy();
      return;
    }
    if (this.#mode === 'swallow') {
      const pair = [client, client] as const;
      this.#pairs.add(pair);
      client.resume().once('close', () => this.#pairs.delete(pair));
      return;
    }
    const target = connect({ ...this.#target(), noDelay: true });
    client.setNoDelay(true);
    const pair = [client, target] as const;
    this.#pairs.add(pair);
    target.on('error', () => client.destroy());
    client.pipe(target);
    if (this.#mode === 'one-way') target.resume();
    else target.pipe(client);
    client.once('close', () => {
      target.destroy();
      this.#pairs.delete(pair);
    });
    target.once('close', () => client.destroy());
  }
}
