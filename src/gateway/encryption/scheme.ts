/** An encrypted text as it goes into a body: the members of the envelope by their names. */
export type Sealed = Readonly<Record<string, string>>;

/** A way to encrypt, with the profile's settings in it. */
export interface EncryptionScheme<K> {
  /** Names of the envelope's members; the first carries the ciphertext. */
  readonly members: readonly [string, ...string[]];
  /** Reads the configured key. Throws {@link EncryptionKeyError}. */
  readKey(text: string): K;
  /** Encrypts; anything random in it is fresh at each call. */
  seal(plaintext: string, key: K): Sealed | Promise<Sealed>;
}

/** A key that the scheme cannot use. The message says what it must be and nothing of what it is. */
export class EncryptionKeyError extends Error {
  override readonly name = 'EncryptionKeyError';
}
