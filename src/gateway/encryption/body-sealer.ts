import type { Secret } from '../../secrets/secret.js';
import { targetOf, writeAt } from '../requests/places.js';
import type { EncryptionProfile } from '../profile/format.js';
import { EncryptionKeyError, type EncryptionScheme } from './schemes.js';
import { schemeOf } from './settings.js';

/** Builds encrypted bodies: the envelope, the fields that stay in clear, and the profile's constants. */
export class BodySealer {
  readonly #scheme: EncryptionScheme<unknown> | undefined;
  readonly #keySource: Secret | undefined;
  readonly #siblings: Readonly<Record<string, unknown>>;
  /** The path of the object that gets the envelope's members. */
  readonly #place: readonly string[];
  #keyText: string | undefined;
  #key: unknown;

  constructor(encryption: EncryptionProfile, keySource: Secret | undefined) {
    this.#scheme = schemeOf(encryption);
    this.#keySource = keySource;
    this.#siblings = encryption.siblings ?? {};
    this.#place = encryption.envelope === undefined ? [] : targetOf(encryption.envelope).slice(0, -1);
  }

  /** What is wrong with the current key, or undefined. */
  keyProblem(): string | undefined {
    if (!this.#scheme) return undefined;
    try {
      this.#readKey(this.#scheme);
      return undefined;
    } catch (error) {
      return error instanceof EncryptionKeyError ? error.message : 'cannot be used';
    }
  }

  /** The body with the envelope of a text. Throws where the key cannot be used. */
  async seal(open: Readonly<Record<string, unknown>>, text: string): Promise<Record<string, unknown>> {
    if (!this.#scheme) throw new EncryptionKeyError('has no scheme');
    return this.assemble(open, await this.#scheme.seal(text, this.#readKey(this.#scheme)));
  }

  /** Merges an envelope into the fields that are not encrypted. */
  assemble(
    open: Readonly<Record<string, unknown>>,
    members: Readonly<Record<string, unknown>>,
  ): Record<string, unknown> {
    const body: Record<string, unknown> = { ...open, ...this.#siblings };
    for (const [name, value] of Object.entries(members)) writeAt(body, [...this.#place, name], value);
    return body;
  }

  /**
   * The current key. It is parsed again only when its text has changed. If the new text is not a valid key, the last
   * good one stays in use, because a file may be read while it is half written.
   */
  #readKey(scheme: EncryptionScheme<unknown>): unknown {
    const text = this.#keySource?.unwrap();
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
