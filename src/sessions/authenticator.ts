import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { bearerOf } from '../http/request/request.js';
import { clientAddress } from '../http/request/client-address.js';
import { Store } from '../store/store.js';
import { authenticate, type Caller } from './caller.js';
import { isPayersToken } from './client-token.js';
import { FailedKeys } from './failed-keys.js';
import type { PaymentReader } from './payment-reader.js';

/** Finds out who is calling, and counts wrong merchant keys. */
@Injectable()
export class Authenticator {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly failedKeys: FailedKeys,
    private readonly store: Store,
  ) {}

  /** Throws `unauthorized`, or `rate-limited` where too many wrong keys came from this address. */
  async identify(request: FastifyRequest): Promise<Caller | PaymentReader> {
    try {
      return this.#caller(request);
    } catch (error) {
      const bearer = bearerOf(request.headers.authorization);
      // An expired or truncated token of a payer is no attempt to guess a key.
      if (bearer === undefined || isPayersToken(bearer)) throw error;
      throw await this.failedKeys.note(bearer, clientAddress(request), request.id);
    }
  }

  /** Whether a request carries a merchant key. A wrong one is not counted. */
  isMerchants(request: FastifyRequest): boolean {
    try {
      return this.#caller(request).kind === 'merchant';
    } catch {
      return false;
    }
  }

  #caller(request: FastifyRequest): Caller | PaymentReader {
    return authenticate(request.headers.authorization, {
      ...this.config.merchant,
      secretKeys: this.config.keys.secretKeys,
      now: this.store.clock.now(),
    });
  }
}
