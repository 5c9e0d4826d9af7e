import { Type } from 'class-transformer';
import { IsOptional, ValidateNested, IsString, Matches } from 'class-validator';
import { PayerDto } from '../../sessions/payer.dto.js';

/** A payment with the partner wallet. It needs the payer's e-mail address, from here or from the session. */
export class PayWalletDto {
  @IsOptional()
  @ValidateNested()
  @Type(() => PayerDto)
  payer?: PayerDto;
}

/** A payment by bank transfer. It needs the whole payer, from here or from the session. */
export class PayTransferDto {
  @IsOptional()
  @ValidateNested()
  @Type(() => PayerDto)
  payer?: PayerDto;
}

/** A payment by USSD. It needs the payer's e-mail address, from here or from the session. */
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
