import { Inject, Injectable } from '@nestjs/common';
import { PROFILE } from '../../gateway/gateway.module.js';
import type { Profile } from '../../gateway/profile/format.js';
import { clientRefOf } from '../../gateway/requests/client-ref.js';
import { Problem } from '../../http/problems/problem.js';
import { KeyedWriter } from '../../idempotency/keyed-writer.js';
import type { KeyedCall } from '../../auth/keyed-call.js';
import { openNames } from '../../store/payment-name.js';
import { decodeRow, type StoredRow } from '../../store/table.js';
import { type ReferenceRecord, references } from '../../store/schema.js';
import { Store } from '../../store/store.js';

/** Orders of which no payment starts, because the gateway does not say what became of one that the store does not have. */
@Injectable()
export class HeldReferences {
  constructor(
    private readonly store: Store,
    private readonly keyed: KeyedWriter,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  /** One page, in the order of the references. */
  async list(limit: number, after = ''): Promise<ReferenceRecord[]> {
    const rows = await this.store.db
      .selectFrom('payment_references')
      .selectAll()
      .where('held_since', 'is not', null)
      .where('reference', '>', after)
      .orderBy('reference')
      .limit(limit)
      .execute();
    return rows.map((row) => decodeRow(references, row as StoredRow));
  }

  /** Those of which named payments are to be asked about though nobody waits, the longest due first. */
  async due(limit: number): Promise<ReferenceRecord[]> {
    const rows = await this.store.db
      .selectFrom('payment_references')
      .selectAll()
      .where('names_due_at', '<=', this.store.clock.now())
      .orderBy('names_due_at')
      .limit(limit)
      .execute();
    return rows.map((row) => decodeRow(references, row as StoredRow));
  }

  /** What the gateway calls the n-th payment of a reference. */
  gatewayReference({ reference }: Pick<ReferenceRecord, 'reference'>, n: number): string {
    return clientRefOf(reference, n, this.profile.reference);
  }

  /**
   * Releases a reference on a person's word: its named payments hold up no other one, and their numbers are never used. Throws
   * `not-found` for one that has no such names, and `invalid-state` where nothing holds it up any longer.
   */
  async release(
    reference: string,
    note: string,
    call: KeyedCall,
  ): Promise<{ reference: ReferenceRecord; replayed: boolean }> {
    if (!(await this.isNamed(reference)))
      throw new Problem('not-found', 'No payment of this reference is asked about.');
    return this.keyed.write<{ reference: ReferenceRecord; replayed: boolean }>(
      call,
      { reference },
      {
        replay: (snapshot) => ({ reference: snapshot.reference, replayed: true }),
        decide: ({ reference: before }, now) => {
          const open = openNames(before.names);
          if (open.length === 0)
            throw new Problem('invalid-state', 'Nothing holds this reference up any longer.');
          const released = { by: call.actor, at: now, note };
          const after: ReferenceRecord = {
            ...before,
            attempts: Math.max(before.attempts, ...open.map(({ n }) => n)),
            names: before.names.map((name) => (name.released ? name : { ...name, released })),
            heldSince: null,
            namesDueAt: null,
          };
          return {
            changes: { reference: after },
            result: { reference: after, replayed: false },
            made: { sessionId: before.sessionId ?? '', sessionExpiresAt: now },
          };
        },
      },
    );
  }

  private async isNamed(reference: string): Promise<boolean> {
    const row = await this.store.db
      .selectFrom('payment_references')
      .select('names')
      .where('reference', '=', reference)
      .executeTakeFirst();
    return row !== undefined && row.names !== '[]';
  }
}
