import { Inject, Injectable } from '@nestjs/common';
import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { PeriodicTask } from '../../background/periodic-task.js';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { payerHashes } from '../../sessions/payer-hashes.js';
import { timeBound } from '../../store/ids.js';
import type { Payer } from '../../store/schema.js';
import { readMeta, writeMeta } from '../../store/meta.js';
import { Store } from '../../store/store.js';
import type { Logger } from '../../telemetry/logger.js';
import { LOGGER } from '../../telemetry/telemetry.module.js';
import { ReferenceIndex } from './reference-index.js';

/** How soon payments are in the index though nobody searches. */
const EVERY_MS = 10_000;
/** So many rows are looked at, then payers have their turn. */
const SLICE = 200;
const BETWEEN_SLICES_MS = 50;
const HOUR_MS = 3_600_000;
/** In `meta`: by which key the hashes of payers were made, and up to when. */
const MARK = 'search_payers';

/**
 * Keeps what payments are found by complete, beside their own work: at each start all that the index of references lacks, and the hashes of
 * payers that former versions or former keys have left, then what is new.
 */
@Injectable()
export class SearchIndexWorker extends PeriodicTask {
  /** Where the walk through all payments is; undefined when it is over. */
  private walked: string | undefined = 'pay_';
  /** The same of sessions. */
  private payers: { after: string | undefined; mark: string } | undefined;
  private payersAgainAt = 0;

  constructor(
    private readonly store: Store,
    private readonly references: ReferenceIndex,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({ event: 'search.index_failed', store, logger });
  }

  protected async run(): Promise<number> {
    if (this.walked !== undefined)
      ({ after: this.walked } = await this.references.addAfter(this.walked, SLICE));
    else await this.references.catchUp();
    const hashing = await this.hashPayers();
    return this.walked !== undefined || hashing ? BETWEEN_SLICES_MS : EVERY_MS;
  }

  /** Hashes the payers of some sessions. False: there are no more for now. */
  private async hashPayers(): Promise<boolean> {
    const [secretKey = ''] = this.config.keys.secretKeys.unwrap();
    this.payers ??= await this.beginPayers(secretKey);
    if (this.payers?.after === undefined) return false;
    const { after, mark } = this.payers;
    const rows = await this.store.db
      .selectFrom('checkout_sessions')
      .select(['id', 'payer', 'email_hash', 'phone_hash'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(SLICE)
      .execute();
    const hashed = rows.flatMap(({ id, payer, ...held }) => {
      if (payer === null) return [];
      const { emailHash, phoneHash } = payerHashes(JSON.parse(payer) as Payer, secretKey);
      const isSame = emailHash === held.email_hash && phoneHash === held.phone_hash;
      return isSame ? [] : [sql`(${id}, ${payer}, cast(${emailHash} as text), cast(${phoneHash} as text))`];
    });
    // One statement, because each makes the embedded store decide anew what is being written meanwhile. And only while the payer is
    // still what it was hashed from: it may have been erased since.
    if (hashed.length > 0)
      await sql`
        update checkout_sessions set email_hash = hashed.column3, phone_hash = hashed.column4
        from (values ${sql.join(hashed)}) as hashed
        where checkout_sessions.id = hashed.column1 and payer = hashed.column2`.execute(this.store.db);
    this.payers.after = rows.length < SLICE ? undefined : rows.at(-1)?.id;
    if (this.payers.after !== undefined) return true;
    await writeMeta(this.store, MARK, mark);
    this.payers = undefined;
    return false;
  }

  /** From where on payers are to be hashed; undefined: not now. Replicas of a former version may go on making sessions without. */
  private async beginPayers(secretKey: string): Promise<typeof this.payers> {
    const now = this.store.clock.now();
    const name = hash('sha256', `tillfront/search-key/${secretKey}`, 'base64url').slice(0, 12);
    const [key, until = '0'] = (await readMeta(this.store, MARK))?.split(' ') ?? [];
    if (key === name && now < this.payersAgainAt) return undefined;
    this.payersAgainAt = now + HOUR_MS;
    return {
      after: key === name ? timeBound('cs', Number(until) - HOUR_MS) : 'cs_',
      mark: `${name} ${now}`,
    };
  }
}
