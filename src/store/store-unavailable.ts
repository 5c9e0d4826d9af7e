/** The store is unreachable or cannot write. Nothing was acknowledged, and the caller may try again. */
export class StoreUnavailable extends Error {
  readonly code = 'store-unavailable';

  /**
   * @param causeCode a SQLSTATE, an errno, or the code of TLS, DNS or SQLite, where one is known
   * @param uncertain the write may have been committed: its connection was lost, and nobody could be asked since
   */
  constructor(
    readonly reason: string,
    readonly causeCode?: string,
    readonly uncertain = false,
  ) {
    super(`The store is unavailable: ${reason}`);
    this.name = 'StoreUnavailable';
  }
}

/** Too many writes wait. Nothing was recorded. */
export class Overloaded extends Error {
  readonly code = 'overloaded';

  constructor() {
    super('Too many writes wait for the store');
    this.name = 'Overloaded';
  }
}
