import { Type } from 'class-transformer';
import { IsOptional, ValidateNested, IsString, Matches } from 'class-validator';
import { BillingDto, PayerDto } from '../../sessions/payer.dto.js';

/** A payment with the partner wallet. What it needs of the payer (`fields` of the session) comes from here or from the session. */
export class PayWalletDto {
  @IsOptional()
  @ValidateNested()
  @Type(() => PayerDto)
  payer?: PayerDto;

  @IsOptional()
  @ValidateNested()
  @Type(() => BillingDto)
  billing?: BillingDto;
}

/** A payment by bank transfer. What it needs of the payer (`fields` of the session) comes from here or from the session. */
export class PayTransferDto {
  @IsOptional()
  @ValidateNested()
  @Type(() => PayerDto)
  payer?: PayerDto;

  @IsOptional()
  @ValidateNested()
  @Type(() => BillingDto)
  billing?: BillingDto;
}

/** A payment by USSD. What it needs of the payer (`fields` of the session) comes from here or from the session. */
export class PayUssdDto {
  /**
   * The payer's bank: a `code` of the list of banks.
   * @example "058"
   */
  @IsString()
  @Matches(/^[A-Za-z0-9_-]{1,20}$/, { message: '$property must be a code of the list of banks' })
  bankCode: string;

  @IsOptional()
  @ValidateNested()
  @Type(() => PayerDto)
  payer?: PayerDto;

  @IsOptional()
  @ValidateNested()
  @Type(() => BillingDto)
  billing?: BillingDto;
}

class UssdBankDto {
  /** @example "058" */
  code: string;
  /** @example "Guaranty Trust Bank" */
  name: string;
}

/** Banks whose customers can pay by USSD. */
export class UssdBanksDto {
  banks: UssdBankDto[];
}
