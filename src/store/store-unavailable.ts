/** The store is unreachable or cannot write. Nothing was acknowledged, and the caller may try again. */
export class StoreUnavailable extends Error {
  readonly code = 'store-unavailable';

  /** @param causeCode what it ends in, where that is known: a SQLSTATE, an errno, or the code of TLS, DNS or SQLite */
  constructor(
    readonly reason: string,
    readonly causeCode?: string,
  ) {
    super(`The store is unavailable: ${reason}`);
    this.name = 'StoreUnavailable';
  }
}

/** Whether the store is away, including where a problem says so already. */
export function isStoreUnavailable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'store-unavailable';
}
