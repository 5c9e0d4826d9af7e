import { Type } from 'class-transformer';
import { IsOptional, ValidateNested } from 'class-validator';
import { PayerDto } from '../../sessions/payer.dto.js';

/** A payment by bank transfer. It needs the whole payer, from here or from the session. */
export class PayTransferDto {
  @IsOptional()
  @ValidateNested()
  @Type(() => PayerDto)
  payer?: PayerDto;
}
