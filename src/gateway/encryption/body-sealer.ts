import type { SecretSource } from '../../secrets/secret-source.js';
import { targetOf, writeAt, type RequestBody } from '../requests/operation-fields.js';
import type { EncryptionProfile } from '../profile/format.js';
import { EncryptionKeyError, type EncryptionScheme } from './scheme.js';
import { schemeOf } from './settings.js';

/** Puts encrypted bodies together: what is encrypted in its envelope, what is not beside it, and the constants. */
export class BodySealer {
  readonly #scheme: EncryptionScheme<unknown> | undefined;
  readonly #keySource: SecretSource | undefined;
  readonly #siblings: Readonly<Record<string, unknown>>;
  /** Where the envelope's members go, before their names. */
  readonly #place: readonly string[];
  #keyText: string | undefined;
  #key: unknown;

  constructor(encryption: EncryptionProfile, keySource: SecretSource | undefined) {
    this.#scheme = schemeOf(encryption);
    this.#keySource = keySource;
    this.#siblings = encryption.siblings ?? {};
    this.#place = encryption.envelope === undefined ? [] : targetOf(encryption.envelope).slice(0, -1);
  }

  /** What is wrong with the key as it is now, or undefined. */
  keyProblem(): string | undefined {
    if (!this.#scheme) return undefined;
    try {
      this.#readKey(this.#scheme);
      return undefined;
    } catch (error) {
      return error instanceof EncryptionKeyError ? error.message : 'cannot be used';
    }
  }

  /** The body to send. Throws where the key cannot be used. */
  async seal({ open, sealed }: RequestBody): Promise<Record<string, unknown>> {
    if (!this.#scheme || !sealed) return open;
    const members = await this.#scheme.seal(JSON.stringify(sealed), this.#readKey(this.#scheme));
    return this.assemble(open, members);
  }

  /** Puts an envelope beside what is not encrypted. */
  assemble(
    open: Readonly<Record<string, unknown>>,
    members: Readonly<Record<string, unknown>>,
  ): Record<string, unknown> {
    const body: Record<string, unknown> = { ...open, ...this.#siblings };
    for (const [name, value] of Object.entries(members)) writeAt(body, [...this.#place, name], value);
    return body;
  }

  /**
   * The key now; it is taken apart again only where its text has changed. A new text that is no key leaves the last good
   * one in use: a file may be seen half written.
   */
  #readKey(scheme: EncryptionScheme<unknown>): unknown {
    const text = this.#keySource?.current();
    if (text === this.#keyText && this.#key !== undefined) return this.#key;
    try {
      if (text === undefined) {
        throw new EncryptionKeyError('is missing: the encryption scheme of the profile needs it');
      }
      this.#key = scheme.readKey(text);
    } catch (error) {
      if (this.#key === undefined) throw error;
    }
    this.#keyText = text;
    return this.#key;
  }
}
