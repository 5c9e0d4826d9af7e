/** The payments of this data directory are in another store, so a start here would know nothing of them and charge their orders again. */
export class StoreElsewhere extends Error {
  private constructor(message: string) {
    super(`${message} (docs/runbook.md, "The service does not start")`);
    this.name = 'StoreElsewhere';
  }

  /** The embedded store was asked for, beside the witness of a PostgreSQL. `witness` is that file's path. */
  static inPostgres(witness: string): StoreElsewhere {
    return new StoreElsewhere(
      `The payments of this data directory are in PostgreSQL, says ${witness}, and DATABASE_URL is not set. Set it. ` +
        'To begin anew on the embedded store, use another DATA_DIR.',
    );
  }

  /** `path`, the embedded store's database or its log, was moved away. */
  static misplaced(path: string): StoreElsewhere {
    return new StoreElsewhere(
      `${path} is not there, and the store that was used here needs it: it was moved or removed. Put it back in the same place; a new one ` +
        'would know nothing of what was confirmed. To begin anew, use another DATA_DIR.',
    );
  }

  /** An empty database was named, beside the witness of one that has payments. */
  static inAnotherDatabase(witness: string): StoreElsewhere {
    return new StoreElsewhere(
      `The database is empty, and ${witness} knows payments of another one. Correct DATABASE_URL, or restore the database. ` +
        'To begin anew, use another DATA_DIR.',
    );
  }
}
