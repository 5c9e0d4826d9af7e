import { Agent } from 'node:http';
import { expect, test } from '@jest/globals';
import { startTestSandbox } from '../harness/sandbox.js';
import { createTestStore } from '../harness/test-store.js';
import { startTillfront, testKeys, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { freePort } from '../setup/free-port.js';
import { BILLING, cardBody, PAYER } from './bodies.ts';
import { call, pause, type Call, type Reply } from './calls.ts';
import { TcpProxy } from './tcp-proxy.ts';

/** A deployment replaces one replica after the other, behind a balancer that looks at readiness as others do. */

/** So much longer than a look at readiness that a busy machine may take its time. */
const DRAIN_MS = 12_000;
const LOOK_EVERY_MS = 100;
const BUYERS = 4;

/** Gives each new connection to the next replica that was ready when it last looked. */
class Balancer {
  readonly proxy = new TcpProxy(() => ({ host: '127.0.0.1', port: this.#next() }));
  readonly ready = new Set<number>();
  #turn = 0;
  #looking = true;

  constructor(ports: readonly number[]) {
    for (const port of ports) void this.#watch(port);
  }

  async stop(): Promise<void> {
    this.#looking = false;
    await this.proxy.stop();
  }

  /** One look after the other, so that a slow answer of before is never the last word. */
  async #watch(port: number): Promise<void> {
    const url = `http://127.0.0.1:${port}/health/ready`;
    while (this.#looking) {
      const reply = await call({ method: 'GET', url });
      if (reply.answered && reply.status === 200) this.ready.add(port);
      else this.ready.delete(port);
      await pause(LOOK_EVERY_MS);
    }
  }

  #next(): number {
    this.#turn += 1;
    return [...this.ready].at(this.#turn % this.ready.size) ?? 0;
  }
}

/** Pays one order after the other until it is told to end. Every reply that is no success is kept. */
class Buyer {
  requests = 0;
  readonly lost: string[] = [];
  going = true;
  readonly #agent: Agent;

  constructor(
    private readonly url: string,
    private readonly name: string,
    keepAlive: boolean,
  ) {
    this.#agent = new Agent({ keepAlive, maxSockets: 1 });
  }

  async buy(): Promise<void> {
    for (let order = 1; this.going; order++) {
      const reference = `${this.name}-${order}`;
      const session = await this.#ask({
        method: 'POST',
        url: '/v1/checkout-sessions',
        key: reference,
        body: { reference, amount: '1500.00', currency: 'NGN', payer: PAYER, billing: BILLING },
      });
      const bearer = String(session['clientToken']);
      const body = cardBody('4111111111111111');
      await this.#ask({ method: 'POST', url: '/v1/payments/card', bearer, key: `${reference}-pay`, body });
      await this.#ask({ method: 'GET', url: '/v1/checkout-session', bearer });
      await pause(20);
    }
    this.#agent.destroy();
  }

  async #ask(asked: Call): Promise<Record<string, unknown>> {
    this.requests += 1;
    const reply: Reply = await call({
      bearer: testKeys.merchant,
      agent: this.#agent,
      ...asked,
      url: this.url + asked.url,
    });
    const succeeded = reply.answered && reply.status < 300;
    if (!succeeded) this.lost.push(`${asked.url}: ${reply.answered ? reply.text : reply.why}`);
    return reply.answered ? reply.json : {};
  }
}

test('two replicas are restarted one after the other, and no connection and no request is lost', async () => {
  const sandbox = await startTestSandbox();
  const store = await createTestStore('postgres');
  const ports = [await freePort(), await freePort()];
  const start = (port: number): Promise<Tillfront> =>
    startTillfront({
      store,
      port,
      gatewayUrl: sandbox.url,
      env: { SHUTDOWN_DRAIN_MS: String(DRAIN_MS) },
    });
  const tills = new Map(await Promise.all(ports.map(async (port) => [port, await start(port)] as const)));
  const balancer = new Balancer(ports);
  await balancer.proxy.start();
  try {
    const bothReady = (): Promise<void> => until(() => balancer.ready.size === ports.length);
    await bothReady();
    const url = `http://127.0.0.1:${balancer.proxy.port}`;
    const buyers = Array.from({ length: BUYERS }, (_, n) => new Buyer(url, `ROLL-${n}`, n % 2 === 0));
    const buying = buyers.map((buyer) => buyer.buy());
    const requests = (): number => buyers.reduce((sum, buyer) => sum + buyer.requests, 0);
    await until(() => requests() > 60);
    for (const port of ports) {
      expect(await tills.get(port)?.stop()).toEqual({ code: 0, signal: null });
      tills.set(port, await start(port));
      await bothReady();
      const before = requests();
      await until(() => requests() > before + 60);
    }
    for (const buyer of buyers) buyer.going = false;
    await Promise.all(buying);
    expect(buyers.flatMap(({ lost }) => lost)).toEqual([]);
    expect(requests()).toBeGreaterThan(300);
  } finally {
    await balancer.stop();
    await Promise.all([...tills.values()].map((till) => till.kill()));
    await store.dispose();
    await sandbox.close();
  }
}, 400_000);
