import { Inject, Injectable } from '@nestjs/common';
import type { KeyedCall } from '../auth/keyed-call.js';
import { clientToken as tokenOf } from '../auth/tokens.js';
import { CONFIG, type Config } from '../config/config.js';
import { Gateway } from '../gateway/gateway.js';
import { Problem, validationFailed, type ProblemFault } from '../http/problems/problem.js';
import { Answer, REPLAYED } from '../http/server/answer.js';
import { isAllowedReturn } from '../http/validation/return-url.js';
import { minorDigits, parseMajor } from '../money/money.js';
import { newKey } from '../payments/api/keyed.js';
import { emailHash } from '../payments/api/payment-lists.js';
import type { Decision, Moment, NewKey } from '../payments/core/input.js';
import { usedBefore } from '../payments/core/keys.js';
import { closeByMerchant, openSession, redactSession, type NewSession } from '../payments/core/sessions.js';
import { OrderWriter } from '../payments/order-writer.js';
import { OpenSessions, type FoundSession } from '../sessions/open-sessions.js';
import { defined } from '../sessions/payer-details.js';
import { newId } from '../store/ids.js';
import type { Stored } from '../store/store.js';
import { eraseRecords } from './erasure.js';
import type { CreateSessionDto } from './create-session.dto.js';
import type { BrowserSessionDto, MerchantSessionDto } from './sessions.dto.js';
import { browserView, merchantView } from './session-views.js';

const DEFAULT_SECONDS = 1_800;
/** The longest number of an order's payments that the gateway must be able to name. */
const WIDEST_N = 99;

/** Sessions, as merchants and browsers see them. */
@Injectable()
export class CheckoutService {
  constructor(
    private readonly sessions: OpenSessions,
    private readonly orders: OrderWriter,
    private readonly gateway: Gateway,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async create(dto: CreateSessionDto, call: KeyedCall): Promise<Answer<MerchantSessionDto>> {
    const wanted = this.wanted(dto);
    // Only these names are the caller's own.
    const metadata = Object.entries(dto.metadata ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
    const key = newKey(call, { ...dto, metadata }, this.config);
    const { id, isReplay } = await this.change(dto.reference, wanted.id, key, (stored, moment) =>
      openSession(stored, wanted, { actor: call.actor, key }, moment, this.orders.rules()),
    );
    const clientToken = tokenOf(id, this.config.keys.secretKeys);
    // In the fragment, so that it appears in no server's log.
    const checkoutUrl = `${this.config.http.publicBaseUrl}/checkout#${clientToken}`;
    const session = { ...(await this.forMerchant(id)), clientToken, checkoutUrl };
    return new Answer(session, isReplay ? REPLAYED : { status: 201 });
  }

  close(id: string, call: KeyedCall): Promise<Answer<MerchantSessionDto>> {
    return this.changed(id, call, closeByMerchant);
  }

  /** Erases what is known of the payer, in events and approvals too. */
  redact(id: string, call: KeyedCall): Promise<Answer<MerchantSessionDto>> {
    // Where the process dies here, retention does it.
    return this.changed(id, call, redactSession, (reference) => eraseRecords(this.orders, reference, id));
  }

  /** Throws `not-found`. */
  async forMerchant(id: string): Promise<MerchantSessionDto> {
    return merchantView(await this.timely(await this.sessions.find(id)), this.config.livemode);
  }

  async ofReference(reference: string): Promise<MerchantSessionDto[]> {
    return (await this.sessions.ofReference(reference)).map((found) =>
      merchantView(found, this.config.livemode),
    );
  }

  /** The session of a client token. Throws `unauthorized` where the token reads no more. */
  async forBrowser(id: string): Promise<BrowserSessionDto> {
    return browserView(
      await this.timely(await this.sessions.ofToken(id)),
      this.gateway,
      this.config.livemode,
    );
  }

  /** Ends a session whose time is over before it is shown. */
  private async timely(found: FoundSession): Promise<FoundSession> {
    const stored = await this.sessions.current(found.stored);
    const session = stored.order?.sessions.find(({ id }) => id === found.session.id);
    if (!session) throw new Problem('not-found', 'There is no such session.');
    return { stored, session };
  }

  private async changed(
    id: string,
    call: KeyedCall,
    decide: typeof closeByMerchant | typeof redactSession,
    followUp?: (reference: string) => Promise<void>,
  ): Promise<Answer<MerchantSessionDto>> {
    const { reference } = (await this.sessions.find(id)).stored;
    const key = newKey(call, {}, this.config);
    const { isReplay } = await this.change(reference, id, key, (now, moment) =>
      decide(now, id, { actor: call.actor, key }, moment, this.orders.rules()),
    );
    if (!isReplay) await followUp?.(reference);
    return new Answer(await this.forMerchant(id), isReplay ? REPLAYED : { status: 200 });
  }

  private async change(
    reference: string,
    id: string,
    key: NewKey,
    decide: (stored: Stored, moment: Moment) => Decision,
  ): Promise<{ id: string; isReplay: boolean }> {
    return this.orders.write<{ id: string; isReplay: boolean }>(reference, (stored, moment) => {
      const used = usedBefore(stored, key, () => false);
      if (used) return { result: { id: used.resource.id, isReplay: true } };
      return { decision: decide(stored, moment), result: { id, isReplay: false } };
    });
  }

  /** Throws `validation-failed` for what does not fit the configuration or the gateway. */
  private wanted(dto: CreateSessionDto): NewSession {
    const { reference, currency } = dto;
    const amount = parseMajor(dto.amount, currency);
    const methods = dto.methods ?? [...this.config.payments.methods];
    const faults: ProblemFault[] = [];
    const fault = (pointer: string, message: string) => faults.push({ pointer, message });
    if (amount === undefined)
      fault(
        '/amount',
        `must be an amount of at most 12 digits and ${minorDigits(currency) ?? 0} minor digits`,
      );
    else if (amount <= 0n) fault('/amount', 'must be above zero');
    else if (!this.gateway.canWrite(amount, currency))
      fault('/amount', 'must be an amount that the gateway can write');
    if (!this.gateway.fits(this.gateway.clientRef(reference, WIDEST_N)))
      fault('/reference', 'is too long for the gateway');
    if (dto.returnUrl !== undefined && !isAllowedReturn(dto.returnUrl, this.config.http.allowedReturnOrigins))
      fault(
        '/returnUrl',
        'must have an origin of ALLOWED_RETURN_ORIGINS, or of ALLOWED_ORIGINS where that is unset',
      );
    methods.forEach((method, index) => {
      if (!this.config.payments.methods.includes(method))
        fault(`/methods/${index}`, 'must be a method that is offered');
    });
    if (amount === undefined || faults.length > 0) throw validationFailed(faults);
    const payer = defined(dto.payer);
    const [secretKey = ''] = this.config.keys.secretKeys.unwrap();
    return {
      ...{ id: newId('cs'), amount, currency, payer, billing: defined(dto.billing), methods },
      returnUrl: dto.returnUrl ?? null,
      locale: dto.locale ?? null,
      metadata: dto.metadata ?? {},
      emailHash: payer.email === undefined ? null : emailHash(payer.email, secretKey),
      expiresInMs: (dto.expiresInSeconds ?? DEFAULT_SECONDS) * 1_000,
    };
  }
}
