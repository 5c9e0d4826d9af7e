import { IsOptional } from 'class-validator';
import { IsCountryAlpha3, IsEmailAddress, IsPhone, IsPlainText } from '../http/validation/validators.js';

/** Who pays. Every field may come from the payment's body or from the session; the body's wins. */
export class PayerDto {
  /**
   * E-mail address, at most 254 characters (the gateway's `payerEmail`). An international domain is sent in ASCII.
   * @example "ada@example.com"
   */
  @IsOptional()
  @IsEmailAddress()
  email?: string;

  /**
   * Telephone number of 6 to 15 digits (the gateway's `payerPhone`). It may have spaces, dots, dashes and brackets, and is sent as digits, with its `+` if it had one.
   * @example "+2348012345678"
   */
  @IsOptional()
  @IsPhone()
  phone?: string;

  /**
   * First name, at most 100 characters (the gateway's `firstName`).
   * @example "Ada"
   */
  @IsOptional()
  @IsPlainText(100)
  firstName?: string;

  /**
   * Last name, at most 100 characters (the gateway's `lastName`). A person may have one name, as `firstName`.
   * @example "Obi"
   */
  @IsOptional()
  @IsPlainText(100)
  lastName?: string;
}

/** Where the card is billed. Every field may come from the payment's body or from the session; the body's wins. */
export class BillingDto {
  /**
   * Street and number, at most 200 characters (the gateway's `billingStreet`).
   * @example "1 Marina"
   */
  @IsOptional()
  @IsPlainText(200)
  street?: string;

  /**
   * City, at most 100 characters (the gateway's `billingCity`).
   * @example "Lagos"
   */
  @IsOptional()
  @IsPlainText(100)
  city?: string;

  /**
   * State or province, at most 100 characters (the gateway's `billingStateProvince`).
   * @example "Lagos"
   */
  @IsOptional()
  @IsPlainText(100)
  stateProvince?: string;

  /**
   * Postal code, at most 20 characters (the gateway's `billingPostCode`).
   * @example "101001"
   */
  @IsOptional()
  @IsPlainText(20)
  postCode?: string;

  /**
   * Country: ISO 3166-1 alpha-3 (the gateway's `billingCountry`).
   * @example "NGA"
   */
  @IsOptional()
  @IsCountryAlpha3()
  country?: string;
}
