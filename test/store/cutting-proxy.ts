import { connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy before PostgreSQL that cuts connections while answers are on their way. */
export class CuttingProxy {
  /** Of so many pieces that the server answers, about one is swallowed with its connection. 0: none. */
  oneIn = 0;
  cuts = 0;
  private readonly sockets = new Set<Socket>();
  private seed = 7;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async before(url: string): Promise<CuttingProxy> {
    const target = new URL(url);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no address');
    const own = new URL(url);
    own.port = String(address.port);
    const proxy = new CuttingProxy(server, own.href);
    server.on('connection', (client) => {
      proxy.join(client, connect(Number(target.port), target.hostname));
    });
    return proxy;
  }

  /** Cuts all connections now. */
  cutAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async end(): Promise<void> {
    this.cutAll();
    if (!this.server.listening) return;
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket, server: Socket): void {
    const both = [client, server];
    const end = (): void => {
      for (const socket of both) socket.destroy();
    };
    for (const socket of both) {
      this.sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', end);
      socket.on('close', () => {
        this.sockets.delete(socket);
        end();
      });
    }
    client.on('data', (data) => server.write(data));
    server.on('data', (data) => {
      if (this.oneIn > 0 && this.chance() % this.oneIn === 0) {
        this.cuts += 1;
        end();
      } else client.write(data);
    });
  }

  /** The same in each run. */
  private chance(): number {
    this.seed = (this.seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return this.seed >> 8;
  }
}
