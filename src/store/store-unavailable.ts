/** The store is unreachable or cannot write. Nothing was acknowledged, and the caller may try again. */
export class StoreUnavailable extends Error {
  readonly code = 'store-unavailable';

  constructor(reason: string) {
    super(`The store is unavailable: ${reason}`);
    this.name = 'StoreUnavailable';
  }
}
