import { formatMajor } from '../../src/money/money.js';
import { expectStatus, type PaymentBody, type SessionBody } from '../harness/client.js';
import { walletStarted } from '../harness/gateway-answers.js';
import type { Scene } from '../harness/scene.js';
import { giveBack, REFUND, refused, says } from '../truth/refunds.js';
import {
  act,
  answer,
  asked,
  cardAnswer,
  COMPLETION,
  declined,
  failed,
  payCard,
  paidWith,
  pending,
  say,
  VOID,
  voided,
  will,
} from '../truth/situations.js';
import type { BookRow, Planted } from './stories.js';

/**
 * The gateway's own book of what really happened to orders: the money that it moved, and the rows that it settles. The service hears of the
 * money only by what the gateway answers, and of the rows only by the files that are made of them.
 */

const DAY_MS = 24 * 3_600_000;
/** The newest settlement is so old that everything should have been settled by now. */
const DAYS_AGO = 20;
const SETTLED_AFTER = 2;

/** A row of its reports: a payout is no payment's. */
export type FileRow = Omit<BookRow, 'type'> & { readonly type: BookRow['type'] | 'payout' };

/** What the gateway's money came to in one currency, in minor units. */
export interface Moved {
  captured: bigint;
  refunded: bigint;
  reversed: bigint;
  chargedBack: bigint;
}

/** An order as chance has it. */
export interface Order {
  readonly n: number;
  readonly reference: string;
  readonly currency: string;
  /** Minor units. */
  readonly amount: bigint;
  /** Of the week, from 0. */
  readonly day: number;
}

export class GatewayBook {
  readonly rows: FileRow[] = [];
  readonly planted: Planted[] = [];
  readonly moved = new Map<string, Moved>();
  /** The day of the week in which each payment was made. */
  readonly dayOf = new Map<string, number>();
  readonly #today = Math.floor(Date.now() / DAY_MS) * DAY_MS;

  constructor(readonly scene: Scene) {}

  /** How long before now the money of a day of the week was moved. */
  agoOf(day: number): number {
    return (DAYS_AGO - day) * DAY_MS;
  }

  /** One more row of the reports, so many days after its order. */
  settle(
    { currency, day, n }: Order,
    { gatewayReference: reference }: Pick<PaymentBody, 'gatewayReference'>,
    type: BookRow['type'],
    amount: bigint,
    over: Partial<BookRow> & { later?: number } = {},
  ): BookRow {
    const { later = 0, ...rest } = over;
    const row: BookRow = {
      ...{ type, reference, amount, currency, refundRef: null, transactionRef: `T-${n}` },
      fee: type === 'payment' ? feeOf(amount) : 0n,
      settledAt: this.#today - this.agoOf(day) + (SETTLED_AFTER + later) * DAY_MS,
      ...rest,
    };
    this.rows.push(row);
    return row;
  }

  /** Something that must be found. */
  plant(kind: string, { reference, amount }: Pick<BookRow, 'reference' | 'amount'>): void {
    this.planted.push({ kind, reference, amount });
  }

  #move(currency: string, what: keyof Moved, amount: bigint): void {
    const sums = this.moved.get(currency) ?? { captured: 0n, refunded: 0n, reversed: 0n, chargedBack: 0n };
    sums[what] += amount;
    this.moved.set(currency, sums);
  }

  // What happens to an order.

  session(order: Order): Promise<SessionBody> {
    return this.scene.client.createSession({ reference: order.reference, ...moneyOf(order) });
  }

  #paid(order: Order, { payment }: { payment: PaymentBody }, amount = order.amount): PaymentBody {
    if (payment.status !== 'succeeded') throw new Error(`not paid: ${JSON.stringify(payment)}`);
    this.dayOf.set(payment.id, order.day);
    this.#move(order.currency, 'captured', amount);
    return payment;
  }

  /** Paid at once. */
  async card(order: Order, session?: SessionBody): Promise<PaymentBody> {
    const said = paidWith(moneyOf(order));
    const found = await payCard(this.scene, said, session ?? (await this.session(order)));
    say(this.scene, found.payment, said);
    return this.#paid(order, found);
  }

  async declined(order: Order): Promise<{ payment: PaymentBody; session: SessionBody }> {
    const found = await payCard(this.scene, answer(declined), await this.session(order));
    say(this.scene, found.payment, answer(failed));
    return found;
  }

  /** A payment that was begun and is paid only when the gateway says so. */
  async #paidLater(order: Order, payment: PaymentBody): Promise<PaymentBody> {
    say(this.scene, payment, paidWith(moneyOf(order)));
    return this.#paid(order, { payment: await asked(this.scene, payment) });
  }

  async #walletBegun(order: Order): Promise<{ payment: PaymentBody; session: SessionBody }> {
    const { amount, currency } = order;
    const session = await this.session(order);
    const started = walletStarted({ amount: { total: Number(amount), currency } });
    will(this.scene, 'POST /init-partner', session, started);
    return { session, payment: expectStatus(await this.scene.client.payWallet(session), 201).body };
  }

  async wallet(order: Order): Promise<PaymentBody> {
    return this.#paidLater(order, (await this.#walletBegun(order)).payment);
  }

  async transfer(order: Order): Promise<PaymentBody> {
    const session = await this.session(order);
    will(
      this.scene,
      'POST /payment/transfer',
      session,
      answer(cardAnswer({ ...ACCOUNT, ...moneyOf(order) })),
    );
    const { body } = expectStatus(await this.scene.client.payTransfer(session), 201, 202);
    return this.#paidLater(order, body);
  }

  /** Declined, and paid all the same as the gateway says later. */
  async late(order: Order): Promise<PaymentBody> {
    return this.#paidLater(order, (await this.declined(order)).payment);
  }

  /** A wallet order that the payer gave up for a card, and that was paid too. */
  async twice(order: Order): Promise<PaymentBody[]> {
    const { payment, session } = await this.#walletBegun(order);
    say(this.scene, payment, answer(pending));
    expectStatus(await act(this.scene, 'cancel', payment), 200);
    return [await this.card(order, session), await this.#paidLater(order, payment)];
  }

  /** Held, and captured in part. */
  async part(order: Order, part: bigint): Promise<PaymentBody> {
    const { currency } = order;
    const session = await this.session(order);
    const held = answer(cardAnswer({ status: 'AUTHORIZED', ...moneyOf(order) }));
    const { payment } = await payCard(this.scene, held, session);
    const said = paidWith({ amount: formatMajor(part, currency), currency });
    will(this.scene, COMPLETION, payment, said);
    say(this.scene, payment, said);
    const done = await act(this.scene, 'complete', payment, { amount: formatMajor(part, currency) });
    return this.#paid(order, { payment: expectStatus(done, 200).body }, part);
  }

  /** Paid with another amount than the gateway said first, as a person has seen. */
  async corrected(order: Order, arrived: bigint): Promise<PaymentBody> {
    const { currency } = order;
    const payment = await this.card(order);
    const amount = formatMajor(arrived, currency);
    say(this.scene, payment, paidWith({ amount, currency }));
    await asked(this.scene, payment);
    const body = { status: 'succeeded', amountReceived: amount, note: 'Seen on the statement.' };
    expectStatus(await act(this.scene, 'resolve', payment, body), 200);
    this.#move(currency, 'captured', arrived - order.amount);
    return payment;
  }

  async voided(order: Order): Promise<PaymentBody> {
    const payment = await this.card(order);
    will(this.scene, VOID, payment, answer(voided));
    say(this.scene, payment, answer(voided));
    expectStatus(await act(this.scene, 'void', payment), 200);
    this.#move(order.currency, 'reversed', order.amount);
    return payment;
  }

  /** A refund that was asked for here. Gives its name at the gateway. */
  async refund({ currency }: Order, payment: PaymentBody, amount: bigint): Promise<string> {
    const name = `${payment.gatewayReference}_r1`;
    will(this.scene, REFUND, payment, says('PARTIALLY_REFUNDED'));
    this.scene.gateway.script(`GET /refund/${name}`, says('REFUNDED'));
    const body = { amount: formatMajor(amount, currency) };
    expectStatus(await giveBack(this.scene, payment, body), 201);
    this.#move(currency, 'refunded', amount);
    return name;
  }

  async bounces({ currency }: Order, payment: PaymentBody, name: string, amount: bigint): Promise<void> {
    this.scene.gateway.script(`GET /refund/${name}`, says('FAILED'));
    await asked(this.scene, payment);
    this.#move(currency, 'refunded', -amount);
  }

  async refusesRefund({ currency }: Order, payment: PaymentBody, amount: bigint): Promise<void> {
    will(this.scene, REFUND, payment, refused);
    this.scene.gateway.script(`GET /refund/${payment.gatewayReference}_r1`, says('FAILED'));
    expectStatus(await giveBack(this.scene, payment, { amount: formatMajor(amount, currency) }), 409);
  }

  /** Given back at the gateway's own dashboard. */
  async refundedThere({ currency, amount }: Order, payment: PaymentBody): Promise<void> {
    say(this.scene, payment, answer(cardAnswer({ status: 'REFUNDED' })));
    await asked(this.scene, payment);
    this.#move(currency, 'refunded', amount);
  }

  async chargedBack({ currency, amount }: Order, payment: PaymentBody): Promise<void> {
    say(this.scene, payment, answer(cardAnswer({ status: 'CHARGEBACK' })));
    await asked(this.scene, payment);
    this.#move(currency, 'chargedBack', amount);
  }

  async disputeWon({ currency, amount }: Order, payment: PaymentBody): Promise<void> {
    say(this.scene, payment, answer(cardAnswer({ status: 'CHARGEBACK_REVERSED' })));
    await asked(this.scene, payment);
    this.#move(currency, 'chargedBack', -amount);
  }

  /** Puts each row into the payout of its currency and day, and adds what was paid out. So many payouts are not the net of their rows. */
  payOut(planted: number): void {
    const named = ({ currency, settledAt }: FileRow): string =>
      `PO-${currency}-${new Date(settledAt).toISOString().slice(0, 10)}`;
    let left = planted;
    for (const [payout, rows] of Map.groupBy(this.rows.splice(0), named)) {
      this.rows.push(...rows.map((row) => ({ ...row, payout })));
      const net = rows.reduce((sum, row) => sum + netOf(row), 0n);
      const [first] = rows;
      if (!first || net <= 0n) continue;
      const amount = net + (left > 0 ? 7n : 0n);
      const row = {
        ...first,
        type: 'payout',
        reference: '',
        transactionRef: payout,
        payout,
        amount,
        fee: 0n,
      } as const;
      this.rows.push({ ...row, refundRef: null });
      if (left > 0) this.plant('payout_differs', { reference: payout, amount });
      left -= 1;
    }
  }
}

const ACCOUNT = { status: 'PENDING', accountNumber: '0123456789', accountName: 'Shop', bankName: 'Bank' };

/** As the gateway writes it. */
function moneyOf({ amount, currency }: Order): { amount: string; currency: string } {
  return { amount: formatMajor(amount, currency), currency };
}

/** 1.5 %. */
export function feeOf(amount: bigint): bigint {
  return (amount * 15n + 500n) / 1_000n;
}

function netOf({ type, amount, fee }: FileRow): bigint {
  const isIn = type === 'payment' || type === 'refundReversal' || type === 'chargebackReversal';
  return (isIn ? amount : -amount) - (fee ?? 0n);
}
