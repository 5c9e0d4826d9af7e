import { Injectable } from '@nestjs/common';
import { Problem } from '../../http/problems/problem.js';
import type { PaymentRecord } from '../../store/schema.js';
import type { PaymentSnapshot } from '../apply/apply.js';
import { Inquiry, type Asked, type InquiryOptions } from '../inquiry/inquiry.js';
import { isVoidDoubtful } from '../state/ended-by.js';

/** A merchant waits meanwhile: then what is known counts, where that is enough. */
const LONGEST_QUESTION_MS = 5_000;

/** Payments about which the gateway has just given a clear answer, by id. */
export type Fresh = ReadonlySet<string>;

/** The order of a payment: itself and the other paid ones of its reference. */
type Order = Pick<PaymentSnapshot, 'payment' | 'paidBeside'>;

/**
 * The payments of an order about which the gateway must have answered just now before money of any of them is given back: of which a
 * void may have been done that time has ended. Pure.
 */
export function needingFreshAnswer({ payment, paidBeside }: Order): PaymentRecord[] {
  return [payment, ...paidBeside.map((beside) => beside.payment)].filter(isVoidDoubtful);
}

/** Throws `outcome-unknown` where the gateway has not answered about a payment about which it must have. Pure. */
export function assertFresh(order: Order, fresh: Fresh): void {
  const unclear = needingFreshAnswer(order).find(({ id }) => !fresh.has(id));
  if (!unclear) return;
  throw new Problem(
    'outcome-unknown',
    'Money of this order may have been given back already, and the gateway does not say now. Try again later.',
    { paymentId: unclear.id },
  );
}

/** Asks the gateway about an order before money of it is given back. */
@Injectable()
export class FreshAnswers {
  constructor(private readonly inquiry: Inquiry) {}

  /**
   * Asks about the payment, whose lease was just taken and is given back, and about those others of its order that need it. Returns
   * those about which the answer is clear. Never throws for the others.
   */
  async ask(
    leased: PaymentRecord,
    { payment, paidBeside }: Order,
    options: Pick<InquiryOptions, 'conclude'> = {},
  ): Promise<Fresh> {
    const own = await this.inquiry.askHolding(leased, { longestMs: LONGEST_QUESTION_MS, ...options });
    const others = needingFreshAnswer({ payment, paidBeside }).filter(({ id }) => id !== payment.id);
    const asked = await Promise.all(others.map(({ id }) => this.askBeside(id)));
    return new Set([own, ...asked].flatMap((one) => (one?.fresh ? [one.payment.id] : [])));
  }

  private async askBeside(paymentId: string): Promise<Asked | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, LONGEST_QUESTION_MS, undefined);
    });
    return Promise.race([this.inquiry.ask(paymentId).catch(() => undefined), late]).finally(() => {
      clearTimeout(timer);
    });
  }
}
