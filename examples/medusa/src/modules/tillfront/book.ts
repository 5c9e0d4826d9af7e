import type { BigNumberInput } from '@medusajs/framework/types';
import { MathBN, MedusaError } from '@medusajs/framework/utils';

/** A refund or a capture that Medusa has entered. It enters one before it asks the provider, and removes it if the provider throws. */
export interface Entry {
  id: string;
  amount: BigNumberInput;
}

interface Row {
  id: string;
  payment_id: string;
  raw_amount: BigNumberInput;
}

interface Rows<T> {
  retrieve(id: string, config?: object): Promise<T>;
  list(filters: object, config?: object): Promise<T[]>;
}

interface PaymentRow {
  captures: Row[];
  refunds: Row[];
}

/** What a provider gets of the payment module: its container has the services of the module's own tables. */
interface PaymentModule {
  paymentService: Rows<PaymentRow>;
  paymentSessionService: Rows<{ id: string }>;
  captureService: Rows<Row>;
  refundService: Rows<Row>;
}

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
  captures(id: string | undefined): Promise<{ own: Entry; others: Entry[] }> {
    return this.entries(id, this.module.captureService, 'captures');
  }

  /** The refund of this id, and the others of its payment. */
  refunds(id: string | undefined): Promise<{ own: Entry; others: Entry[] }> {
    return this.entries(id, this.module.refundService, 'refunds');
  }

  private async entries(
    id: string | undefined,
    rows: Rows<Row>,
    kind: 'captures' | 'refunds',
  ): Promise<{ own: Entry; others: Entry[] }> {
    // Without it a second attempt cannot be told from a second wish.
    if (!id) throw new MedusaError(MedusaError.Types.INVALID_DATA, 'Medusa’s id of this step is missing');
    const own = await rows.retrieve(id);
    const payment = await this.module.paymentService.retrieve(own.payment_id, { relations: [kind] });
    return { own: entry(own), others: payment[kind].filter((row) => row.id !== id).map(entry) };
  }
}

export function sum(entries: readonly Entry[]): BigNumberInput {
  return MathBN.sum(...entries.map(({ amount }) => amount));
}

const entry = ({ id, raw_amount }: Row): Entry => ({ id, amount: raw_amount });
