import {
  IsBoolean,
  IsEmail,
  IsInt,
  IsNumberString,
  IsOptional,
  IsString,
  Length,
  Matches,
  MaxLength,
  Max,
  Min,
} from 'class-validator';

/** A card payment as the gateway takes it, checked in the way that Nest's documentation shows. */
export class CardPaymentDto {
  @IsNumberString() @Length(12, 19) cardNumber: string;
  @Matches(/^(0[1-9]|1[0-2])$/) expiryMonth: string;
  @Matches(/^20[0-9]{2}$/) expiryYear: string;
  @Matches(/^[0-9]{3,4}$/) cvv: string;
  @IsOptional() @Matches(/^[0-9]{4,6}$/) card_pin?: string;
  @IsString() @MaxLength(100) nameOnCard: string;
  @Matches(/^[0-9]{1,12}\.[0-9]{2}$/) amount: string;
  @Length(3, 3) currency: string;
  @Matches(/^[A-Za-z0-9_.-]{1,50}$/) client_ref: string;
  @IsString() @MaxLength(500) authNotifyUrl: string;
  @IsEmail() payerEmail: string;
  @IsString() @MaxLength(20) payerPhone: string;
  @IsString() @MaxLength(100) firstName: string;
  @IsString() @MaxLength(100) lastName: string;
  @IsString() @MaxLength(100) billingStreet: string;
  @IsString() @MaxLength(100) billingCity: string;
  @IsString() @MaxLength(100) billingStateProvince: string;
  @IsString() @MaxLength(20) billingPostCode: string;
  @Length(3, 3) billingCountry: string;
  @IsBoolean() javaEnabled: boolean;
  @IsString() @MaxLength(35) language: string;
  @IsInt() @Min(0) @Max(99_999) screenHeight: number;
  @IsInt() @Min(0) @Max(99_999) screenWidth: number;
  @IsInt() @Min(1) @Max(48) colorDepth: number;
  @IsString() @MaxLength(64) timeZone: string;
  @IsString() @MaxLength(2_048) userAgent: string;
}
