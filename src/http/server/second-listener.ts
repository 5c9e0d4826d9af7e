import type { Server } from 'node:http';

/** A second listening server of the same application. It starts and stops with the first one. */
export class SecondListener {
  #server: Server | undefined;
  #ended: Promise<void> | undefined;

  /** Listens. Rejects where the port is not available. */
  async open(server: Server, port: number, host: string): Promise<void> {
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, host, () => {
        server.off('error', reject);
        resolve();
      });
    });
  }

  /** Stops accepting connections and closes idle ones. */
  beginToClose(): void {
    const server = this.#server;
    if (!server?.listening) return;
    this.#ended = new Promise((resolve) => {
      server.close(() => resolve());
    });
  }

  /** Resolves when all requests in flight are answered. */
  async closed(): Promise<void> {
    await this.#ended;
  }
}
