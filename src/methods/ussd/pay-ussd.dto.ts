import { Type } from 'class-transformer';
import { IsOptional, IsString, Matches, ValidateNested } from 'class-validator';
import { PayerDto } from '../../sessions/payer.dto.js';

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
