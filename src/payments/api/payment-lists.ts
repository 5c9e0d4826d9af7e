import { Inject, Injectable } from '@nestjs/common';
import { beginningOf, endOf, type TimeZone } from '../../calendar/time-zone.js';
import { CONFIG, type Config } from '../../config/config.js';
import { validationFailed } from '../../http/problems/problem.js';
import { keyedHash } from '../../secrets/keyed-hash.js';
import { Store } from '../../store/store.js';
import type { Payment } from '../core/payment.js';
import { paymentView } from '../core/view.js';
import { cursorOf, PaymentsRepository, placeOf } from '../payments.repository.js';
import { pageOf, rowsOf } from './paging.dto.js';
import type { PaymentListDto, PaymentSearchDto, PaymentsQueryDto } from './requests.dto.js';

/** Lists of payments, as the API shows them. */
@Injectable()
export class PaymentLists {
  constructor(
    private readonly payments: PaymentsRepository,
    private readonly store: Store,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async list(query: PaymentsQueryDto): Promise<PaymentListDto> {
    const { limit, cursor, from, to, needsAttention, duplicate, disputed, ...equal } = query;
    const range = timeRangeOf({ from, to }, this.config.booksTimeZone);
    const flags = {
      needsAttention: truth(needsAttention),
      duplicate: truth(duplicate),
      disputed: truth(disputed),
    };
    const filter = { ...equal, ...range, ...flags };
    return this.page(await this.payments.list(filter, rowsOf(limit), placeAt(cursor)), limit);
  }

  async search({ query, limit, cursor }: PaymentSearchDto): Promise<PaymentListDto> {
    const hashes = this.config.keys.secretKeys.unwrap().map((key) => emailHash(query, key));
    return this.page(await this.payments.search(query.trim(), hashes, rowsOf(limit), placeAt(cursor)), limit);
  }

  private async page(found: Payment[], limit: string | number | undefined): Promise<PaymentListDto> {
    const { rows, nextCursor } = pageOf(found, limit, cursorOf);
    const data = rows.map(async (payment) =>
      paymentView(await this.store.read(payment.reference), payment, this.config.livemode),
    );
    return { data: await Promise.all(data), nextCursor };
  }
}

/** By what a payer's e-mail is found, in whatever letters it was written. */
export function emailHash(email: string, secretKey: string): string {
  return keyedHash(secretKey, 'search', `email\n${email.trim().toLowerCase()}`).slice(0, 22);
}

/** Reads `from` and `to`; dates are those of a zone. Throws `validation-failed` where nothing can lie between them. */
export function timeRangeOf(
  query: { from?: string | undefined; to?: string | undefined },
  zone: TimeZone,
): { from: number | undefined; to: number | undefined } {
  const from = query.from === undefined ? undefined : beginningOf(query.from, zone);
  const to = query.to === undefined ? undefined : endOf(query.to, zone);
  if (from !== undefined && to !== undefined && from >= to)
    throw validationFailed([{ pointer: '/to', message: 'must be after from' }]);
  return { from, to };
}

function truth(word: 'true' | 'false' | undefined): boolean | undefined {
  return word === undefined ? undefined : word === 'true';
}

/** Where a page begins. Throws `validation-failed` for what is no cursor. */
export function placeAt(cursor: string | undefined): { createdAt: number; id: string } | undefined {
  if (cursor === undefined) return undefined;
  const found = placeOf(cursor);
  if (!found) throw validationFailed([{ pointer: '/cursor', message: 'must be a nextCursor of this list' }]);
  return found;
}
