import { Type } from 'class-transformer';
import { IsOptional, Matches, ValidateNested } from 'class-validator';
import { BillingDto, PayerDto } from '../sessions/payer.dto.js';

/** A payment by wallet or bank transfer. What it needs of the payer (`fields` of the session) comes from here or from the session. */
export class PayDto {
  @IsOptional()
  @ValidateNested()
  @Type(() => PayerDto)
  payer?: PayerDto;

  @IsOptional()
  @ValidateNested()
  @Type(() => BillingDto)
  billing?: BillingDto;
}

/** A payment by USSD. */
export class PayUssdDto extends PayDto {
  /**
   * The payer's bank: a `code` of the list of banks.
   * @example "058"
   */
  @Matches(/^[A-Za-z0-9_-]{1,20}$/, { message: '$property must be a code of the list of banks' })
  bankCode: string;
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
