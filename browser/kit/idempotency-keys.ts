/** The key of an operation, and whether an earlier call, perhaps before a reload, got no answer. */
export interface TakenKey {
  key: string;
  resumed: boolean;
}

/**
 * Keeps the key of each operation from the first call until its answer, even across a reload of the page. A repeated call
 * with this key gets the lost answer and not a second payment. The content of calls is not stored.
 */
export class IdempotencyKeys {
  readonly #scope: string;
  readonly #storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | undefined;
  readonly #memory = new Map<string, string>();

  constructor(scope: string, storage = availableSessionStorage()) {
    this.#scope = scope;
    this.#storage = storage;
  }

  /** The key that still waits for an answer, otherwise a new one. */
  take(operation: string): TakenKey {
    const name = this.#name(operation);
    const kept = this.#memory.get(name) ?? this.#read(name);
    const key = kept ?? newKey();
    this.#memory.set(name, key);
    if (kept === undefined) {
      try {
        this.#storage?.setItem(name, key);
      } catch {
        // storage is full or forbidden, so the key lives only as long as the page
      }
    }
    return { key, resumed: kept !== undefined };
  }

  /** The operation has its answer. Its next call is a new attempt. */
  settle(operation: string, key: string): void {
    const name = this.#name(operation);
    if (this.#memory.get(name) === key) this.#memory.delete(name);
    if (this.#read(name) === key) this.#storage?.removeItem(name);
  }

  #name(operation: string): string {
    return `tillfront:${this.#scope}:${operation}`;
  }

  #read(name: string): string | undefined {
    try {
      return this.#storage?.getItem(name) ?? undefined;
    } catch {
      return undefined;
    }
  }
}

/** 128 random bits. `randomUUID` is missing on insecure pages. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function availableSessionStorage(): Storage | undefined {
  try {
    return globalThis.sessionStorage;
  } catch {
    return undefined;
  }
}
