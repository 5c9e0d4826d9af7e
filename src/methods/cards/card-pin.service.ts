import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import type { Problem } from '../../http/problems/problem.js';
import { validated, validationFailed } from '../../http/validation/validate.js';
import { Secret } from '../../secrets/secret.js';
import { CardEncryption, notAcceptable, staleness } from './card-encryption.js';
import { TypedPinDto, type PinDto } from './cards.dto.js';

/** The PIN of a body. */
export interface OpenedPin {
  readonly pin: Secret;
  /** Why a new request with it is refused: it was encrypted too long ago. */
  readonly refusal?: Problem | undefined;
}

/** Opens the card PINs that browsers send. */
@Injectable()
export class CardPinService {
  constructor(
    private readonly encryption: CardEncryption,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * The PIN of the body, decrypted if it came encrypted for this session. Throws `validation-failed`: for a clear one too where the
   * configuration asks for an encrypted one.
   */
  async open({ pin, encryptedPin }: PinDto, sessionId: string): Promise<OpenedPin> {
    if (encryptedPin === undefined) {
      if (pin === undefined) throw refused('is needed here, or encryptedPin in its place');
      if (this.config.payments.requireEncryptedCard) {
        throw refused('must come encrypted here, as encryptedPin in its place');
      }
      return { pin: new Secret(pin) };
    }
    if (pin !== undefined) throw notAcceptable('encryptedPin', 'must not come beside pin');
    const { content, issuedAt } = await this.encryption.decrypt('encryptedPin', encryptedPin, sessionId);
    if (typeof content !== 'object' || content === null || Array.isArray(content)) {
      throw notAcceptable('encryptedPin', 'must hold an object with the member pin');
    }
    return {
      pin: new Secret(validated(TypedPinDto, content).pin),
      refusal: staleness('encryptedPin', issuedAt),
    };
  }
}

function refused(message: string): Error {
  return validationFailed([{ pointer: '/pin', message }]);
}
