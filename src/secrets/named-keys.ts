import { indexOfMatch } from './compare.js';
import { splitSecretList, type SecretListSource, type SecretSource } from './secret-source.js';

/** A named key, `name=key`, or a key alone. A key itself contains `=` only as the one or two that end a base64 text. */
const ENTRY = /^(?:([a-z0-9-]{1,32})=)?([^=]+={0,2})$/;

/** A bearer secret and the name of its owner, if one was given. */
export interface NamedKey {
  readonly name: string | undefined;
  readonly key: string;
}

/** Keys with names. Several can be valid at a time. */
export interface NamedKeySource extends SecretListSource {
  /** The current keys without their names. */
  current(): readonly string[];
  /** The names of those that have one. */
  names(): readonly string[];
  /** The entry of a presented key, with its name if it has one. Undefined where the key is not one of these. */
  match(presented: string): { readonly name: string | undefined } | undefined;
}

/** Reads one entry of a list. Undefined where the part before `=` is not a name, or no key follows. */
export function parseNamedKey(entry: string): NamedKey | undefined {
  const match = ENTRY.exec(entry);
  return match?.[2] === undefined ? undefined : { name: match[1], key: match[2] };
}

/**
 * The entries of a comma-separated list. A malformed entry counts as a key without a name; the start has already refused
 * it.
 */
export function namedKeysIn(text: string | undefined): readonly NamedKey[] {
  return splitSecretList(text).map((entry) => parseNamedKey(entry) ?? { name: undefined, key: entry });
}

/** Reads a source as a comma-separated list of keys, with or without names. Reflects later changes of the source. */
export class NamedKeyList implements NamedKeySource {
  readonly #source: SecretSource;
  #text: string | undefined;
  #names: readonly (string | undefined)[] = [];
  #keys: readonly string[] = Object.freeze([]);

  constructor(source: SecretSource) {
    this.#source = source;
  }

  current(): readonly string[] {
    const text = this.#source.current();
    if (text !== this.#text) {
      const entries = namedKeysIn(text);
      this.#text = text;
      this.#names = entries.map(({ name }) => name);
      this.#keys = Object.freeze(entries.map(({ key }) => key));
    }
    return this.#keys;
  }

  names(): readonly string[] {
    this.current();
    return this.#names.filter((name) => name !== undefined);
  }

  match(presented: string): { readonly name: string | undefined } | undefined {
    const index = indexOfMatch(presented, this.current());
    return index < 0 ? undefined : { name: this.#names[index] };
  }
}
