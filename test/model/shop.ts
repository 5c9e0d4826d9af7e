import { BILLING, cardBody, PAYER } from '../chaos/bodies.ts';
import type { Json, Reply } from '../chaos/calls.ts';
import type { Payment, Status } from '../chaos/purchase.ts';
import type { Method } from './money-ledger.ts';
import { SECRETS, type Till } from './till.ts';

/** A payment as an answer shows it. */
export interface Shown extends Payment {
  sessionId: string;
  amountRefunded: string | null;
  disputed: boolean;
  amountDisputed: string | null;
}

/** A call that moves something, to be made again with its key. */
interface Made {
  path: string;
  bearer: string;
  key: string;
  body: object;
  /** Which payment it was answered with. */
  payment?: string;
}

/** A key that was answered is answered so again, but while its process comes up, or its token has ended with the clock. */
const LATER: readonly unknown[] = [
  'store-unavailable',
  'shutting-down',
  'overloaded',
  'idempotency-in-flight',
  'unauthorized',
];

interface Session {
  id: string;
  token: string;
}

export type Operation = 'otp' | 'complete' | 'void' | 'refund';

/** A refund as the list of them shows it. */
export interface ShownRefund {
  id: string;
  amount: string;
  status: 'processing' | 'succeeded' | 'failed';
}

/** What the shop has that a copy of the store has too. */
export interface Kept {
  sessions: number;
}

/** One order's shop and payer: what they ask, and what they were told, which must never be taken back. */
export class Shop {
  readonly sessions: Session[] = [];
  /** Every status that any answer named. */
  readonly told: { payment: string; status: Status }[] = [];
  readonly #ids = new Map<string, string>();
  /** How often each operation was asked for, each time with a key of its own, by payment. */
  readonly asked = new Map<string, number>();
  #made: Made | undefined;
  #keys = 0;
  readonly amount = '1500.00';
  readonly reference: string;
  private readonly till: Till;

  constructor(till: Till, reference: string) {
    this.till = till;
    this.reference = reference;
  }

  /** How often an operation was asked for on the payment of this reference. */
  askedFor(operation: Operation, gatewayReference: string): number {
    return this.asked.get(`${operation} ${this.#ids.get(gatewayReference) ?? ''}`) ?? 0;
  }

  /** What there is while a copy is made. */
  keep(): Kept {
    return { sessions: this.sessions.length };
  }

  /** The copy was restored: what was told since is told no longer. */
  goBack({ sessions }: Kept): void {
    this.sessions.length = sessions;
    this.told.length = 0;
    this.#made = undefined;
  }

  /** Makes a session, unless the reference may have none now. */
  async open(at: number): Promise<void> {
    const { reference, amount } = this;
    const body = { reference, amount, currency: 'NGN', payer: PAYER, billing: BILLING };
    const path = '/v1/checkout-sessions';
    const reply = await this.#post(at, { path, bearer: SECRETS.merchantKey, key: this.#newKey(), body });
    if (!reply.answered || reply.status !== 201) return;
    this.sessions.push({ id: String(reply.json['id']), token: String(reply.json['clientToken']) });
  }

  async pay(at: number, method: Method): Promise<void> {
    const session = this.sessions.at(-1);
    if (!session) return;
    const bodies = {
      card: withSecrets(cardBody(SECRETS.number)),
      wallet: {},
      transfer: {},
      ussd: { bankCode: '058' },
    };
    const path = `/v1/payments/${method}`;
    await this.#move(at, { path, bearer: session.token, key: this.#newKey(), body: bodies[method] });
  }

  /** The same call with the same key once more: nothing new may come of it. */
  async again(at: number): Promise<void> {
    const made = this.#made;
    if (!made) return;
    const { payment } = made;
    const reply = await this.#move(at, made);
    if (payment === undefined || !reply.answered || LATER.includes(reply.json['code'])) return;
    if (reply.json['id'] !== payment)
      this.till.onViolation(
        `the key ${made.key} was answered with ${payment}, then with ${reply.status}: ${reply.text}`,
      );
  }

  async operate(at: number, operation: Operation, { id, sessionId }: Shown, amount?: string): Promise<void> {
    const asked = `${operation} ${id}`;
    this.asked.set(asked, (this.asked.get(asked) ?? 0) + 1);
    const session = this.sessions.find((one) => one.id === sessionId);
    const bearer = operation === 'otp' ? (session?.token ?? '') : SECRETS.merchantKey;
    const body = operation === 'otp' ? { otp: SECRETS.otp } : amount === undefined ? {} : { amount };
    const call = operation === 'refund' ? 'refunds' : operation;
    await this.#move(at, { path: `/v1/payments/${id}/${call}`, bearer, key: this.#newKey(), body });
  }

  /** A payment's refunds, the oldest first. */
  async refundsOf({ id }: Shown): Promise<ShownRefund[]> {
    return (await this.till.read(`/v1/payments/${id}/refunds`))['data'] as ShownRefund[];
  }

  async cancel(at: number, { id }: Shown): Promise<void> {
    const path = `/v1/payments/${id}/cancel`;
    await this.#post(at, { path, bearer: SECRETS.merchantKey, key: this.#newKey(), body: {} });
  }

  async refresh(at: number, { id }: Shown): Promise<void> {
    this.#hear(
      await this.till.ask(at, {
        method: 'POST',
        path: `/v1/payments/${id}/refresh`,
        bearer: SECRETS.merchantKey,
      }),
    );
  }

  /** A person's word. Resolves to whether it was taken. */
  async resolve(at: number, { id }: Shown, word: object): Promise<boolean> {
    const path = `/v1/payments/${id}/resolve`;
    const body = { ...word, note: 'Looked up at the gateway' };
    const reply = await this.#post(at, { path, bearer: SECRETS.merchantKey, key: this.#newKey(), body });
    // Where no answer came it may have been taken.
    return !reply.answered || reply.status === 200;
  }

  async close(at: number): Promise<void> {
    const session = this.sessions.at(-1);
    if (!session) return;
    const path = `/v1/checkout-sessions/${session.id}/close`;
    await this.#post(at, { path, bearer: SECRETS.merchantKey, key: this.#newKey(), body: {} });
  }

  /** The payer's browser comes back from the bank. */
  async comeBack(at: number, returnUrl: string): Promise<void> {
    const { pathname } = new URL(returnUrl);
    const reply = await this.till.ask(at, { method: 'GET', path: pathname });
    if (reply.answered && reply.status !== 303 && reply.status !== 503)
      this.till.onViolation(`the payer's return was answered with ${reply.status}: ${reply.text}`);
  }

  /** Whether it was taken. */
  async notify(at: number, content: object): Promise<boolean> {
    const reply = await this.till.ask(at, {
      method: 'POST',
      path: '/v1/gateway/notifications',
      bearer: SECRETS.notificationSecret,
      body: content,
    });
    if (reply.answered && reply.status !== 200 && reply.status !== 503)
      this.till.onViolation(`a notification was answered with ${reply.status}: ${reply.text}`);
    return reply.answered && reply.status === 200;
  }

  async payments(): Promise<Shown[]> {
    const page = await this.till.read(`/v1/payments?reference=${this.reference}&limit=100`);
    const shown = page['data'] as Shown[];
    for (const { id, status, gatewayReference } of shown) {
      this.told.push({ payment: id, status });
      this.#ids.set(gatewayReference, id);
    }
    return shown.toSorted((one, other) => attemptOf(one) - attemptOf(other));
  }

  /** A report of the gateway. Resolves to its id. */
  async upload(at: number, csv: string): Promise<string | undefined> {
    const path = '/v1/settlements';
    const reply = await this.till.ask(at, {
      ...{
        method: 'POST',
        path,
        bearer: SECRETS.merchantKey,
        key: this.#newKey(),
        type: 'text/csv',
        body: csv,
      },
    });
    return reply.answered && reply.status < 300 ? String(reply.json['id']) : undefined;
  }

  async adopt(at: number, report: string): Promise<void> {
    const path = `/v1/settlements/${report}/adopt`;
    await this.#post(at, { path, bearer: SECRETS.merchantKey, key: this.#newKey(), body: {} });
  }

  async #move(at: number, made: Made): Promise<Reply> {
    this.#made = made;
    const reply = await this.#post(at, made);
    if (reply.answered && reply.status < 300 && typeof reply.json['id'] === 'string')
      made.payment = reply.json['id'];
    return reply;
  }

  async #post(at: number, made: Made): Promise<Reply> {
    return this.#hear(await this.till.ask(at, { method: 'POST', ...made }));
  }

  #hear(reply: Reply): Reply {
    if (reply.answered && reply.status < 300 && isPayment(reply.json))
      this.told.push({ payment: reply.json.id, status: reply.json.status });
    return reply;
  }

  #newKey(): string {
    this.#keys += 1;
    return `${this.reference}-${this.#keys}`;
  }
}

export function attemptOf({ gatewayReference }: Pick<Shown, 'gatewayReference'>): number {
  return Number(gatewayReference.split('_').at(-1));
}

function isPayment(json: Json): json is Json & { id: string; status: Status } {
  return typeof json['gatewayReference'] === 'string';
}

function withSecrets(body: object): object {
  const { card } = body as { card: object };
  return { ...body, card: { ...card, cvv: SECRETS.cvv, pin: SECRETS.pin } };
}
