import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { IsDigits, MayHoldCardNumber } from '../../http/validation/validators.js';

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
  @IsString()
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
