import { inspect } from 'node:util';

const REDACTED = '[secret]';

/**
 * A value that must not be seen. Text, JSON and `util.inspect` show `[secret]`;
 * only {@link unwrap} hands the value out, so every place that uses it can be found by that name.
 */
export class Secret<T = string> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** The value itself. Call it where the value is used, never to keep it in a variable that lives on. */
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
