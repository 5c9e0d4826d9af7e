import { validationFailed } from '../../http/problems/problem.js';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { Gateway, type GatewayCard } from '../../gateway/gateway.js';
import { PROFILE } from '../../gateway/gateway.module.js';
import type { Profile } from '../../gateway/profile/format.js';
import { cardBrand } from '../../card-numbers/card-brand.js';
import type { Problem } from '../../http/problems/problem.js';
import { validated } from '../../http/check.js';
import { cardMethod } from './card-method.js';
import { methodFields, type MethodFields } from '../method-fields.js';
import { readCard, readPayCard, cardFaults, fullYear } from './card-body.js';
import {
  addressFingerprint,
  networkFingerprint,
  type StartRequest,
} from '../../payments/operations/start-request.js';
import type { Outcome } from '../../payments/operations/command.js';
import { Engine } from '../../payments/operations/engine.js';
import { keyedHash } from '../../secrets/keyed-hash.js';
import { Secret } from '../../secrets/secret.js';
import { CardEncryption, notAcceptable, staleness } from './card-encryption.js';
import { type CardDto, type PayCardDto, TypedPinDto, type PinDto } from './pay-card.dto.js';

interface OpenedCard {
  card: CardDto;
  /** When an encrypted card was encrypted, in seconds since the epoch. */
  issuedAt?: number;
}

/** Pays by card. */
@Injectable()
export class CardsService {
  constructor(
    private readonly engine: Engine,
    private readonly gateway: Gateway,
    private readonly encryption: CardEncryption,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  /**
   * Starts a card payment. Throws `validation-failed`, `rate-limited`, or the problem of a session that does not allow it.
   */
  async pay(dto: PayCardDto, request: StartRequest): Promise<Outcome> {
    const { card, issuedAt } = await this.open(dto, request.sessionId);
    const faults = cardFaults(card, Date.now());
    if (faults.length > 0) throw validationFailed(faults);
    const { sessionId, address, userAgent, ...call } = request;
    const agent = dto.device?.userAgent ?? userAgent;
    const device = { ...dto.device, ...(agent !== undefined && { userAgent: agent.slice(0, 2_048) }) };
    const given = { payer: dto.payer, billing: dto.billing };
    const [signing = ''] = this.config.keys.secretKeys.unwrap();
    return this.engine.run({
      type: 'pay',
      call: { ...call, content: compared(dto, card) },
      sessionId,
      method: cardMethod,
      given,
      card: {
        brand: cardBrand(card.number).name,
        last4: card.number.slice(-4),
        fingerprint: keyedHash(signing, 'fingerprint', `card\n${card.number}`),
        networkFingerprint: networkFingerprint(address, this.config),
      },
      addressFingerprint: addressFingerprint(address, this.config),
      payerAddress: address,
      refusal: refusalOf(issuedAt, agent !== undefined || !this.needs.device.includes('userAgent')),
      sent: {
        words: textsOf(given.payer, given.billing, card, device),
        secrets: [
          ...[card.number, card.cvv, card.pin, card.nameOnCard],
          // What comes from the session is already stored there.
          ...[dto.payer?.email, dto.payer?.phone],
        ].filter(isText),
      },
      send: (order, gate) => this.gateway.payCard({ ...order, card: secretCard(card), device }, gate),
    });
  }

  /** Reads the body of a card payment. Throws `validation-failed` with all faults. */
  read(body: unknown): PayCardDto {
    return readPayCard(body, this.needs);
  }

  private get needs(): MethodFields {
    return methodFields(this.profile, cardMethod.name);
  }

  /**
   * The card of the body, decrypted if it came encrypted. The same rules and pointers apply to both forms; a clear one is refused
   * where the configuration asks for an encrypted one.
   */
  private async open(dto: PayCardDto, sessionId: string): Promise<OpenedCard> {
    if (dto.encryptedCard === undefined) {
      if (dto.card === undefined) {
        throw validationFailed([
          { pointer: '/card', message: 'is needed here, or encryptedCard in its place' },
        ]);
      }
      if (this.config.payments.requireEncryptedCard) {
        throw validationFailed([
          { pointer: '/card', message: 'must come encrypted here, as encryptedCard in its place' },
        ]);
      }
      return { card: dto.card };
    }
    if (dto.card !== undefined) throw notAcceptable('encryptedCard', 'must not come beside card');
    const opened = await this.encryption.decrypt('encryptedCard', dto.encryptedCard, sessionId);
    return { card: readCard(opened.content, this.needs), issuedAt: opened.issuedAt };
  }
}

/** Why a new request is refused by what it brings itself: its card was encrypted too long ago, or nobody says which browser it is. */
function refusalOf(issuedAt: number | undefined, namesBrowser: boolean): Problem | undefined {
  const stale = issuedAt === undefined ? undefined : staleness('encryptedCard', issuedAt);
  if (stale || namesBrowser) return stale;
  return validationFailed([
    { pointer: '/device/userAgent', message: 'is needed here, or the User-Agent header' },
  ]);
}

/** Every secret of a card, wrapped. */
function secretCard({ number, cvv, nameOnCard, pin, expiryMonth, expiryYear }: CardDto): GatewayCard {
  return {
    number: new Secret(number),
    ...(cvv !== undefined && { cvv: new Secret(cvv) }),
    ...(nameOnCard !== undefined && { nameOnCard: new Secret(nameOnCard) }),
    ...(pin !== undefined && { pin: new Secret(pin) }),
    ...(expiryMonth !== undefined && { expiryMonth }),
    ...(expiryYear !== undefined && { expiryYear: fullYear(expiryYear) }),
  };
}

function textsOf(...parts: readonly (object | undefined)[]): string[] {
  const texts: string[] = [];
  for (const part of parts) {
    if (part === undefined) continue;
    for (const value of Object.values(part)) if (isText(value)) texts.push(value);
  }
  return texts;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** The body as requests are compared: with the card in clear, and its year in one form. */
function compared(dto: PayCardDto, card: CardDto): object {
  const { expiryYear } = card;
  return { ...dto, card: { ...card, ...(expiryYear !== undefined && { expiryYear: fullYear(expiryYear) }) } };
}

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
