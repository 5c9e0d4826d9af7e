import { indexOfMatch } from './compare.js';
import { splitSecretList, type SecretListSource, type SecretSource } from './secret-source.js';

/** A name of a key and the key: `name=key`, or a key alone. Of `=` a key has at most the two that end a base64 text. */
const ENTRY = /^(?:([a-z0-9-]{1,32})=)?([^=]+={0,2})$/;

/** A bearer secret, and whose it is where that was said. */
export interface NamedKey {
  readonly name: string | undefined;
  readonly key: string;
}

/** Keys with names, of which several are valid at a time. */
export interface NamedKeySource extends SecretListSource {
  /** The bare keys now, without their names. */
  current(): readonly string[];
  /** The name of a presented key; its name is undefined where it has none. Undefined where it is none of these keys. */
  match(presented: string): { readonly name: string | undefined } | undefined;
}

/** Reads one entry of a list. Undefined where an `=` stands after something that is no name, or no key follows. */
export function parseNamedKey(entry: string): NamedKey | undefined {
  const match = ENTRY.exec(entry);
  return match?.[2] === undefined ? undefined : { name: match[1], key: match[2] };
}

/** The entries of a comma-separated list. What is malformed counts as a key without a name: the start has refused it. */
export function namedKeysIn(text: string | undefined): readonly NamedKey[] {
  return splitSecretList(text).map((entry) => parseNamedKey(entry) ?? { name: undefined, key: entry });
}

/** Reads a source as a comma-separated list of keys, each with or without a name. Follows the source. */
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

  match(presented: string): { readonly name: string | undefined } | undefined {
    const index = indexOfMatch(presented, this.current());
    return index < 0 ? undefined : { name: this.#names[index] };
  }
}
