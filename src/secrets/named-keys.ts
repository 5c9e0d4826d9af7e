import { indexOfMatch } from './compare.js';
import { Secret } from './secret.js';

/** A named key, `name=key`, or a key alone. A key itself contains `=` only at its end, as base64 has it. */
const ENTRY = /^(?:([a-z0-9-]{1,32})=)?([^=]+=*)$/;

/** A bearer secret and the name of its owner, if one was given. */
export interface NamedKey {
  readonly name: string | undefined;
  readonly key: string;
}

/** Reads one entry of a list. Undefined where the part before `=` is not a name, or no key follows. */
export function parseNamedKey(entry: string): NamedKey | undefined {
  const match = ENTRY.exec(entry);
  return match?.[2] === undefined ? undefined : { name: match[1], key: match[2] };
}

/** The entries of a comma-separated list. The start has refused a malformed one. */
export function namedKeysIn(text: string | undefined): readonly NamedKey[] {
  if (text === undefined) return [];
  return text.split(',').flatMap((entry) => parseNamedKey(entry.trim()) ?? []);
}

/** Bearer secrets, several of which can be valid at a time, and their owners' names. */
export class NamedKeys {
  readonly #entries: readonly NamedKey[];
  readonly #keys: Secret<readonly string[]>;

  constructor(list: string | undefined) {
    this.#entries = namedKeysIn(list);
    this.#keys = new Secret(this.#entries.map(({ key }) => key));
  }

  /** The owner of a presented key. Undefined where the key is not one of these. */
  match(presented: string): { readonly name: string | undefined } | undefined {
    const found = this.#entries[indexOfMatch(presented, this.#keys)];
    return found && { name: found.name };
  }
}
