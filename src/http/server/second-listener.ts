import type { Server } from 'node:http';

/** One more listening server of the same application. It begins and ends with the first one. */
export class SecondListener {
  #server: Server | undefined;
  #ended: Promise<void> | undefined;

  /** Listens. Rejects where the port cannot be had. */
  async open(server: Server, port: number, host: string): Promise<void> {
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, host, () => {
        server.off('error', reject);
        resolve();
      });
    });
  }

  /** From now on takes no connections. Idle ones are ended. */
  beginToClose(): void {
    const server = this.#server;
    if (!server?.listening) return;
    this.#ended = new Promise((resolve) => {
      server.close(() => resolve());
    });
  }

  /** Settled when what was in flight is answered. */
  async closed(): Promise<void> {
    await this.#ended;
  }
}
