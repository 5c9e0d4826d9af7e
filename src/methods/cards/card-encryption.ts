import { createPublicKey, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { calculateJwkThumbprint, compactDecrypt, exportJWK, type JWK } from 'jose';
import { CONFIG, type Config } from '../../config/config.js';
import { Problem } from '../../http/problems/problem.js';
import { parseJson } from '../../http/body.js';
import { parsePrivateKeys } from '../../secrets/key-material.js';

const ALGORITHM = 'RSA-OAEP-256';
const ENCRYPTION = 'A256GCM';

interface CardKey {
  kid: string;
  privateKey: KeyObject;
  publicJwk: JWK;
}

/** Members of a body that come encrypted, and what is in them. */
const ENCRYPTED = { encryptedCard: 'card', encryptedPin: 'PIN' } as const;

export type EncryptedMember = keyof typeof ENCRYPTED;

/** What a browser encrypted, with the time of its encryption. */
export interface Decrypted {
  /** JSON, not yet validated. */
  content: unknown;
  /** Seconds since the epoch. */
  issuedAt: number;
}

/** How long something encrypted is accepted. The clock that dated it may be slightly ahead. */
const LIFETIME_SECONDS = 15 * 60;
const CLOCK_SKEW_SECONDS = 120;

/** Decrypts cards and PINs that the browser encrypted for one session, and provides the key for that. */
@Injectable()
export class CardEncryption {
  private readonly keys: Promise<CardKey[]>;

  constructor(@Inject(CONFIG) { keys }: Config) {
    this.keys = Promise.all(parsePrivateKeys(keys.cardEncryptionKeys.unwrap()).map(readKey));
  }

  /** The public key for browsers: a JWK with `kid`. During a rotation it is the newest one. */
  async publicKey(): Promise<JWK> {
    const [newest] = await this.keys;
    if (!newest) throw new Error('There is no card encryption key');
    return newest.publicJwk;
  }

  /**
   * Decrypts a member of a body, a compact JWE. Throws `validation-failed` at its place where our keys do not open it, it is
   * bound to another session, or its content is malformed. The caller checks its age, by `staleness`.
   */
  async decrypt(member: EncryptedMember, jwe: string, sessionId: string): Promise<Decrypted> {
    const keys = await this.keys;
    try {
      const { plaintext, protectedHeader } = await compactDecrypt(
        jwe,
        (header) => {
          // A short text can unpack to a huge one, and neither the kit nor this service has anything to pack.
          if ('zip' in header) throw new Error('compressed');
          const key = keys.find(({ kid }) => kid === header.kid);
          if (!key) throw new Error('unknown key');
          return key.privateKey;
        },
        { keyManagementAlgorithms: [ALGORITHM], contentEncryptionAlgorithms: [ENCRYPTION] },
      );
      const { sid, iat } = protectedHeader;
      if (sid !== sessionId || typeof iat !== 'number') throw new Error('bound to something else');
      return {
        // Parsed as strictly as a request body, so that encryption opens no way around the rules.
        content: parseJson(Buffer.from(plaintext)),
        issuedAt: iat,
      };
    } catch {
      // The exact reason is not revealed, because it would help only attackers.
      throw notAcceptable(
        member,
        `must be a ${ENCRYPTED[member]} encrypted for this session with the current card encryption key`,
      );
    }
  }
}

/** The refusal of an encrypted member. */
export function notAcceptable(member: EncryptedMember, message: string): Problem {
  return new Problem('validation-failed', `The encrypted ${ENCRYPTED[member]} does not fit.`, {
    errors: [{ pointer: `/${member}`, message }],
  });
}

/** Why a new request is refused that was encrypted too long ago, for it may be stolen. Undefined for a fresh one. */
export function staleness(member: EncryptedMember, issuedAt: number): Problem | undefined {
  const age = Date.now() / 1000 - issuedAt;
  if (age <= LIFETIME_SECONDS && age >= -CLOCK_SKEW_SECONDS) return undefined;
  return notAcceptable(member, 'must have been encrypted within the last 15 minutes');
}

async function readKey(privateKey: KeyObject): Promise<CardKey> {
  const jwk = await exportJWK(createPublicKey(privateKey));
  const kid = await calculateJwkThumbprint(jwk);
  return { kid, privateKey, publicJwk: { ...jwk, kid, use: 'enc', alg: ALGORITHM } };
}
