export interface EncryptionSettings {
  scheme: 'none';
}

/** The card call did not come in the envelope that it should. */
export class EnvelopeError extends Error {}

export class Decryptor {
  readonly settings: EncryptionSettings = { scheme: 'none' };
  async open(received: unknown): Promise<unknown> {
    return received;
  }
}
