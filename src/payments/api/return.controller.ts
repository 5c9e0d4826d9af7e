import { Controller, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readerToken } from '../../auth/tokens.js';
import { CONFIG, type Config } from '../../config/config.js';
import { clientAddress } from '../../http/address.js';
import { Problem } from '../../http/problems/problem.js';
import { RateLimit } from '../../http/rate-limit.js';
import { EdgeRoute } from '../../http/route.js';
import { isKeyedHash, keyedHash } from '../../secrets/keyed-hash.js';
import { withResult } from '../../http/validation/return-url.js';
import { Store } from '../../store/store.js';
import { Asker } from '../asker.js';
import type { OrderState } from '../core/payment.js';

/** A payer looks at a blank page meanwhile: then they are sent on with what is known. */
const LONGEST_MS = 5_000;

/**
 * Where banks and wallets send the payer back to, by GET or by a form, from any origin. What the address or the form says proves nothing:
 * it only makes the gateway be asked.
 */
@ApiTags('browser')
@Controller('v1/payments/:id/return/:token')
export class ReturnController {
  constructor(
    private readonly asker: Asker,
    private readonly limit: RateLimit,
    private readonly store: Store,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Where the bank or wallet sends the payer back to. */
  @Get()
  @HttpCode(303)
  @EdgeRoute({ openAt: 'payers', body: 'raw' })
  @ApiResponse({ status: 303, description: 'To `returnUrl`, or to the checkout page.' })
  comeBack(
    @Param('id') id: string,
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.sendOn(id, token, request, reply);
  }

  /** The same, by a form. */
  @Post()
  @HttpCode(303)
  @EdgeRoute({ openAt: 'payers', body: 'raw' })
  @ApiResponse({ status: 303, description: 'To `returnUrl`, or to the checkout page.' })
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
    const keys = this.config.keys.secretKeys;
    const known = isKeyedHash(keys.unwrap(), 'return-token', id, token)
      ? await this.store.readOf('payment', id)
      : undefined;
    if (!known) throw new Problem('not-found', 'There is no such page.');
    // Beyond the limit the payer is sent on with what is known.
    const { allowed } = this.limit.check(clientAddress(request));
    const state = allowed ? await this.asked(known, id) : known;
    await reply.status(303).header('Location', this.whereTo(state, id)).send();
  }

  /** Whatever goes wrong in asking, the payer is sent on, and the schedule asks again. */
  private async asked(known: OrderState, id: string): Promise<OrderState> {
    try {
      return (await this.asker.ask(known.reference, id, LONGEST_MS)).state;
    } catch {
      return known;
    }
  }

  private whereTo({ payments, order }: OrderState, id: string): string {
    const payment = payments.find((one) => one.id === id);
    const session = order?.sessions.find((one) => one.id === payment?.sessionId);
    if (!payment || !session) throw new Problem('not-found', 'There is no such page.');
    const result = { payment: payment.id, status: payment.status };
    if (session.returnUrl !== null) return withResult(session.returnUrl, result);
    // Whoever holds the link may see how it ended. The payer's own tab still has its client token.
    const token = readerToken(payment.id, this.config.keys.secretKeys, this.store.now());
    return withResult(`${this.config.http.publicBaseUrl}/checkout#${token}`, result);
  }
}

/** Where the payer of a payment comes back to. */
export function returnUrlOf(paymentId: string, { http, keys }: Pick<Config, 'http' | 'keys'>): string {
  const [secretKey = ''] = keys.secretKeys.unwrap();
  return `${http.publicBaseUrl}/v1/payments/${paymentId}/return/${keyedHash(secretKey, 'return-token', paymentId)}`;
}
