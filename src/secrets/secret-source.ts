/** Where a secret comes from. Ask at each use, because the value may change while the service runs. */
export interface SecretSource {
  /** The current value, or undefined where none is configured. */
  current(): string | undefined;
}

/** A secret with several valid values, so that it can be rotated without an interruption. The first value is preferred. */
export interface SecretListSource {
  /** The current values, or an empty array where none is configured. The array is the same object until the values change. */
  current(): readonly string[];
}

/** A secret that never changes while the service runs. The value is private, so printing the source does not reveal it. */
export class FixedSecret implements SecretSource {
  readonly #value: string | undefined;

  constructor(value: string | undefined) {
    this.#value = value;
  }

  current(): string | undefined {
    return this.#value;
  }
}

/** Splits a comma-separated secret and drops spaces around the entries. */
export function splitSecretList(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.split(',').map((entry) => entry.trim());
}

/** Reads a source as a comma-separated list. */
export class SecretList implements SecretListSource {
  readonly #source: SecretSource;
  #text: string | undefined;
  #entries: readonly string[] = [];

  constructor(source: SecretSource) {
    this.#source = source;
  }

  current(): readonly string[] {
    const text = this.#source.current();
    if (text !== this.#text) {
      this.#text = text;
      this.#entries = Object.freeze([...splitSecretList(text)]);
    }
    return this.#entries;
  }
}
