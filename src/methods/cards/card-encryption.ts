import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { calculateJwkThumbprint, compactDecrypt, exportJWK, type JWK } from 'jose';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { Problem } from '../../http/problems/problem.js';
import { parseStrictJson } from '../../http/body/strict-json.js';

const ALGORITHM = 'RSA-OAEP-256';
const ENCRYPTION = 'A256GCM';
const PEM_BLOCK = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g;

interface CardKey {
  kid: string;
  privateKey: KeyObject;
  publicJwk: JWK;
}

/** A decrypted card, as the browser sent it, with the time of its encryption. */
export interface DecryptedCard {
  /** Not yet validated. */
  card: unknown;
  /** Seconds since the epoch. */
  issuedAt: number;
}

/** Decrypts cards that the browser encrypted for one session, and provides the key for that. */
@Injectable()
export class CardEncryption {
  private pem: string | undefined;
  private keys: Promise<CardKey[]> | undefined;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** The public key for browsers: a JWK with `kid`. During a rotation it is the newest one. */
  async publicKey(): Promise<JWK> {
    const [newest] = await this.current();
    if (!newest) throw new Error('There is no card encryption key');
    return newest.publicJwk;
  }

  /**
   * Decrypts a compact JWE of a card. Throws `validation-failed` at `/encryptedCard` where our keys do not open it, it is
   * bound to another session, or its content is malformed. The caller checks its age.
   */
  async decrypt(encryptedCard: string, sessionId: string): Promise<DecryptedCard> {
    const keys = await this.current();
    try {
      const { plaintext, protectedHeader } = await compactDecrypt(
        encryptedCard,
        (header) => {
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
        card: parseStrictJson(Buffer.from(plaintext)),
        issuedAt: iat,
      };
    } catch {
      // The exact reason is not revealed, because it would help only attackers.
      throw notAcceptable('must be a card encrypted for this session with the current card encryption key');
    }
  }

  private current(): Promise<CardKey[]> {
    const pem = this.config.keys.cardEncryptionKeys.current() ?? '';
    if (pem !== this.pem || !this.keys) {
      this.pem = pem;
      this.keys = Promise.all([...pem.matchAll(PEM_BLOCK)].map(([block]) => readKey(block)));
    }
    return this.keys;
  }
}

/** The refusal of an encrypted card. */
export function notAcceptable(message: string): Problem {
  return new Problem('validation-failed', 'The encrypted card does not fit.', {
    errors: [{ pointer: '/encryptedCard', message }],
  });
}

async function readKey(pem: string): Promise<CardKey> {
  const privateKey = createPrivateKey(pem);
  const jwk = await exportJWK(createPublicKey(privateKey));
  const kid = await calculateJwkThumbprint(jwk);
  return { kid, privateKey, publicJwk: { ...jwk, kid, use: 'enc', alg: ALGORITHM } };
}
