import { call, pause, type Call, type Json, type Reply } from './calls.ts';
import type { Payment, Purchase } from './purchase.ts';
import type { Random } from './random.ts';
import { MERCHANT_KEY, type World } from './world.ts';

type Answered = Extract<Reply, { answered: true }>;

/** How long a client asks again before it counts as a broken promise that there is no answer. */
const PATIENCE_MS = 45_000;

/** What any call may be answered while processes die and come back: ask again with the same key. */
const AGAIN: ReadonlySet<unknown> = new Set([
  'store-unavailable',
  'overloaded',
  'shutting-down',
  'idempotency-in-flight',
  'operation-in-progress',
]);

/** Calls the service for one purchase, keeps what was answered, and knows which answers may never be. */
export class Client {
  readonly purchase: Purchase;
  readonly #world: World;
  readonly #random: Random;
  /** The calls behind the keys that were answered with a payment. */
  readonly #answered = new Map<string, { path: string; more: Partial<Call> }>();
  #keys = 0;

  constructor(world: World, purchase: Purchase, random: Random) {
    this.#world = world;
    this.purchase = purchase;
    this.#random = random;
  }

  newKey(what: string): string {
    this.#keys += 1;
    return `${this.purchase.reference}.${what}.${this.#keys}`;
  }

  /** One call to one of the replicas. Notes it, and looks at the answer as any client could. */
  async once(method: Call['method'], path: string, more: Partial<Call> = {}): Promise<Reply> {
    const { url } = this.#random.pick(this.#world.replicas);
    const reply = await call({ method, url: url + path, bearer: MERCHANT_KEY, ...more });
    const said = reply.answered ? `${reply.status} ${summary(reply.json)}` : `no answer (${reply.why})`;
    this.#note(`${method} ${path}${more.key === undefined ? '' : ` [${more.key}]`} -> ${said}`);
    if (reply.answered && (reply.status === 500 || (reply.status >= 400 && !('code' in reply.json)))) {
      this.#world.violation(
        `${method} ${path} was answered with ${reply.status}: ${reply.text.slice(0, 500)}`,
      );
    }
    if (reply.answered) this.#remember(reply, path, more);
    return reply;
  }

  /** Asks again, with the same key, until there is an answer that says something. */
  async insist(method: Call['method'], path: string, more: Partial<Call> = {}): Promise<Answered> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const reply = await this.once(method, path, more);
      if (reply.answered && !AGAIN.has(reply.json['code'])) return reply;
      if (performance.now() > deadline)
        throw new Error(`${method} ${path}: no answer within ${PATIENCE_MS} ms`);
      await pause(40);
    }
  }

  /** Asks once more with every key that was answered: the same payment, as it now stands, and nothing new happens. */
  async repeatAll(): Promise<void> {
    for (const [key, { path, more }] of this.#answered) {
      const expected = this.purchase.keys.get(key);
      const reply = await this.insist('POST', path, more);
      const replayed = reply.headers['idempotency-replayed'] === 'true';
      if (reply.status !== 200 || reply.json['id'] !== expected || !replayed)
        this.surprised(`the key ${key} again`, reply);
    }
  }

  /** An answer that is none of those that this call may have. */
  surprised(what: string, reply: Answered): never {
    const text = `${what} was answered with ${reply.status}: ${reply.text.slice(0, 500)}`;
    this.#world.violation(text);
    throw new Error(text);
  }

  #note(what: string): void {
    this.#world.history.note(this.purchase.reference, what);
  }

  /** Keeps what the service has said of payments and keys: it must stand for good. */
  #remember({ status, json }: Answered, path: string, more: Partial<Call>): void {
    const { key } = more;
    const { told, keys, unsent } = this.purchase;
    const isPayment = typeof json['gatewayReference'] === 'string';
    const isRefund = String(json['id']).startsWith('ref_');
    if (status < 300 && (isPayment || isRefund)) {
      const payment = json as unknown as Payment;
      if (isPayment) told.push({ payment: payment.id, status: payment.status });
      const before = key === undefined ? undefined : keys.get(key);
      if (before !== undefined && before !== payment.id) {
        this.#world.violation(`the key ${key} was answered with ${before}, then with ${payment.id}`);
      }
      if (key !== undefined) {
        keys.set(key, payment.id);
        this.#answered.set(key, { path, more });
      }
    }
    if (json['code'] === 'gateway-unavailable' && key?.includes('.pay.'))
      unsent.add(String(json['paymentId']));
  }
}

function summary(json: Json): string {
  const words = [json['code'] ?? json['status'], json['paymentId'] ?? json['id']];
  return words.filter((word) => typeof word === 'string').join(' ');
}
