import type { PaymentDto } from '../../src/payments/views/payment.dto.ts';
import type { Charge } from './book.ts';
import { misfit } from './judge.ts';
import type { World } from './world.ts';

const numberOf = (value: unknown): bigint => BigInt(String(value));

/** Nothing but the gateway's own moves happened to it, and the service knows all of them. */
function isPlain(world: World, charge: Charge, payment: PaymentDto): boolean {
  if (payment.needsAttention || misfit(world, payment) !== undefined || world.isExcused(charge)) return false;
  return !charge.blurred && !charge.amountByPerson && !charge.settledByPerson;
}

/** The ledger comes to what the gateway's book holds. */
export function lookAtLedger(world: World): void {
  const movements = Map.groupBy(world.store.rows('select * from movements'), ({ payment_id: id }) =>
    String(id),
  );
  for (const payment of world.store.payments()) {
    const charge = world.book.find(payment.gatewayReference);
    if (!charge || world.lost.has(payment.reference) || !isPlain(world, charge, payment)) continue;
    const sum = (movements.get(payment.id) ?? []).reduce(
      (all, { direction, amount }) => (direction === 'in' ? all + numberOf(amount) : all - numberOf(amount)),
      0n,
    );
    if (sum !== charge.net)
      world.blame(`the ledger has ${sum} of ${charge.ref}, and the gateway's book ${charge.net}`);
  }
}
