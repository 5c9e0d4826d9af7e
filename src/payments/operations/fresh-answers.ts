import { Injectable } from '@nestjs/common';
import { Problem } from '../../http/problems/problem.js';
import type { Epoch } from '../../store/history/epoch.js';
import type { PaymentRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import type { PaymentSnapshot } from '../apply/apply.js';
import { Inquiry, type Asked } from '../inquiry/inquiry.js';
import { isVoidDoubtful } from '../state/operation-state.js';

/** A merchant waits meanwhile: then what is known counts, where that is enough. */
const LONGEST_QUESTION_MS = 5_000;

/** What the gateway has just said of an order. */
export interface Fresh {
  /** The payments about which its answer was clear, by id. */
  clear: ReadonlySet<string>;
  /** Whether it has said how much of the payment itself has been given back by now. */
  saysGivenBack: boolean;
  /** How many refunds of the payment had been begun by then. */
  refundsMade: number;
}

/** The order of a payment: itself and the other paid ones of its reference. */
type Order = Pick<PaymentSnapshot, 'payment' | 'paidBeside'>;

/**
 * The payments of an order about which the gateway must have answered just now before money of any of them is given back: of which a
 * void may have been done that is recorded as refused, and those from before the store forgot what it had confirmed. Pure.
 */
function needingFreshAnswer(
  { payment, paidBeside }: Order,
  { since }: Pick<Epoch, 'since'>,
): PaymentRecord[] {
  return [payment, ...paidBeside.map((beside) => beside.payment)].filter(
    (one) => isVoidDoubtful(one) || one.createdAt <= since,
  );
}

/**
 * Whether another refund of the payment was begun since the gateway was asked: it may have been done, and the answer holds nothing of
 * it. Pure.
 */
export function isOutrun(
  { refundsMade }: Pick<Fresh, 'refundsMade'>,
  payment: Pick<PaymentRecord, 'refundsMade'>,
): boolean {
  return payment.refundsMade !== refundsMade;
}

/** Throws `outcome-unknown` where the gateway has not answered about a payment about which it must have. Pure. */
function assertFresh(order: Order, epoch: Pick<Epoch, 'since'>, { clear }: Pick<Fresh, 'clear'>): void {
  const unclear = needingFreshAnswer(order, epoch).find(({ id }) => !clear.has(id));
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
  constructor(
    private readonly inquiry: Inquiry,
    private readonly store: Store,
  ) {}

  /** Whether money of the order moves only after a fresh answer. */
  areNeeded(order: Order): boolean {
    return needingFreshAnswer(order, this.store.epoch).length > 0;
  }

  /** Throws `outcome-unknown` where one is needed that is not there. */
  assert(order: Order, fresh: Fresh): void {
    assertFresh(order, this.store.epoch, fresh);
  }

  /**
   * Asks about the payment, whose lease was just taken and is given back, and about those others of its order that need it.
   * Never throws for the others.
   */
  async ask(leased: PaymentRecord, { payment, paidBeside }: Order): Promise<Fresh> {
    const own = await this.inquiry.askHolding(leased, { longestMs: LONGEST_QUESTION_MS });
    const others = needingFreshAnswer({ payment, paidBeside }, this.store.epoch).filter(
      ({ id }) => id !== payment.id,
    );
    const asked = await Promise.all(others.map(({ id }) => this.askBeside(id)));
    const clear = [own, ...asked].flatMap((one) => (one?.fresh ? [one.payment.id] : []));
    const { saysGivenBack } = own;
    return { clear: new Set(clear), saysGivenBack, refundsMade: own.payment.refundsMade };
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
