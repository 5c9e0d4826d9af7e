import { ApiProperty, OmitType } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { PaymentDto, SessionDto, SessionEventDto } from '../payments/core/payment.dto.js';
import { BillingDto, PayerDto } from '../sessions/payer.dto.js';

/** The newest of its payments. */
export const SHOWN_PAYMENTS = 20;

/** A session as the merchant's server sees it. */
export class MerchantSessionDto extends SessionEventDto {
  payer: PayerDto;
  billing: BillingDto;
  /** Its newest 20 payments, oldest first. */
  @ApiProperty({ maxItems: SHOWN_PAYMENTS })
  payments: PaymentDto[];
  /** The browser's secret for this session: only in the answer that created it and in its replays. */
  clientToken?: string;
  /** A ready-made page to send the payer to; the token is in its fragment. Only beside `clientToken`. */
  checkoutUrl?: string;
}

/** Names of the fields that the session has, so that a page need not ask for them. */
class ProvidedDto {
  /** @example ["email", "phone"] */
  payer: string[];
  /** @example ["street", "city", "country"] */
  billing: string[];
}

/** What a payment by one method needs of its payer, by the names of the body's members. */
class MethodFieldsDto {
  /** @example ["email"] */
  payer: string[];
  /** `stateProvince` and `postCode` only where the country requires them (`requiredIn`). */
  billing: string[];
  /**
   * Shown, and required of nobody.
   * @example ["lastName"]
   */
  optional: string[];
}

class CardPinDto {
  /**
   * Brands whose PIN is asked for with the card.
   * @example ["verve"]
   */
  brands: string[];
}

class CardFieldsDto extends MethodFieldsDto {
  /** @example ["number", "expiryMonth", "expiryYear", "cvv", "nameOnCard"] */
  card: string[];
  /** @example ["javaEnabled", "language", "screenHeight", "screenWidth", "colorDepth", "timeZone", "userAgent"] */
  device: string[];
  pin: CardPinDto;
}

/** What each method of the session needs. */
class SessionFieldsDto {
  card?: CardFieldsDto;
  wallet?: MethodFieldsDto;
  transfer?: MethodFieldsDto;
  ussd?: MethodFieldsDto;
}

/** The countries (ISO 3166-1 alpha-3) whose addresses require these parts. */
class RequiredInDto {
  /** @example ["CAN", "USA"] */
  stateProvince: string[];
  /** @example ["CAN", "DEU", "USA"] */
  postCode: string[];
}

/** A payment as its payer sees it. */
export class BrowserPaymentDto extends OmitType(PaymentDto, ['metadata'] as const) {}

/** A session as the browser that holds its token sees it. */
export class BrowserSessionDto extends SessionDto {
  provided: ProvidedDto;
  fields: SessionFieldsDto;
  requiredIn: RequiredInDto;
  /** Its newest 20 payments, oldest first, without metadata. */
  payments: BrowserPaymentDto[];
}

export class SessionListDto {
  /** Oldest first. */
  data: MerchantSessionDto[];
}

export class SessionQueryDto {
  /** The merchant's reference. */
  @Matches(/^[A-Za-z0-9.-]{1,40}$/, { message: '$property must be 1 to 40 letters, digits, dots or dashes' })
  reference: string;
}
