import { Type } from 'class-transformer';
import {
  IsBoolean,
  IsNumber,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import {
  IsCardNumber,
  IsDigits,
  IsPlainText,
  MayHoldCardNumber,
  Omittable,
} from '../../http/validation/validators.js';
import { PayDto } from '../plain-methods.dto.js';

/**
 * A card. It reaches the gateway and nothing else; of the number the last four digits are kept. Required is what `fields.card.card` of the
 * session lists: the number, and what your gateway takes.
 */
export class CardDto {
  /**
   * Card number: 12 to 19 digits with a right check digit and a length of its brand (the gateway's `cardNumber`).
   * @example "5060990580000217499"
   */
  @IsCardNumber()
  number: string;

  /**
   * Expiry month, `01` to `12` (the gateway's `expiryMonth`).
   * @example "12"
   */
  @Omittable()
  @Matches(/^(0[1-9]|1[0-2])$/, { message: '$property must be two digits from 01 to 12' })
  expiryMonth?: string;

  /**
   * Expiry year, four digits or the last two (the gateway's `expiryYear`). The card must not have expired.
   * @example "2030"
   */
  @Omittable()
  @Matches(/^(20)?[0-9]{2}$/, { message: '$property must be a year of two or four digits' })
  expiryYear?: string;

  /**
   * Card verification value: as many digits as its brand has (the gateway's `cvv`).
   * @example "111"
   */
  @Omittable()
  @IsDigits(3, 4)
  cvv?: string;

  /**
   * Card PIN, 4 to 6 digits: some card types need it (the gateway's `card_pin`).
   * @example "1111"
   */
  @IsOptional()
  @IsDigits(4, 6)
  pin?: string;

  /**
   * Cardholder's name as on the card, at most 100 characters (the gateway's `nameOnCard`).
   * @example "Ada Obi"
   */
  @IsOptional()
  @IsPlainText(100)
  nameOnCard?: string;
}

/** What the browser says of itself (EMV 3-D Secure browser data), passed on as it comes. Required is what `fields.card.device` lists. */
export class DeviceDto {
  /** Whether the browser can run Java (the gateway's `javaEnabled`). */
  @IsOptional()
  @IsBoolean()
  javaEnabled?: boolean;

  /**
   * Language (the gateway's `language`).
   * @example "en-NG"
   */
  @IsOptional()
  @IsString()
  language?: string;

  /**
   * Height of the screen in pixels (the gateway's `screenHeight`).
   * @example 1080
   */
  @IsOptional()
  @IsNumber()
  screenHeight?: number;

  /**
   * Width of the screen in pixels (the gateway's `screenWidth`).
   * @example 1920
   */
  @IsOptional()
  @IsNumber()
  screenWidth?: number;

  /**
   * Bits per pixel (the gateway's `colorDepth`). 30 is sent as 24.
   * @example 24
   */
  @IsOptional()
  @IsNumber()
  colorDepth?: number;

  /**
   * Time zone (the gateway's `timeZone`).
   * @example "Africa/Lagos"
   */
  @IsOptional()
  @IsString()
  timeZone?: string;

  /**
   * The browser's user agent (the gateway's `userAgent`); the request's own header by default.
   * @example "Mozilla/5.0"
   */
  @IsOptional()
  @IsString()
  userAgent?: string;
}

/** A payment by card: either the card itself or, better, the card encrypted by the browser. */
export class PayCardDto extends PayDto {
  @IsOptional()
  @ValidateNested()
  @Type(() => CardDto)
  card?: CardDto;

  /**
   * The `card` object as a compact JWE (`RSA-OAEP-256`, `A256GCM`) with `kid`, `sid` (the session's id) and `iat` (at
   * most 15 minutes old) in its protected header, in place of `card`; the only form where `REQUIRE_ENCRYPTED_CARD` is set.
   */
  @IsOptional()
  @MaxLength(8_192)
  @Matches(/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]*){4}$/, { message: '$property must be a compact JWE' })
  @MayHoldCardNumber()
  encryptedCard?: string;

  @IsOptional()
  @ValidateNested()
  @Type(() => DeviceDto)
  device?: DeviceDto;
}

/** What is inside `encryptedPin`. */
export class TypedPinDto {
  @IsDigits(4, 6)
  pin: string;
}

/** A card's PIN: either the PIN itself or, better, encrypted by the browser. */
export class PinDto {
  /**
   * The card's PIN: 4 to 6 digits. It reaches the gateway and nothing else.
   * @example "1111"
   */
  @IsOptional()
  @IsDigits(4, 6)
  pin?: string;

  /**
   * The object `{ "pin": "1111" }` as a compact JWE, as `encryptedCard` is one (`RSA-OAEP-256`, `A256GCM`; `kid`, `sid` and
   * `iat` in its protected header), in place of `pin`; the only form where `REQUIRE_ENCRYPTED_CARD` is set.
   */
  @IsOptional()
  @MaxLength(8_192)
  @Matches(/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]*){4}$/, { message: '$property must be a compact JWE' })
  @MayHoldCardNumber()
  encryptedPin?: string;
}

/** A public RSA key as a JWK (RFC 7517). */
export class CardEncryptionKeyDto {
  /** Key type: `RSA`. */
  kty: string;
  /** Modulus, base64url. */
  n: string;
  /** Exponent, base64url. */
  e: string;
  /** Names the key; goes into the JWE's protected header. */
  kid: string;
  /** `enc`. */
  use: string;
  /** `RSA-OAEP-256`. */
  alg: string;
}
