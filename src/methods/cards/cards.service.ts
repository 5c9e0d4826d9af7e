import { Inject, Injectable } from '@nestjs/common';
import { cardBrand } from '../../card-numbers/card-brand.js';
import { CONFIG, type Config } from '../../config/config.js';
import { Gateway, type CardFacts } from '../../gateway/gateway.js';
import { validated } from '../../http/check.js';
import { validationFailed, type Problem } from '../../http/problems/problem.js';
import type { Performed } from '../../payments/engine.js';
import { keyedHash } from '../../secrets/keyed-hash.js';
import { Secret } from '../../secrets/secret.js';
import { defined } from '../../sessions/payer-details.js';
import { Starter, type StartCall } from '../start.js';
import { cardFaults, fullYear, readCard, readPayCard } from './card-body.js';
import { CardEncryption, notAcceptable, staleness } from './card-encryption.js';
import { TypedPinDto, type CardDto, type PayCardDto, type PinDto } from './pay-card.dto.js';

/** A PIN of a body, and why a new request with it is refused. */
export interface OpenedPin {
  readonly pin: Secret;
  readonly refusal?: Problem | undefined;
}

/** Pays by card. */
@Injectable()
export class CardsService {
  constructor(
    private readonly starter: Starter,
    private readonly gateway: Gateway,
    private readonly encryption: CardEncryption,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Reads the body of a card payment. Throws `validation-failed` with all faults: which fields it must have the profile alone says. */
  read(body: unknown): PayCardDto {
    return readPayCard(body, this.needs);
  }

  async pay(dto: PayCardDto, call: StartCall): Promise<Performed> {
    const { card, issuedAt } = await this.open(dto, call.sessionId);
    const faults = cardFaults(card, Date.now());
    if (faults.length > 0) throw validationFailed(faults);
    const agent = dto.device?.userAgent ?? call.userAgent;
    const [secretKey = ''] = this.config.keys.secretKeys.unwrap();
    const { cvv: _cvv, pin: _pin, expiryYear, ...compared } = card;
    return this.starter.start(call, {
      method: 'card',
      given: dto,
      details: {
        card: secretCard(card),
        device: {
          ...defined(dto.device),
          ...(agent === undefined ? {} : { userAgent: agent.slice(0, 2_048) }),
        },
      },
      card: {
        brand: cardBrand(card.number).name,
        last4: card.number.slice(-4),
        hash: keyedHash(secretKey, 'fingerprint', `card\n${card.number}`),
      },
      content: {
        ...{ payer: dto.payer, billing: dto.billing, device: dto.device },
        card: { ...compared, ...(expiryYear === undefined ? {} : { expiryYear: fullYear(expiryYear) }) },
      },
      refusal: this.refusalOf(issuedAt, agent),
    });
  }

  /** The PIN of a body, decrypted if it came encrypted for this session. */
  async openPin({ pin, encryptedPin }: PinDto, sessionId: string): Promise<OpenedPin> {
    const refused = (message: string) => validationFailed([{ pointer: '/pin', message }]);
    if (encryptedPin === undefined) {
      if (pin === undefined) throw refused('is needed here, or encryptedPin in its place');
      if (this.config.payments.requireEncryptedCard)
        throw refused('must come encrypted here, as encryptedPin');
      return { pin: new Secret(pin) };
    }
    if (pin !== undefined) throw notAcceptable('encryptedPin', 'must not come beside pin');
    const { content, issuedAt } = await this.encryption.decrypt('encryptedPin', encryptedPin, sessionId);
    return {
      pin: new Secret(validated(TypedPinDto, content).pin),
      refusal: staleness('encryptedPin', issuedAt),
    };
  }

  private get needs() {
    return this.gateway.methodFields('card');
  }

  /** The card of the body, decrypted if it came encrypted. The same rules and pointers hold for both. */
  private async open(dto: PayCardDto, sessionId: string): Promise<{ card: CardDto; issuedAt?: number }> {
    const refused = (message: string) => validationFailed([{ pointer: '/card', message }]);
    if (dto.encryptedCard === undefined) {
      if (dto.card === undefined) throw refused('is needed here, or encryptedCard in its place');
      if (this.config.payments.requireEncryptedCard)
        throw refused('must come encrypted here, as encryptedCard');
      return { card: dto.card };
    }
    if (dto.card !== undefined) throw notAcceptable('encryptedCard', 'must not come beside card');
    const opened = await this.encryption.decrypt('encryptedCard', dto.encryptedCard, sessionId);
    return { card: readCard(opened.content, this.needs), issuedAt: opened.issuedAt };
  }

  /** Its card was encrypted too long ago, or nobody says which browser it is. */
  private refusalOf(issuedAt: number | undefined, agent: string | undefined): Problem | undefined {
    const stale = issuedAt === undefined ? undefined : staleness('encryptedCard', issuedAt);
    if (stale || agent !== undefined || !this.needs.device.includes('userAgent')) return stale;
    return validationFailed([
      { pointer: '/device/userAgent', message: 'is needed here, or the User-Agent header' },
    ]);
  }
}

/** Every secret of a card, wrapped. */
function secretCard({ number, cvv, nameOnCard, pin, expiryMonth, expiryYear }: CardDto): CardFacts {
  return {
    number: new Secret(number),
    ...(cvv === undefined ? {} : { cvv: new Secret(cvv) }),
    ...(nameOnCard === undefined ? {} : { nameOnCard: new Secret(nameOnCard) }),
    ...(pin === undefined ? {} : { pin: new Secret(pin) }),
    ...(expiryMonth === undefined ? {} : { expiryMonth }),
    ...(expiryYear === undefined ? {} : { expiryYear: fullYear(expiryYear) }),
  };
}
