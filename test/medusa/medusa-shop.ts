import { expect } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Sandbox } from '../../sandbox/server.ts';
import { expectStatus, TillfrontClient, type Answer, type PaymentBody } from '../harness/client.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { createEmptyStore, type TestStore } from '../harness/test-store.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { freePort } from '../setup/free-port.js';
import { startEventGate, type EventGate } from './event-gate.js';

/** The shop of `examples/medusa` in a real Medusa server on PostgreSQL, paid at through the sandbox. */

const FOLDER = resolve('examples/medusa');
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const PROVIDER = 'pp_tillfront_tillfront';
const LOGIN = { email: 'ops@example.com', password: 'a-password-of-the-test' };
export const APPROVED = '4111111111111111';
export const DECLINED = '4000000000000200';
export const HELD = '4000000000000903';

/** What the payer types in: Medusa knows only an e-mail address of a guest. */
const PAYER = {
  payer: { email: 'ada@example.com', phone: '+2348012345678', firstName: 'Ada', lastName: 'Obi' },
  billing: {
    street: '1 Marina',
    city: 'Lagos',
    stateProvince: 'Lagos',
    postCode: '101001',
    country: 'NGA',
  },
};

interface Seeded {
  publishableKey: string;
  regionId: string;
  variantId: string;
  productId: string;
}

interface Kept {
  reference: string;
  sessionId: string;
  clientToken: string;
  checkoutUrl: string;
  amount: string;
}

export interface Json {
  [name: string]: Json & string;
}

export interface Cart {
  id: string;
  collection: string;
  session: string;
  kept: Kept;
}

export interface Order {
  id: string;
  total: number;
  payment_status: string;
  payment_collections: { id: string; payments: { id: string; captured_at: string | null }[] }[];
}

interface Event {
  id: string;
  data: { reference: string };
}

/** What Medusa has entered of a payment. */
interface Entered {
  captures: { amount: number }[];
  refunds: { amount: number }[];
}

export class MedusaShop {
  private output = '';
  private admin = '';
  private server: ChildProcess | undefined;
  seeded!: Seeded;
  client!: TillfrontClient;

  private constructor(
    readonly url: string,
    readonly sandbox: Sandbox,
    readonly gate: EventGate,
    private readonly database: TestStore,
    private readonly store: TestStore,
    private tillfrontNow: Tillfront,
  ) {
    this.client = new TillfrontClient(tillfrontNow.url, tillfrontNow.merchantKey);
  }

  static async start(): Promise<MedusaShop> {
    if (!existsSync(resolve(FOLDER, 'node_modules')))
      throw new Error('The packages are missing: run this by "npm run examples:medusa".');
    const [database, store, sandbox, port] = await Promise.all([
      createEmptyStore('postgres'),
      createEmptyStore('embedded'),
      startTestSandbox(),
      freePort(),
    ]);
    const url = `http://127.0.0.1:${port}`;
    const gate = await startEventGate(`${url}/hooks/payment/tillfront_tillfront`);
    const tillfront = await startTillfront({
      store,
      gatewayUrl: sandbox.url,
      env: environment(url, gate, true),
    });
    const shop = new MedusaShop(url, sandbox, gate, database, store, tillfront);
    try {
      await shop.open(port);
    } catch (error) {
      await shop.stop();
      throw error;
    }
    return shop;
  }

  get tillfront(): Tillfront {
    return this.tillfrontNow;
  }

  private async open(port: number): Promise<void> {
    const env = {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: String(port),
      DATABASE_URL: this.database.databaseUrl,
      MEDUSA_DISABLE_TELEMETRY: 'true',
      JWT_SECRET: randomBytes(32).toString('hex'),
      COOKIE_SECRET: randomBytes(32).toString('hex'),
      MEDUSA_URL: this.url,
      STOREFRONT_URL: 'https://storefront.example',
      TILLFRONT_URL: this.tillfront.url,
      TILLFRONT_MERCHANT_KEY: this.tillfront.merchantKey,
      TILLFRONT_WEBHOOK_SECRET: SECRET,
      WEBHOOK_DELAY_MS: '200',
    };
    await this.finished(this.command(env, 'db:migrate'));
    await this.finished(this.command(env, 'exec', './src/scripts/seed.ts'));
    this.seeded = JSON.parse(/^SEEDED (.*)$/m.exec(this.output)?.[1] ?? '{}') as Seeded;
    await this.finished(this.command(env, 'user', '-e', LOGIN.email, '-p', LOGIN.password));
    const server = this.command(env, 'start');
    this.server = server;
    const answers = (): Promise<boolean> =>
      fetch(`${this.url}/health`).then(
        ({ ok }) => ok,
        () => server.exitCode !== null,
      );
    await until(answers, 120_000);
    this.admin = (await this.call('POST', '/auth/user/emailpass', LOGIN)).token ?? '';
  }

  async stop(): Promise<void> {
    this.server?.kill('SIGTERM');
    await this.tillfront.stop();
    await this.gate.close();
    await this.sandbox.close();
    if (this.server && this.server.exitCode === null)
      await new Promise((done) => this.server?.once('close', done));
    await this.store.dispose();
    await this.database.dispose();
  }

  /** Starts Tillfront anew, on the same store and port, with a gateway that has refunds or has none. */
  async restartTillfront(withRefunds: boolean): Promise<void> {
    const { port } = this.tillfront;
    await this.tillfront.stop();
    const env = environment(this.url, this.gate, withRefunds);
    this.tillfrontNow = await startTillfront({ store: this.store, gatewayUrl: this.sandbox.url, port, env });
  }

  private command(env: NodeJS.ProcessEnv, ...words: string[]): ChildProcess {
    const child = spawn(process.execPath, [resolve(FOLDER, 'node_modules/.bin/medusa'), ...words], {
      cwd: FOLDER,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    return child;
  }

  private async finished(child: ChildProcess): Promise<void> {
    const code = await new Promise((done) => child.once('close', done));
    if (code !== 0) throw new Error(`Medusa ended with ${String(code)}:\n${this.output}`);
  }

  async send(method: string, path: string, body?: object): Promise<{ status: number; json: Json }> {
    const answer = await fetch(this.url + path, {
      method,
      headers: {
        'content-type': 'application/json',
        'x-publishable-api-key': this.seeded.publishableKey,
        ...(this.admin !== '' && { authorization: `Bearer ${this.admin}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, json: (await answer.json()) as Json };
  }

  async call(method: string, path: string, body?: object): Promise<Json> {
    const { status, json } = await this.send(method, path, body);
    expect({ path, status, json: status === 200 ? {} : json }).toEqual({ path, status: 200, json: {} });
    return json;
  }

  /** Fills a cart and goes to pay, as a storefront does. */
  async cartToPay(quantity = 1, region = this.seeded.regionId): Promise<Cart> {
    const items = [{ variant_id: this.seeded.variantId, quantity }];
    const asked = { region_id: region, email: 'ada@example.com', items };
    const { cart } = await this.call('POST', '/store/carts', asked);
    const made = await this.call('POST', '/store/payment-collections', { cart_id: cart?.id });
    return this.toPay(cart?.id ?? '', made['payment_collection']?.id ?? '');
  }

  async toPay(id: string, collection: string): Promise<Cart> {
    const path = `/store/payment-collections/${collection}/payment-sessions`;
    const begun = await this.call('POST', path, { provider_id: PROVIDER });
    const sessions = begun['payment_collection']?.['payment_sessions'] as unknown as {
      id: string;
      data: Kept;
    }[];
    const [session] = sessions;
    if (!session) throw new Error('no payment session');
    return { id, collection, session: session.id, kept: session.data };
  }

  tryToPay({ kept }: Cart, number: string): Promise<Answer<PaymentBody>> {
    return this.client.payCard(kept, { ...PAYER, card: { number, cvv: '111', pin: undefined } });
  }

  async pay(cart: Cart, number: string): Promise<PaymentBody> {
    return expectStatus(await this.tryToPay(cart, number), 201, 202).body;
  }

  /** What was ordered with the cart: one order, or none. */
  async ordersOf({ collection }: Cart): Promise<Order[]> {
    const fields = 'id,total,payment_status,payment_collections.id,*payment_collections.payments';
    const answer = await this.call('GET', `/admin/orders?limit=100&order=-created_at&fields=${fields}`);
    return (answer['orders'] as unknown as Order[]).filter(({ payment_collections }) =>
      payment_collections.some(({ id }) => id === collection),
    );
  }

  /** The order of the cart, once it is paid or held. */
  async orderOf(cart: Cart): Promise<Order> {
    let found: Order | undefined;
    await until(async () => {
      // Medusa creates the order first, and enters its payment a moment later.
      found = (await this.ordersOf(cart)).find(({ payment_status }) => payment_status !== 'not_paid');
      return found !== undefined;
    }, 30_000);
    if (!found) throw new Error('no order');
    return found;
  }

  /** Pays for another cart. What Medusa does about events it does in turn, so what came before is done then. */
  async orderOfAnother(): Promise<void> {
    const cart = await this.cartToPay();
    await this.pay(cart, APPROVED);
    await this.orderOf(cart);
  }

  /** An order that is paid or held: Medusa's payment and Tillfront's. */
  async bought(number = APPROVED): Promise<{ cart: Cart; medusaPayment: string; payment: PaymentBody }> {
    const cart = await this.cartToPay();
    const payment = await this.pay(cart, number);
    const order = await this.orderOf(cart);
    return { cart, medusaPayment: order.payment_collections[0]?.payments[0]?.id ?? '', payment };
  }

  refund(medusaPayment: string, amount: number): Promise<{ status: number; json: Json }> {
    return this.send('POST', `/admin/payments/${medusaPayment}/refund`, { amount });
  }

  capture(medusaPayment: string, amount?: number): Promise<{ status: number; json: Json }> {
    return this.send(
      'POST',
      `/admin/payments/${medusaPayment}/capture`,
      amount === undefined ? {} : { amount },
    );
  }

  /** The amounts that Medusa has captured and given back, by its own book. */
  async entered(medusaPayment: string): Promise<{ captures: number[]; refunds: number[] }> {
    const answer = await this.call('GET', `/admin/payments/${medusaPayment}?fields=*captures,*refunds`);
    const { captures, refunds } = answer['payment'] as unknown as Entered;
    const amounts = (rows: { amount: number }[]): number[] => rows.map(({ amount }) => amount);
    return { captures: amounts(captures), refunds: amounts(refunds) };
  }

  /** Sends the events of a reference to Medusa once more. */
  async redeliver(reference: string): Promise<void> {
    let after = '';
    for (let isMore = true; isMore;) {
      const { body } = expectStatus(
        await this.client.get<{ data: Event[] }>(`/v1/events?limit=100${after && `&after=${after}`}`),
        200,
      );
      for (const { id } of body.data.filter(({ data }) => data.reference === reference))
        expectStatus(await this.client.post(`/v1/events/${id}/redeliver`, {}), 200);
      after = body.data.at(-1)?.id ?? '';
      isMore = after !== '';
    }
  }

  /** Sets how the sandbox answers from now on. */
  async faults(...faults: object[]): Promise<void> {
    const path = `${this.sandbox.url}/sandbox/faults`;
    await fetch(path, { method: 'DELETE' });
    for (const fault of faults) {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(fault) });
      expect(answer.status).toBe(200);
    }
  }

  /** How often the bank has given back money of a payment. */
  async givenBack({ gatewayReference }: PaymentBody): Promise<number> {
    const answer = await fetch(`${this.sandbox.url}/sandbox/transactions/${gatewayReference}`);
    const { entries } = (await answer.json()) as { entries: { kind: string }[] };
    return entries.filter(({ kind }) => kind === 'refund').length;
  }
}

function environment(url: string, gate: EventGate, withRefunds: boolean): Record<string, string> {
  return {
    ALLOWED_ORIGINS: url,
    MERCHANT_WEBHOOK_URL: gate.url,
    MERCHANT_WEBHOOK_SECRET: SECRET,
    // A call without an answer is known to be one soon.
    GATEWAY_TIMEOUT_MS: '2000',
    ...(withRefunds && { GATEWAY_PROFILE: resolve('sandbox/refunds.profile.json') }),
  };
}
