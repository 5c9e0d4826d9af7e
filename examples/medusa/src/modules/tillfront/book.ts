import type { BigNumberInput } from '@medusajs/framework/types';
import { MathBN, MedusaError } from '@medusajs/framework/utils';
import { asDecimal } from './money';
import type { EnteredRefund } from './next-refund';

/** A capture that Medusa has entered. It enters one before it asks the provider, and removes it if the provider throws. */
export interface Entry {
  id: string;
  amount: BigNumberInput;
}

interface Row {
  id: string;
  payment_id: string;
  raw_amount: BigNumberInput;
}

interface RefundRow extends Row {
  created_at: Date | string;
  metadata: Record<string, unknown> | null;
}

interface Rows<T> {
  retrieve(id: string, config?: object): Promise<T>;
  list(filters: object, config?: object): Promise<T[]>;
  update(row: object): Promise<T>;
}

interface PaymentRow {
  captures: Row[];
  refunds: RefundRow[];
}

/** What a provider gets of the payment module: its container has the services of the module's own tables. */
interface PaymentModule {
  paymentService: Rows<PaymentRow>;
  paymentSessionService: Rows<{ id: string }>;
  captureService: Rows<Row>;
  refundService: Rows<RefundRow>;
}

/** Where the metadata of Medusa's refund name the one at Tillfront that it stands for. */
const SETTLED_BY = 'tillfront_refund';

/**
 * Medusa's book of payments. Medusa tells a provider neither how much it wants to capture nor what it has entered already, and the
 * `data` of a payment cannot hold it: it is lost when the provider throws, and two calls at a time overwrite each other's.
 */
export class Book {
  private readonly module: PaymentModule;

  constructor(container: Record<string, unknown>) {
    this.module = container as unknown as PaymentModule;
  }

  async knowsSession(id: string): Promise<boolean> {
    return (await this.module.paymentSessionService.list({ id: [id] })).length > 0;
  }

  /** How much Medusa has captured in a payment session. */
  async capturedIn(session: string): Promise<BigNumberInput> {
    const payments = await this.module.paymentService.list(
      { payment_session_id: [session] },
      { relations: ['captures'] },
    );
    return sum(payments.flatMap(({ captures }) => captures).map(entry));
  }

  /** The capture of this id, and the others of its payment. */
  async captures(id: string | undefined): Promise<{ own: Entry; others: Entry[] }> {
    const own = await this.module.captureService.retrieve(stated(id));
    const { captures } = await this.payment(own, 'captures');
    return { own: entry(own), others: captures.filter((row) => row.id !== id).map(entry) };
  }

  /** The refund of this id, and the others of its payment. */
  async refunds(
    id: string | undefined,
    currency: string,
  ): Promise<{ own: EnteredRefund; others: EnteredRefund[] }> {
    const own = await this.module.refundService.retrieve(stated(id));
    const { refunds } = await this.payment(own, 'refunds');
    const entered = (row: RefundRow): EnteredRefund => enteredRefund(row, currency);
    return { own: entered(own), others: refunds.filter((row) => row.id !== id).map(entered) };
  }

  /** Notes which refund at Tillfront an entry stands for, so that it is neither entered nor made again. The last step of a refund. */
  async settle({ id }: EnteredRefund, refundAtTillfront: string): Promise<void> {
    const { metadata } = await this.module.refundService.retrieve(id);
    await this.module.refundService.update({
      id,
      metadata: { ...metadata, [SETTLED_BY]: refundAtTillfront },
    });
  }

  private payment({ payment_id }: Row, kind: 'captures' | 'refunds'): Promise<PaymentRow> {
    return this.module.paymentService.retrieve(payment_id, { relations: [kind] });
  }
}

export function sum(entries: readonly Entry[]): BigNumberInput {
  return MathBN.sum(...entries.map(({ amount }) => amount));
}

function stated(id: string | undefined): string {
  // Without it a second attempt cannot be told from a second wish.
  if (!id) throw new MedusaError(MedusaError.Types.INVALID_DATA, 'Medusa’s id of this step is missing');
  return id;
}

function enteredRefund({ id, raw_amount, created_at, metadata }: RefundRow, currency: string): EnteredRefund {
  const settledBy = metadata?.[SETTLED_BY];
  return {
    id,
    amount: asDecimal(raw_amount, currency),
    settledBy: typeof settledBy === 'string' ? settledBy : null,
    enteredAt: new Date(created_at),
  };
}

const entry = ({ id, raw_amount }: Row): Entry => ({ id, amount: raw_amount });
