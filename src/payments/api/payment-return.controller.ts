import { Controller, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { RateLimit } from '../../http/rate-limit.js';
import { clientAddress } from '../../http/address.js';
import { EdgeRoute } from '../../http/route.js';
import { Problem } from '../../http/problems/problem.js';
import { withResult } from '../../sessions/return-url.js';
import { readerToken } from '../../auth/tokens.js';
import { SessionsRepository } from '../../sessions/sessions.repository.js';
import type { PaymentRecord, SessionRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { PayerQuestions } from '../inquiry/payer-questions.js';
import { PaymentsRepository } from '../state/payments.repository.js';
import { isReturnToken } from '../state/gateway-facts.js';

/** A payer looks at a blank page meanwhile: then they are sent on with what is known. */
const LONGEST_MS = 5_000;

/**
 * Where banks and wallets send the payer back to, by GET or by a form, from any origin, once or often. What the address
 * or the form says proves nothing: it only makes the gateway be asked.
 */
@ApiExcludeController()
@Controller('v1/payments/:id/return/:token')
export class PaymentReturnController {
  constructor(
    private readonly payments: PaymentsRepository,
    private readonly sessions: SessionsRepository,
    private readonly questions: PayerQuestions,
    private readonly limit: RateLimit,
    private readonly store: Store,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @EdgeRoute({ openAt: 'payers', body: 'raw' })
  comeBack(
    @Param('id') id: string,
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.sendOn(id, token, request, reply);
  }

  @Post()
  @EdgeRoute({ openAt: 'payers', body: 'raw' })
  comeBackByForm(
    @Param('id') id: string,
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.sendOn(id, token, request, reply);
  }

  private async sendOn(
    id: string,
    token: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const found = isReturnToken(id, token, this.config) ? await this.payments.find(id) : undefined;
    const session = found && (await this.sessions.find(found.sessionId));
    if (!found || !session) throw new Problem('not-found', 'There is no such page.');
    // Over the limit, too, the payer is sent on: with what is known.
    const { allowed } = this.limit.check(clientAddress(request));
    const payment = allowed ? await this.asked(found) : found;
    await reply.status(303).header('Location', this.whereTo(payment, session)).send();
  }

  private async asked(found: PaymentRecord): Promise<PaymentRecord> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, LONGEST_MS, undefined);
    });
    // Whatever goes wrong in asking, the payer is sent on; the schedule asks again.
    const asking = this.questions.askForPayer(found.id).catch(() => undefined);
    const asked = await Promise.race([asking, late]);
    clearTimeout(timer);
    return asked?.payment ?? (await this.payments.find(found.id)) ?? found;
  }

  private whereTo(payment: PaymentRecord, session: SessionRecord): string {
    const result = { payment: payment.id, status: payment.status };
    if (session.returnUrl !== null) return withResult(session.returnUrl, result);
    // Whoever holds the link may see how it ended. The payer's own tab still has its client token, and goes on with that.
    const token = readerToken(payment.id, this.config.keys.secretKeys, this.store.clock.now());
    return withResult(`${this.config.http.publicBaseUrl}/checkout#${token}`, result);
  }
}
