import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CONFIG, type Config } from '../config/config.js';
import type { Fact, Failure } from '../gateway/fact.js';
import { Gateway } from '../gateway/gateway.js';
import type { Named } from '../gateway/notification/notification.js';
import { Problem } from '../http/problems/problem.js';
import { bearerOf } from '../http/request.js';
import { OrderWriter } from '../payments/order-writer.js';
import { PaymentsRepository } from '../payments/payments.repository.js';
import { Prober } from '../payments/prober.js';
import { indexOfMatch } from '../secrets/compare.js';
import { Store } from '../store/store.js';
import { logKind } from '../telemetry/failure-log.js';
import { LOGGER, type Logger } from '../telemetry/logger.js';

/** What the gateway is answered. */
export interface Taken {
  status: number;
  body?: unknown;
}

const UNTOLD: Failure = { code: 'declined', message: '', reason: null, gatewayCode: null, retryable: false };

/** Takes the gateway's notifications: they move nothing, they make payments due. */
@Injectable()
export class NotificationsService {
  constructor(
    private readonly gateway: Gateway,
    private readonly payments: PaymentsRepository,
    private readonly orders: OrderWriter,
    private readonly prober: Prober,
    private readonly store: Store,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws `unauthorized` where it proves nothing: then nothing happens. Resolves once what it names is due. */
  async take(request: FastifyRequest, pathSecret: string | undefined): Promise<Taken> {
    const query = request.url.split('?')[1];
    const notification = this.gateway.readNotification({
      headers: request.headers,
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      ...(query === undefined ? {} : { query }),
    });
    const genuine = notification.isSigned ?? this.hasSecret(request, pathSecret);
    if (!genuine)
      throw new Problem('unauthorized', 'This notification carries no valid secret or signature.');
    await Promise.all(notification.named.map((named) => this.due(named)));
    return notification.answer;
  }

  /** Without a secret, which only test mode allows, anybody is believed: a claim moves nothing. */
  private hasSecret(request: FastifyRequest, pathSecret: string | undefined): boolean {
    const { notificationSecrets } = this.config;
    if (!notificationSecrets) return this.config.gateway.mode === 'test';
    const header = request.headers['x-notification-secret'];
    const presented = [bearerOf(request.headers.authorization), header, pathSecret];
    return presented.some((one) => typeof one === 'string' && indexOfMatch(one, notificationSecrets) >= 0);
  }

  private async due({ reference, transactionRef, claim, kept }: Named): Promise<void> {
    const found = await this.payments.named(reference, transactionRef);
    if (found.length === 0 && !(await this.adopted(reference)))
      logKind(this.logger, { event: 'notification.unknown' });
    const status = claim && CLAIMS[claim];
    await Promise.all(
      found.map(({ id, reference: order }) =>
        this.orders.take(order, {
          by: 'notification',
          payment: id,
          ...(status ? { status } : {}),
          ...(transactionRef === undefined ? {} : { transactionRef }),
          ...(Object.keys(kept).length > 0 ? { kept } : {}),
        }),
      ),
    );
  }

  /** While the store is restored, it may name a payment of a known order that was lost. */
  private async adopted(clientRef: string | undefined): Promise<boolean> {
    if (clientRef === undefined || this.store.restoredAt === undefined) return false;
    const named = this.gateway.orderOf(clientRef);
    if (!named) return false;
    await this.prober.adopt(named.reference, named.n);
    return true;
  }
}

/** What a claim would mean as an answer. Words that are not here agree with nothing, so the gateway is asked. */
const CLAIMS: Partial<Record<NonNullable<Named['claim']>, Fact>> = {
  succeeded: { is: 'paid' },
  authorized: { is: 'held' },
  failed: { is: 'failed', failure: UNTOLD },
  expired: { is: 'expired', failure: UNTOLD },
  voided: { is: 'reversed' },
  processing: { is: 'waiting' },
  otp: { is: 'waiting' },
  pin: { is: 'waiting' },
  redirect: { is: 'waiting' },
};
