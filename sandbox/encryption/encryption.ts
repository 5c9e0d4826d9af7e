import {
  constants,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  privateDecrypt,
  randomBytes,
} from 'node:crypto';
import { compactDecrypt, decodeProtectedHeader } from 'jose';
import { parseJson } from '../control/exchange.ts';
import { decodeText, openGcm, sealGcm } from './gcm.ts';
import { isObject, type JsonObject } from '../dialects/pointer.ts';

export const SCHEMES = [
  'none',
  '3des-ecb',
  'aes-256-cbc',
  'aes-256-gcm',
  'rsa-oaep-256',
  'rsa-pkcs1',
  'jwe',
  'gateway-endpoint',
] as const;

export type Scheme = (typeof SCHEMES)[number];

export interface EncryptionSettings {
  scheme: Scheme;
  /** Name of the member that carries the ciphertext. Each scheme has its own default. */
  envelope?: string;
  /** The only accepted encoding. By default hex, base64 and base64url are all accepted. */
  encoding?: 'hex' | 'base64' | 'base64url';
  /** Constants that must be next to the envelope. */
  siblings?: Record<string, unknown>;
}

const KEY_BYTES: Partial<Record<Scheme, number>> = { '3des-ecb': 24, 'aes-256-cbc': 32, 'aes-256-gcm': 32 };
const ENVELOPES: Partial<Record<Scheme, string>> = {
  '3des-ecb': 'client',
  'aes-256-gcm': 'charge_data',
  'gateway-endpoint': 'charge_data',
};

/** Fields that must not be sent in plain text once a scheme is set. */
const CARD_FIELDS = ['cardNumber', 'cvv', 'card_pin'];

/** The card call was not sent in the expected envelope. */
export class EnvelopeError extends Error {}

/**
 * Opens the card call's envelope with the sandbox's own key. The envelope may hold the whole body, or some fields of it
 * with the others next to it. Card number, cvv and PIN in plain text are refused.
 */
export class Decryptor {
  readonly settings: EncryptionSettings;
  readonly #secret: Buffer;
  readonly #privateKey: KeyObject | undefined;

  /** `key`: `hex:…`, `base64:…`, raw text of the exact length, or a PEM private key; without one, a fresh one. Throws where it does not suit. */
  constructor(settings: EncryptionSettings, key?: string) {
    this.settings = settings;
    const asymmetric = settings.scheme.startsWith('rsa-') || settings.scheme === 'jwe';
    this.#privateKey = asymmetric ? privateKeyOf(key) : undefined;
    this.#secret = asymmetric ? Buffer.alloc(0) : secretOf(key, KEY_BYTES[settings.scheme] ?? 32);
  }

  /**
   * The value for a caller's GATEWAY_ENCRYPTION_KEY: the public key, or the shared one as `hex:…`. Empty where no key is
   * used.
   */
  get callerKey(): string {
    if (this.settings.scheme === 'none' || this.settings.scheme === 'gateway-endpoint') return '';
    return this.#privateKey
      ? String(createPublicKey(this.#privateKey).export({ type: 'spki', format: 'pem' }))
      : `hex:${this.#secret.toString('hex')}`;
  }

  /** The envelope that `gateway-endpoint` returns for a body. */
  seal(body: string): JsonObject {
    return { [this.#envelope]: sealGcm(this.#secret, body) };
  }

  /** The plain body. Throws {@link EnvelopeError}. */
  async open(received: unknown): Promise<JsonObject> {
    if (!isObject(received)) throw new EnvelopeError('the body is not a JSON object');
    for (const [name, value] of Object.entries(this.settings.siblings ?? {}))
      if (received[name] !== value)
        throw new EnvelopeError(`${name} beside the envelope must be ${JSON.stringify(value)}`);
    const plain = CARD_FIELDS.filter((name) => name in received);
    if (plain.length > 0)
      throw new EnvelopeError(`${plain.join(', ')} came in plain text; ${this.settings.scheme} is expected`);
    const opened = parseJson(await this.#decrypt(received));
    if (!isObject(opened)) throw new EnvelopeError('what was encrypted is not a JSON object');
    const beside = Object.entries(received).filter(([name]) => !this.#carriers.includes(name));
    return { ...Object.fromEntries(beside), ...opened };
  }

  get #envelope(): string {
    return this.settings.envelope ?? ENVELOPES[this.settings.scheme] ?? 'data';
  }

  /** Members that belong to the envelope itself. */
  get #carriers(): string[] {
    const more = this.settings.scheme === 'aes-256-cbc' ? ['iv'] : [];
    return [this.#envelope, ...more, ...Object.keys(this.settings.siblings ?? {})];
  }

  async #decrypt(received: JsonObject): Promise<string> {
    const part = (name: string): string => {
      const value = received[name];
      if (typeof value !== 'string' || value === '')
        throw new EnvelopeError(`the envelope's member ${name} is missing`);
      return value;
    };
    const bytes = (name: string): Buffer => decodeText(part(name), this.settings.encoding);
    try {
      switch (this.settings.scheme) {
        case '3des-ecb':
          return finish(createDecipheriv('des-ede3', this.#secret, null), bytes(this.#envelope));
        case 'aes-256-cbc':
          return finish(createDecipheriv('aes-256-cbc', this.#secret, bytes('iv')), bytes(this.#envelope));
        case 'aes-256-gcm':
        case 'gateway-endpoint':
          return openGcm(this.#secret, part(this.#envelope), this.settings.encoding);
        case 'jwe':
          return await this.#openJwe(part(this.#envelope));
        default:
          return this.#unwrap(
            bytes(this.#envelope),
            this.settings.scheme === 'rsa-pkcs1'
              ? constants.RSA_PKCS1_PADDING
              : constants.RSA_PKCS1_OAEP_PADDING,
          ).toString('utf8');
      }
    } catch (error) {
      throw error instanceof EnvelopeError
        ? error
        : new EnvelopeError(`the envelope cannot be opened with ${this.settings.scheme}`);
    }
  }

  /** One RSA block, or several in a row for a longer text. */
  #unwrap(bytes: Buffer, padding: number): Buffer {
    const key = this.#privateKey;
    if (!key) throw new EnvelopeError('the sandbox has no private key');
    const size = (key.asymmetricKeyDetails?.modulusLength ?? 2048) / 8;
    const blocks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    const hash = padding === constants.RSA_PKCS1_OAEP_PADDING ? { oaepHash: 'sha256' } : {};
    return Buffer.concat(blocks.map((block) => privateDecrypt({ key, padding, ...hash }, block)));
  }

  async #openJwe(text: string): Promise<string> {
    const { alg, enc } = decodeProtectedHeader(text);
    if (alg !== 'RSA-OAEP-256' || enc !== 'A256GCM')
      throw new EnvelopeError('the JWE must use RSA-OAEP-256 and A256GCM');
    if (!this.#privateKey) throw new EnvelopeError('the sandbox has no private key');
    const { plaintext } = await compactDecrypt(text, this.#privateKey);
    return Buffer.from(plaintext).toString('utf8');
  }
}

function finish(decipher: { update(bytes: Buffer): Buffer; final(): Buffer }, bytes: Buffer): string {
  return Buffer.concat([decipher.update(bytes), decipher.final()]).toString('utf8');
}

function privateKeyOf(pem: string | undefined): KeyObject {
  if (pem === undefined) return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  try {
    return createPrivateKey(pem);
  } catch {
    throw new Error('must be an RSA private key in PEM');
  }
}

function secretOf(text: string | undefined, length: number): Buffer {
  if (text === undefined) return randomBytes(length);
  const [, form, rest = ''] = /^(hex|base64):(.*)$/.exec(text) ?? [];
  const key = form === undefined ? Buffer.from(text) : Buffer.from(rest, form as 'hex' | 'base64');
  if (key.length !== length) throw new Error(`must be a key of ${length} bytes`);
  return key;
}
