import {
  ValidateBy,
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { PAYMENT_METHODS } from '../config/payment-method.js';
import { IsCurrency, IsDecimalAmount, IsLanguageTag, Omittable } from '../http/validation/validators.js';
import { isWithin, ReadAs, typedValues } from '../http/validation/typed-text.js';
import { IsReturnUrl } from '../http/validation/return-url.js';
import { BillingDto, PayerDto } from '../sessions/payer.dto.js';
import type { MethodName } from '../gateway/method-fields.js';

const KEY = /^[A-Za-z0-9_.-]{1,40}$/;
const MAX_KEYS = 20;
const MAX_VALUE_LENGTH = 500;

/** Whether this is a flat object of at most 20 short keys with strings of at most 500 characters. */
export function isMetadata(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length <= MAX_KEYS &&
    entries.every(
      ([key, text]) => KEY.test(key) && typeof text === 'string' && isWithin(text, MAX_VALUE_LENGTH),
    )
  );
}

/** The merchant's own notes on a session. They are shown and announced as they are. */
const IsMetadata = (): PropertyDecorator =>
  applyDecorators(
    ValidateBy({
      name: 'isMetadata',
      validator: {
        validate: isMetadata,
        defaultMessage: () =>
          '$property must have at most 20 keys of 1 to 40 letters, digits, "_", "." or "-", with strings of at most 500 characters',
      },
    }),
    ReadAs(typedValues),
  );

/** What a payer owes. Made by the merchant's server, so that a browser can never set a price. */
export class CreateSessionDto {
  /**
   * The merchant's own reference: 1 to 40 letters, digits, dots and dashes.
   * @example "ORDER-1001"
   */
  @Matches(/^[A-Za-z0-9.-]{1,40}$/, { message: '$property must be 1 to 40 letters, digits, dots or dashes' })
  reference: string;

  /**
   * Decimal amount in major units, above zero, with at most the currency's ISO 4217 minor digits.
   * @example "1500.00"
   */
  @IsDecimalAmount()
  amount: string;

  /**
   * ISO 4217 alphabetic code.
   * @example "NGN"
   */
  @IsCurrency()
  currency: string;

  /** What is already known about the payer. */
  @IsOptional()
  @ValidateNested()
  @Type(() => PayerDto)
  payer?: PayerDto;

  /** What is already known about the billing address. */
  @IsOptional()
  @ValidateNested()
  @Type(() => BillingDto)
  billing?: BillingDto;

  /**
   * Where the payer comes back to: an address of an allowed return origin.
   * @example "https://shop.example/thanks"
   */
  @IsOptional()
  @IsReturnUrl()
  returnUrl?: string;

  /**
   * Which of the offered methods may be used; all of them by default, and `null` is refused.
   * @example ["card", "wallet"]
   */
  @Omittable()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(PAYMENT_METHODS.length)
  @ArrayUnique()
  @IsIn(PAYMENT_METHODS, { each: true })
  methods?: MethodName[];

  /**
   * How long it can be paid, in seconds: 60 to 2592000 (30 days, for payment links), 1800 by default.
   * @example 1800
   */
  @IsOptional()
  @IsInt()
  @Min(60)
  @Max(2_592_000)
  expiresInSeconds?: number;

  /**
   * The language of the payment page where it does not speak the browser's: a BCP 47 tag of at most 35 characters.
   * @example "fr-CI"
   */
  @IsOptional()
  @IsLanguageTag()
  locale?: string;

  /**
   * The merchant's own notes, copied onto payments and events: at most 20 keys of 1 to 40 letters, digits, `_`, `.`
   * and `-`, with strings of at most 500 characters. A card number in them is refused.
   * @example { "cart": "42" }
   */
  @IsOptional()
  @IsMetadata()
  metadata?: Record<string, string>;
}
