import { newId } from '../store/ids.js';
import type { Asker } from './asker.js';
import { isToBeVoided } from './core/check.js';
import { openOperation, type Payment } from './core/payment.js';
import { Refusal } from './core/refusal.js';
import type { Engine } from './engine.js';
import type { OrderWriter } from './order-writer.js';

const WAIT_MS = 15_000;

/**
 * `DUPLICATE_POLICY=void`: voids a duplicate once, after one fresh answer says that the payment that pays is still paid, under another
 * transaction, while no operation of it is open (P5).
 */
export async function voidDuplicate(
  { reference, id, duplicateOf }: Payment,
  orders: OrderWriter,
  asker: Asker,
  engine: Engine,
): Promise<void> {
  if (duplicateOf === null) return;
  const { state, asked } = await asker.ask(reference, duplicateOf, WAIT_MS);
  const payer = state.payments.find((one) => one.id === duplicateOf);
  const duplicate = state.payments.find((one) => one.id === id);
  if (!payer || !duplicate || asked?.fact.is !== 'paid' || payer.status !== 'succeeded') return;
  if (openOperation(payer) || !isToBeVoided(duplicate, orders.rules())) return;
  if (payer.transactionRef === null || duplicate.transactionRef === null) return;
  if (payer.transactionRef === duplicate.transactionRef) return;
  try {
    const command = { do: 'void' as const, payment: id, operation: newId('op'), policy: true as const };
    await engine.perform({ reference, command, actor: 'tillfront', details: {} });
  } catch (error) {
    // The order changed meanwhile: a person has the duplicate's attention anyway.
    if (!(error instanceof Refusal)) throw error;
  }
}
