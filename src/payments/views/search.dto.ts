import { IsInt, IsString, Max, Min } from 'class-validator';
import { IsPlainText, Omittable } from '../../http/validation/validators.js';

/** What to look for among payments. */
export class PaymentSearchDto {
  /**
   * Whatever is known of a payment: the beginning or the end of its reference, or four characters and more of it, in any case; its gateway
   * reference; the payer's whole e-mail or phone, as the session had it; the last four digits of the card; or the amount. At most 200
   * characters.
   * @example "ada@example.com"
   */
  @IsPlainText(200)
  query: string;

  /** 1 to 100, 50 by default. */
  @Omittable()
  @IsInt()
  @Min(1)
  @Max(100)
  limit?: number;

  /** The `nextCursor` of the page before, of the same query. */
  @Omittable()
  @IsString()
  cursor?: string;
}
