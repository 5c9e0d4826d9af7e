import { inspect } from 'node:util';

const REDACTED = '[secret]';

/**
 * A value that must stay hidden. Text, JSON and `util.inspect` show `[secret]`. Only {@link unwrap} returns the value, so
 * every use can be found by that name.
 */
export class Secret<T = string> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** The value itself. Call it only where the value is used, and never keep the result in a long-lived variable. */
  unwrap(): T {
    return this.#value;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}
