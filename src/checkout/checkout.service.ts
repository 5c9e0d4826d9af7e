import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { PROFILE } from '../gateway/gateway.module.js';
import type { Profile } from '../gateway/profile/format.js';
import { Problem, type ProblemFault, validationFailed } from '../http/problems/problem.js';
import { isAllowedReturn } from '../sessions/return-url.js';
import type { KeyedRequest } from '../idempotency/idempotency.js';
import { minorDigits, parseMajor } from '../money/money.js';
import { viewPayment } from '../payments/views/payment-view.js';
import type { PaymentDto } from '../payments/views/payment.dto.js';
import { PaymentsRepository } from '../payments/state/payments.repository.js';
import { clientToken } from '../auth/tokens.js';
import { assertTokenReads } from '../sessions/session-guards.js';
import { viewSessionForBrowser, viewSessionForMerchant } from '../sessions/session-view.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { SessionsService, type MadeSession, type NewSession } from '../sessions/sessions.service.js';
import type { SessionRecord } from '../store/schema.js';
import { Store } from '../store/store.js';
import type { CreateSessionDto } from './create-session.dto.js';
import type { BrowserSessionDto, MerchantSessionDto } from './sessions.dto.js';

const DEFAULT_SECONDS = 1_800;

const RETURN_ORIGIN_NEEDED =
  'must have an origin that is listed in ALLOWED_RETURN_ORIGINS, or in ALLOWED_ORIGINS where that is unset';

/** Sessions with their payments, as merchants and browsers see them. */
@Injectable()
export class CheckoutService {
  constructor(
    private readonly service: SessionsService,
    private readonly sessions: SessionsRepository,
    private readonly payments: PaymentsRepository,
    private readonly store: Store,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  /** Creates a session. Throws `validation-failed` for an amount or a return address that does not fit. */
  async create(dto: CreateSessionDto, request: KeyedRequest): Promise<MadeSession> {
    return this.service.create(this.wanted(dto), request);
  }

  close(id: string, request: KeyedRequest): Promise<MadeSession> {
    return this.service.close(id, request);
  }

  redact(id: string, request: KeyedRequest): Promise<MadeSession> {
    return this.service.redact(id, request);
  }

  /** Throws `not-found`. */
  async find(id: string): Promise<SessionRecord> {
    const session = await this.sessions.find(id);
    if (!session) throw new Problem('not-found', 'There is no such session.');
    return this.current(session);
  }

  /** The session of a client token. Throws `unauthorized` where the token has expired. */
  async findForBrowser(id: string): Promise<SessionRecord> {
    const session = await this.sessions.find(id);
    assertTokenReads(session, this.store.clock.now());
    return this.current(session);
  }

  async ofReference(reference: string): Promise<SessionRecord[]> {
    const found = await this.sessions.ofReference(reference);
    return Promise.all(found.map(async (session) => this.current(session)));
  }

  /** The merchant's view. Carries the token only if the session was just created, or a replay asks for it. */
  async viewForMerchant(session: SessionRecord, withToken = false): Promise<MerchantSessionDto> {
    const token = withToken ? clientToken(session.id, this.config.keys.secretKeys) : undefined;
    return {
      ...viewSessionForMerchant(session, this.livemode),
      ...(token !== undefined && {
        clientToken: token,
        // In the fragment, so that it appears in no server's log.
        checkoutUrl: `${this.config.http.publicBaseUrl}/checkout#${token}`,
      }),
      payments: await this.viewPayments(session),
    };
  }

  async viewForBrowser(session: SessionRecord): Promise<BrowserSessionDto> {
    return {
      ...viewSessionForBrowser(session, this.profile, this.livemode),
      payments: await this.viewPayments(session),
    };
  }

  private get livemode(): boolean {
    return this.config.gateway.mode === 'live';
  }

  /** An expired session is shown as expired, even before the schedule has ended it. */
  private current(session: SessionRecord): Promise<SessionRecord> | SessionRecord {
    return session.status === 'open' && session.expiresAt < this.store.clock.now()
      ? this.service.expire(session)
      : session;
  }

  private async viewPayments(session: SessionRecord): Promise<PaymentDto[]> {
    const found = await this.payments.ofSession(session);
    return found.map((payment) => viewPayment(payment, this.livemode));
  }

  private wanted(dto: CreateSessionDto): NewSession {
    const amount = parseMajor(dto.amount, dto.currency);
    const { methods: offered } = this.config.payments;
    const methods = dto.methods ?? [...offered];
    const faults: ProblemFault[] = [];
    if (amount === undefined) {
      const digits = minorDigits(dto.currency) ?? 0;
      faults.push({
        pointer: '/amount',
        message: `must be an amount of at most 12 digits and ${String(digits)} minor digits`,
      });
    } else if (amount <= 0n) {
      faults.push({ pointer: '/amount', message: 'must be above zero' });
    }
    if (
      dto.returnUrl !== undefined &&
      !isAllowedReturn(dto.returnUrl, this.config.http.allowedReturnOrigins)
    ) {
      faults.push({ pointer: '/returnUrl', message: RETURN_ORIGIN_NEEDED });
    }
    methods.forEach((method, index) => {
      if (!offered.includes(method)) {
        faults.push({ pointer: `/methods/${String(index)}`, message: 'must be a method that is offered' });
      }
    });
    if (amount === undefined || faults.length > 0) throw validationFailed(faults);
    return {
      reference: dto.reference,
      amount,
      currency: dto.currency,
      payer: dto.payer ?? null,
      billing: dto.billing ? { ...dto.billing } : null,
      returnUrl: dto.returnUrl ?? null,
      methods,
      expiresInSeconds: dto.expiresInSeconds ?? DEFAULT_SECONDS,
      metadata: dto.metadata ?? {},
      locale: dto.locale ?? null,
    };
  }
}
