import type { DatabaseSync } from 'node:sqlite';
import type { Driver } from 'kysely';
import { Batches } from '../../src/store/batch.js';
import { SqliteClock } from '../../src/store/clock/sqlite-clock.js';
import { PaymentWriter } from '../../src/store/payment-writer.js';
import { EmbeddedDialect } from '../../src/store/sqlite/dialect.js';
import { Runner, type Reply } from '../../src/store/sqlite/runner.js';
import { SqliteDriver } from '../../src/store/sqlite/session.js';
import { asSqliteUnavailable } from '../../src/store/sqlite/unavailable.js';
import type { SqliteWriter } from '../../src/store/sqlite/writer.js';

/** The writer of an embedded store on a connection of the test's own, without a thread. */
export function directWriter(database: DatabaseSync): SqliteWriter {
  const runner = new Runner(database);
  let generation = 0;
  return {
    get generation() {
      return generation;
    },
    run: (message) => {
      const reply: Reply = runner.run(message);
      generation = reply.generation;
      if (reply.kind !== 'error') return Promise.resolve(reply);
      const { message: text, code, errcode } = reply;
      return Promise.reject(asSqliteUnavailable(Object.assign(new Error(text), { code, errcode })));
    },
    hold: () => Promise.resolve(() => undefined),
    end: () => Promise.resolve(),
  };
}

/** What writes payments into an embedded store on a connection of the test's own. */
export function directBatches(database: DatabaseSync): Batches {
  const writer = directWriter(database);
  return new Batches(new SqliteDriver({ database, writer, clock: new SqliteClock(database, writer) }));
}

export function directPaymentWriter(database: DatabaseSync): PaymentWriter {
  return new PaymentWriter(directBatches(database));
}

/** An embedded store for Kysely on such a connection, which is closed with it. */
export class DirectDialect extends EmbeddedDialect {
  constructor(private readonly database: DatabaseSync) {
    super({ database, writer: directWriter(database) });
  }

  override createDriver(): Driver {
    const driver = super.createDriver();
    driver.destroy = () => {
      this.database.close();
      return Promise.resolve();
    };
    return driver;
  }
}
