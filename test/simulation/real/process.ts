import { execFileSync } from 'node:child_process';
import { createTestStore, type TestStore } from '../../harness/test-store.js';
import { startTillfront, type Exit, type Tillfront } from '../../harness/tillfront.js';
import { until } from '../../harness/until.js';
import { freePort } from '../../setup/free-port.js';

/** One process of the built service, in whose place another one is started when it ends. */
export class Process {
  isUp = false;
  running: Promise<Tillfront>;

  private constructor(
    private readonly store: TestStore,
    private readonly port: number,
    private readonly env: Readonly<Record<string, string>>,
  ) {
    this.running = this.start();
  }

  /** On PostgreSQL too it has a folder of its own. */
  static async begin(env: (folder: string) => Record<string, string>): Promise<Process> {
    const store = await createTestStore('embedded');
    return new Process(store, await freePort(), env(store.dataDir));
  }

  /** Resolves once it is dead. Another one starts then, or later. */
  async kill(later?: Promise<unknown>): Promise<void> {
    const running = await this.running;
    this.isUp = false;
    await running.kill();
    this.running = Promise.resolve(later).then(() => this.start());
  }

  /** SIGTERM: resolves once it takes no more requests, with its end. */
  async shutDown(): Promise<{ exited: Promise<Exit> }> {
    const running = await this.running;
    this.isUp = false;
    const exited = running.stop();
    this.running = exited.then(() => this.start());
    await until(async () => !(await isReady(running)), 120_000);
    return { exited };
  }

  /** No byte more fits on its disk, or all again. */
  async fill(isFull: boolean): Promise<void> {
    const { pid } = await this.running;
    execFileSync('prlimit', ['--pid', String(pid), `--fsize=${isFull ? '1:unlimited' : 'unlimited'}`]);
  }

  async end(): Promise<void> {
    await (await this.running).kill();
    await this.store.dispose();
  }

  private async start(): Promise<Tillfront> {
    const { store, port, env } = this;
    const gatewayUrl = env['GATEWAY_BASE_URL'] ?? '';
    const running = await startTillfront({ store, port, gatewayUrl, env, readyWithinMs: 300_000 });
    this.isUp = true;
    return running;
  }
}

/** Does something with the folder of the first one while none runs. */
export async function whileStopped(
  processes: readonly Process[],
  work: (folder: string) => Promise<unknown>,
): Promise<void> {
  const { resolve, promise } = Promise.withResolvers<undefined>();
  const folders = await Promise.all(processes.map(async ({ running }) => (await running).dataDir));
  await Promise.all(processes.map((process) => process.kill(promise)));
  await work(folders[0] ?? '');
  resolve(undefined);
  await Promise.all(processes.map(({ running }) => running));
}

export async function isReady({ url }: Pick<Tillfront, 'url'>): Promise<boolean> {
  return (await fetch(`${url}/health/ready`).catch(() => undefined))?.ok ?? false;
}
