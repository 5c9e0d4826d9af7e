import { Type } from 'class-transformer';
import { IsOptional, ValidateNested } from 'class-validator';
import { PayerDto } from '../../sessions/payer.dto.js';

/** A payment with the partner wallet. It needs the payer's e-mail address, from here or from the session. */
export class PayWalletDto {
  @IsOptional()
  @ValidateNested()
  @Type(() => PayerDto)
  payer?: PayerDto;
}
