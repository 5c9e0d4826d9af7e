import { setTimeout as sleep } from 'node:timers/promises';
import type { Resolution } from '../../../src/payments/core/input.js';
import { openOperation, type OrderState, type Payment } from '../../../src/payments/core/payment.js';
import {
  cardRequest,
  sessionRequest,
  TillfrontClient,
  type Answer,
  type SessionBody,
} from '../../harness/client.js';
import { AMOUNT } from '../../core/given.js';
import { describe } from '../gateway.js';
import { wordAbout, type Act } from '../people.js';
import type { RealWorld } from './real-world.js';
import { look } from './seen.js';
import { major } from './words.js';

export const KEYS = { anna: 'mk_anna_7f2c91d0a84be356f1c08d9e', ben: 'mk_ben_2be356f1c08d9e7f2c91d0a8' };
/** Refunds above it wait for a second person: a whole one does. */
export const APPROVAL_ABOVE = 'NGN:9.00';

/** Any answer of the API, by what a shopper looks at. */
interface Body {
  id?: string;
  code?: string;
  approval?: { id: string; state: string };
}
/** What is over by itself: the same call is made again. */
const LATER = ['idempotency-in-flight', 'store-unavailable', 'shutting-down', 'overloaded'];
/** Why nothing was done, where the fault is the gateway's. */
const EXPECTED = ['gateway-unavailable', 'gateway-busy', 'gateway-credentials-rejected'];

/** The payer and the merchant of one order, over HTTP. Without an answer they ask again, with the same key. */
export class Shopper {
  readonly sessions: SessionBody[] = [];
  private readonly world: RealWorld;
  readonly reference: string;
  private count = 0;

  constructor(world: RealWorld, reference: string) {
    this.world = world;
    this.reference = reference;
  }

  sees(): Promise<OrderState> {
    return this.world.asking((client) => look(client, this.reference, this.sessions));
  }

  async act(act: Act): Promise<void> {
    await this.perform(act);
  }

  /** Returns the problem's code, where it was refused. */
  async perform(act: Act): Promise<string | undefined> {
    this.world.log(`${this.reference}: ${describe(act)}`);
    const session = this.sessions.at(-1);
    if (act.do === 'session') return this.openSession();
    if (!session) return undefined;
    switch (act.do) {
      case 'close':
        return this.call(`/v1/checkout-sessions/${session.id}/close`, {});
      case 'pay':
        return this.pay(session, act.method ?? 'card', act.twice ?? false);
      default: {
        const { payments } = await this.sees();
        const payment = act.n === undefined ? payments.at(-1) : payments.find(({ n }) => n === act.n);
        return payment && this.about(act, payment);
      }
    }
  }

  private about(
    act: Exclude<Act, { do: 'session' | 'close' | 'pay' }>,
    payment: Payment,
  ): Promise<string | undefined> {
    const path = `/v1/payments/${payment.id}`;
    this.count += 1;
    switch (act.do) {
      case 'otp': {
        const { clientToken } = this.sessions.find(({ id }) => id === payment.sessionId) ?? {};
        // No code is typed twice. Of two at once one is sent.
        const codes = [1, 2].map((half) => ({ otp: String(100_000 + 2 * this.count + half) }));
        return Promise.all(codes.map((code) => this.call(`${path}/otp`, code, clientToken))).then(
          ([code]) => code,
        );
      }
      case 'complete':
        return this.call(`${path}/complete`, act.part ? { amount: major(AMOUNT / 3n) } : {});
      case 'refund':
        return this.refund(path, act.part ? { amount: major(payment.captured / 3n || 1n) } : {});
      case 'resolve':
        return this.resolve(path, payment, act.as ?? wordAbout(payment, this.world.chance));
      default:
        return this.call(`${path}/${act.do}`, {});
    }
  }

  /** Of two at once one is made. */
  private async openSession(): Promise<string | undefined> {
    const wanted = sessionRequest({ reference: this.reference, amount: major(AMOUNT) });
    const open = () => this.send<SessionBody & Body>('/v1/checkout-sessions', wanted, KEYS.anna);
    const made = (await Promise.all([open(), open()])).filter(({ body }) => body.code === undefined);
    if (made.length > 1) this.world.fail(`${this.reference} has two sessions at once`);
    this.sessions.push(...made.map(({ body }) => body));
    return made.length === 1 ? undefined : 'refused';
  }

  /** `twice`: clicks wherever they arrive, with the same key or others. */
  private async pay(
    { clientToken }: SessionBody,
    method: string,
    twice: boolean,
  ): Promise<string | undefined> {
    const body = method === 'card' ? cardRequest() : {};
    const keys = [crypto.randomUUID(), crypto.randomUUID()];
    const clicks = Array.from({ length: twice ? 8 : 1 }, (_, index) =>
      this.call(`/v1/payments/${method}`, body, clientToken, keys[index % 3]),
    );
    return (await Promise.all(clicks))[0];
  }

  private async refund(path: string, body: object): Promise<string | undefined> {
    const { body: answered } = await this.send<Body>(`${path}/refunds`, body, KEYS.anna);
    if (answered.approval?.state !== 'waiting') return answered.code;
    return this.call(`/v1/approvals/${answered.approval.id}/approve`, {}, KEYS.ben);
  }

  private resolve(path: string, payment: Payment, as: Resolution): Promise<string | undefined> {
    const { amountReceived, ...word } = { amountReceived: undefined, ...as };
    const given = amountReceived === undefined ? {} : { amountReceived: major(amountReceived) };
    if (openOperation(payment)?.type !== 'refund' && payment.attention.length === 0)
      return Promise.resolve(undefined);
    this.world.judge.resolved.add(payment.id);
    return this.call(`${path}/resolve`, { ...word, ...given, note: 'seen' });
  }

  private async call(
    path: string,
    body: object,
    token = KEYS.anna,
    key?: string,
  ): Promise<string | undefined> {
    return (await this.send<Body>(path, body, token, key)).body.code;
  }

  private async send<T extends Body>(
    path: string,
    body: object,
    token: string,
    idempotencyKey: string = crypto.randomUUID(),
  ): Promise<Answer<T>> {
    const { world, reference } = this;
    for (;;) {
      const { slot, url } = await world.anyProcess();
      const sent = new TillfrontClient(url, KEYS.anna).post<T>(path, body, { token, idempotencyKey });
      const heard = sent.catch(() => undefined);
      await world.moment('asked', reference, slot);
      const answer = await heard;
      // It was killed, or is about to end: the same call once more.
      if (!answer || LATER.includes(answer.body.code ?? '')) {
        world.log(`${reference}: again, after ${answer?.body.code}`);
        await sleep(100);
        continue;
      }
      if (answer.status >= 500 && !EXPECTED.includes(answer.body.code ?? ''))
        world.fail(`${reference}: ${path} is answered ${answer.status} ${answer.text}`);
      world.log(`${reference}: ${path} ${answer.status} ${answer.body.code ?? ''}`);
      if (answer.status < 300) world.acknowledge(reference, answer.body.id);
      await world.moment('answered', reference, slot);
      return answer;
    }
  }
}
