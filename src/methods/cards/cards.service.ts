import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { Gateway } from '../../gateway/gateway.js';
import { cardBrand } from '../../card-numbers/card-brand.js';
import { validated, validationFailed } from '../../http/validation/validate.js';
import { cardMethod } from './card-method.js';
import { addressFingerprint, networkFingerprint } from '../../payments/operations/address-fingerprint.js';
import { CardTesting, type CardPresenter } from '../../payments/operations/card-testing.js';
import type { Outcome } from '../../payments/operations/outcome.js';
import { StartPayment, type Initiation } from '../../payments/operations/start-payment.js';
import { returnUrlOf } from '../../payments/state/return-token.js';
import { assertMethodOffered } from '../../payments/operations/offered.js';
import type { StartRequest } from '../../payments/operations/start-request.js';
import { keyedHash } from '../../secrets/keyed-hash.js';
import { Secret } from '../../secrets/secret.js';
import { holderFrom } from '../../sessions/payer-details.js';
import type { SessionRecord } from '../../store/schema.js';
import { assertFresh, CardEncryption, notAcceptable } from './card-encryption.js';
import { cardFaults, fullYear } from './card-rules.js';
import { CardDto, type PayCardDto } from './pay-card.dto.js';

interface OpenedCard {
  card: CardDto;
  /** When an encrypted card was encrypted, in seconds since the epoch. */
  issuedAt?: number;
}

/** Pays by card. */
@Injectable()
export class CardsService {
  constructor(
    private readonly starter: StartPayment,
    private readonly gateway: Gateway,
    private readonly encryption: CardEncryption,
    private readonly cardTesting: CardTesting,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Starts a card payment. Throws `validation-failed`, `rate-limited`, or the problem of a session that does not allow it.
   */
  async pay(dto: PayCardDto, request: StartRequest): Promise<Outcome> {
    const { card, issuedAt } = await this.open(dto, request.sessionId);
    const faults = cardFaults(card, Date.now());
    if (faults.length > 0) throw validationFailed(faults);
    const [signing = ''] = this.config.keys.secretKeys.current();
    const presenter: CardPresenter = {
      address: addressFingerprint(request.address, this.config),
      network: networkFingerprint(request.address, this.config),
      card: keyedHash(signing, 'fingerprint', `card\n${card.number}`),
    };
    const look = this.cardTesting.counting(presenter);
    return this.starter.start({ ...request, ...look }, contentOf(dto, card), (session, declines) => {
      // Only a new request is refused. A repeated one gets the answer of the first.
      const tooMany = this.cardTesting.refusal(declines, presenter);
      if (tooMany) throw tooMany;
      if (issuedAt !== undefined) assertFresh('encryptedCard', issuedAt);
      assertMethodOffered(session, cardMethod.name, this.config);
      return this.initiation(dto, card, session, request, presenter);
    });
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
    return { card: validated(CardDto, opened.content, '/card'), issuedAt: opened.issuedAt };
  }

  private initiation(
    dto: PayCardDto,
    card: CardDto,
    session: SessionRecord,
    request: StartRequest,
    presenter: CardPresenter,
  ): Initiation {
    const { payer, billing } = holderFrom(session, dto, cardMethod.needs);
    const userAgent = dto.device.userAgent ?? request.userAgent;
    if (userAgent === undefined) {
      throw validationFailed([
        { pointer: '/device/userAgent', message: 'is needed here, or the User-Agent header' },
      ]);
    }
    const device = { ...dto.device, userAgent: userAgent.slice(0, 2_048) };
    const secret = {
      number: new Secret(card.number),
      cvv: new Secret(card.cvv),
      nameOnCard: new Secret(card.nameOnCard),
      ...(card.pin !== undefined && { pin: new Secret(card.pin) }),
    };
    return {
      method: cardMethod.name,
      card: {
        brand: cardBrand(card.number).name,
        last4: card.number.slice(-4),
        fingerprint: presenter.card,
        networkFingerprint: presenter.network,
      },
      addressFingerprint: presenter.address,
      sent: {
        words: [payer, billing, card, device].flatMap(Object.values).filter(isText),
        secrets: [
          ...[card.number, card.cvv, card.pin, card.nameOnCard],
          // What comes from the session is already stored there.
          ...[dto.payer?.email, dto.payer?.phone],
        ].filter(isText),
      },
      send: (payment, gate) =>
        this.gateway.payCard(
          {
            clientRef: payment.gatewayReference,
            amount: payment.amount,
            currency: payment.currency,
            returnUrl: returnUrlOf(payment.id, this.config),
            card: { ...secret, expiryMonth: card.expiryMonth, expiryYear: fullYear(card.expiryYear) },
            payer,
            billing,
            device,
            payerAddress: request.address,
          },
          gate,
        ),
    };
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** What identifies equal requests: everything except secrets that are too short to be hashed, in clear or encrypted form. */
function contentOf({ payer, billing, device }: PayCardDto, card: CardDto): object {
  const { number, expiryMonth, expiryYear, nameOnCard } = card;
  return {
    card: { number, expiryMonth, expiryYear: fullYear(expiryYear), nameOnCard },
    payer,
    billing,
    device,
  };
}
