import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { PeriodicTask } from '../../background/periodic-task.js';
import { ledgerFaults, type LedgerFault } from '../../store/ledger-faults.js';
import { NamedLease } from '../../store/named-lease.js';
import { operations, type OperationRecord, type PaymentRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { decodeRow, type StoredRow } from '../../store/table.js';
import type { Logger } from '../../telemetry/logger.js';
import { LOGGER } from '../../telemetry/telemetry.module.js';
import { movementsOf } from '../apply/movements.js';

const DAY_MS = 24 * 3_600_000;
/** Processes of the former version run no longer than this beside the schema of this one. */
const UPGRADED_WITHIN_MS = 7 * DAY_MS;
const LOOK_EVERY_MS = 10 * 60_000;
const AT_ONCE = 500;
const LEASE = 'ledger-catch-up';
const LEASE_MS = 60_000;

/**
 * Enters into the ledger what processes of a version without one wrote while replicas were being replaced. Only those of PostgreSQL can run
 * beside this one, and only for some days after the migration, so nothing is read after that. One process for all.
 */
@Injectable()
export class LedgerCatchUp extends PeriodicTask {
  private readonly lease: NamedLease;

  constructor(
    private readonly store: Store,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super({ event: 'ledger.catch_up_failed', store, logger });
    this.lease = new NamedLease(store, LEASE, LEASE_MS);
  }

  protected async run(): Promise<number | undefined> {
    if (this.store.kind === 'embedded' || !(await this.isUpgraded())) return undefined;
    if ((await this.lease.take()) === undefined) return LOOK_EVERY_MS;
    try {
      let count = 0;
      // What cannot be entered is found again, and must not keep the rest from its turn.
      for (let after = ''; !this.stopped;) {
        const faults = await ledgerFaults(this.store.db, AT_ONCE, after);
        for (const fault of faults) if (!this.stopped) count += await this.enter(fault);
        const last = faults.at(-1);
        if (!last || faults.length < AT_ONCE) break;
        after = last.id;
      }
      if (count > 0) this.logger.info({ event: 'ledger.caught_up', count });
    } finally {
      await this.lease.release();
    }
    return LOOK_EVERY_MS;
  }

  /** Whether the ledger is so young that a process of the version before may still write. */
  private async isUpgraded(): Promise<boolean> {
    const { rows } = await sql<{ timestamp: string }>`
      select timestamp from kysely_migration where name = '0035-ledger'`.execute(this.store.db);
    const at = Date.parse(rows[0]?.timestamp ?? '');
    return this.store.clock.now() - at < UPGRADED_WITHIN_MS;
  }

  /**
   * How many entries were missing. A payment that was written since is left to the next run: its gap may be another. This is such a write
   * too, so that another process that has read the same gap, whatever became of its lease, enters nothing twice.
   */
  private async enter(fault: LedgerFault): Promise<number> {
    const done = await this.unentered(fault.id);
    const recordedAt = Math.max(this.store.clock.now(), fault.updatedAt + 1);
    return this.store.writer.write({ reference: fault.reference, paymentId: fault.id }, ({ payment }) => {
      if (payment?.updatedAt !== fault.updatedAt) return { changes: {}, result: 0 };
      const after = withAmounts(payment);
      const movements = movementsOf({
        before: asEntered(after, fault),
        after,
        refunds: { done, returned: [] },
        operations: [],
        update: {},
      });
      const changes = {
        payment: { ...after, updatedAt: recordedAt },
        movements: movements.map((movement) => ({ ...movement, recordedAt })),
      };
      return { changes, result: movements.length };
    });
  }

  /** Its refunds that were done and of which the ledger has no entry. */
  private async unentered(paymentId: string): Promise<OperationRecord[]> {
    const { rows } = await sql<StoredRow>`
      select * from operations where payment_id = ${paymentId} and type = 'refund' and status = 'confirmed'
        and not exists (select 1 from movements where refund_id = operations.id) order by created_at, id`.execute(
      this.store.db,
    );
    return rows.map((row) => decodeRow(operations, row));
  }
}

/** The former version kept no sum of what was charged back, and not always one of what was taken. */
function withAmounts(payment: PaymentRecord): PaymentRecord {
  const captured =
    payment.amountCaptured ?? (payment.status === 'succeeded' ? payment.amount : payment.amountCaptured);
  const left = (captured ?? 0n) - (payment.amountRefunded ?? 0n);
  const disputed = payment.disputed && captured !== null ? (payment.amountDisputed ?? left) : null;
  return { ...payment, amountCaptured: captured, amountDisputed: disputed ?? payment.amountDisputed };
}

/** The payment as the ledger has it. */
function asEntered(
  payment: PaymentRecord,
  { captured, refunded, disputed, held }: LedgerFault,
): PaymentRecord {
  const { status, amountCaptured, amountRefunded } = payment;
  const taken = (amountCaptured ?? 0n) - captured;
  const given = (amountRefunded ?? 0n) - refunded;
  const charged = (payment.disputed ? (payment.amountDisputed ?? 0n) : 0n) - disputed;
  return {
    ...payment,
    // A void that was not entered is one of a payment that would still hold money.
    status: status === 'voided' && held + taken - given - charged !== 0n ? 'succeeded' : status,
    amountCaptured: captured === 0n ? null : captured,
    amountRefunded: refunded,
    disputed: disputed !== 0n,
    amountDisputed: disputed,
  };
}
