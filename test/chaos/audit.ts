import { TAKES } from '../../sandbox/ledger/ledger-entry.ts';
import { auditEvents, auditOrder } from './audit-events.ts';
import { auditMoney } from './audit-money.ts';
import { auditMoves } from './audit-moves.ts';
import type { Evidence } from './evidence.ts';
import type { World } from './world.ts';

/** What was looked at, for the figures. */
export interface Audited {
  payments: number;
  charges: number;
  notifications: number;
  events: number;
}

/** Holds all that is known of the purchases against each other. What does not fit becomes a violation of the world's. */
export async function audit(world: World, all: readonly Evidence[]): Promise<Audited> {
  const audited = { payments: 0, charges: 0, notifications: 0, events: 0 };
  for (const evidence of all) {
    const blame = (what: string): void => world.violation(what);
    auditMoney(evidence, blame);
    auditMoves(evidence, blame);
    auditEvents(evidence, blame);
    audited.payments += evidence.payments.length;
    audited.charges += evidence.gateway
      .flatMap(({ entries }) => entries)
      .filter(({ kind }) => TAKES.includes(kind)).length;
    audited.notifications += evidence.acknowledged.length;
    audited.events += evidence.listed.length;
  }
  await auditOrder(world);
  return audited;
}
