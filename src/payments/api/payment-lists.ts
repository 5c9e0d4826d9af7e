import { Inject, Injectable } from '@nestjs/common';
import type { TimeZone } from '../../calendar/time-zone.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { validationFailed } from '../../http/problems/problem.js';
import { beginningOf, endOf } from '../../http/validation/validators.js';
import { keyedHash } from '../../secrets/keyed-hash.js';
import { Store } from '../../store/store.js';
import type { Payment } from '../core/payment.js';
import { paymentView } from '../core/view.js';
import { cursorOf, PaymentsRepository, placeOf } from '../payments.repository.js';
import type { PaymentListDto, PaymentSearchDto, PaymentsQueryDto } from './requests.dto.js';

const DEFAULT_LIMIT = 50;

/** Lists of payments, as the API shows them. */
@Injectable()
export class PaymentLists {
  constructor(
    private readonly payments: PaymentsRepository,
    private readonly store: Store,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async list(query: PaymentsQueryDto): Promise<PaymentListDto> {
    const { limit: text, cursor, from, to, needsAttention, duplicate, disputed, ...equal } = query;
    const range = timeRangeOf({ from, to }, this.config.booksTimeZone);
    const flags = {
      needsAttention: truth(needsAttention),
      duplicate: truth(duplicate),
      disputed: truth(disputed),
    };
    const limit = Number(text ?? DEFAULT_LIMIT);
    return this.page(
      await this.payments.list({ ...equal, ...range, ...flags }, limit + 1, place(cursor)),
      limit,
    );
  }

  async search({ query, limit = DEFAULT_LIMIT, cursor }: PaymentSearchDto): Promise<PaymentListDto> {
    const hashes = this.config.keys.secretKeys.unwrap().map((key) => emailHash(query, key));
    return this.page(await this.payments.search(query.trim(), hashes, limit + 1, place(cursor)), limit);
  }

  private async page(found: Payment[], limit: number): Promise<PaymentListDto> {
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const orders = await Promise.all(page.map(({ reference }) => this.store.read(reference)));
    return {
      data: page.map((payment, index) =>
        paymentView(
          orders[index] ?? { reference: payment.reference, order: null, payments: [] },
          payment,
          this.livemode,
        ),
      ),
      nextCursor: last && found.length > limit ? cursorOf(last) : null,
    };
  }

  private get livemode(): boolean {
    return this.config.gateway.mode === 'live';
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

function place(cursor: string | undefined): { createdAt: number; id: string } | undefined {
  if (cursor === undefined) return undefined;
  const found = placeOf(cursor);
  if (!found) throw validationFailed([{ pointer: '/cursor', message: 'must be a nextCursor of this list' }]);
  return found;
}
