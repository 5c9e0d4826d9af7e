/** An encrypted text as it is sent: the members of the envelope by name. */
export type Sealed = Readonly<Record<string, string>>;

/** An encryption scheme with the profile's settings applied. */
export interface EncryptionScheme<K> {
  /** Names of the envelope's members. The first one carries the ciphertext. */
  readonly members: readonly [string, ...string[]];
  /** Parses the configured key. Throws {@link EncryptionKeyError}. */
  readKey(text: string): K;
  /** Encrypts a text. Every random part is fresh for each call. */
  seal(plaintext: string, key: K): Sealed | Promise<Sealed>;
}

/** A key that the scheme cannot use. The message says what is expected and never repeats the key. */
export class EncryptionKeyError extends Error {
  override readonly name = 'EncryptionKeyError';
}
