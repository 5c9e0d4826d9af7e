import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { PROFILE } from '../gateway/gateway.module.js';
import {
  notificationClaim,
  notificationKept,
  notificationReference,
} from '../gateway/notifications/notification-profile.js';
import type { Profile } from '../gateway/profile/format.js';
import { Problem } from '../http/problems/problem.js';
import { RateLimit } from '../http/rate-limit.js';
import { PaymentsRepository } from '../payments/state/payments.repository.js';
import { keyedHash } from '../secrets/keyed-hash.js';
import { newId } from '../store/ids.js';
import type { NotificationRecord, PaymentRecord } from '../store/schema.js';
import { Store } from '../store/store.js';
import { MATCHED_PER_MINUTE, UNMATCHED_PER_MINUTE } from './inbox-limits.js';
import { InboxWriter } from './inbox-writer.js';
import { NotificationHandover } from './notification-handover.js';
import { accessOf, type NotificationAccess, type PresentedNotification } from './notification-access.js';
import type { KeptValues } from '../gateway/gateway-input.js';

/** The form of our gateway references, `reference_N`, with any separator. Nothing else is looked up in the store. */
const GATEWAY_REFERENCE = /^[A-Za-z0-9.-]{1,40}[!-/:-@[-`{-~]{1,8}[0-9]{1,15}$/;

/** A notification, and the address that it came from. */
export interface Arrived extends PresentedNotification {
  address: string;
}

/** Accepts notifications: stores, answers, then has the gateway asked. Their content moves nothing. */
@Injectable()
export class NotificationsService {
  private readonly matchedOf = new RateLimit(MATCHED_PER_MINUTE);
  private readonly unmatchedOf = new RateLimit(UNMATCHED_PER_MINUTE);
  private lastReceivedAt = 0;

  constructor(
    private readonly writer: InboxWriter,
    private readonly payments: PaymentsRepository,
    private readonly handover: NotificationHandover,
    private readonly store: Store,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  /** Throws `unauthorized` without the secret or signature, and `store-unavailable` where the store is down. */
  async take(arrived: Arrived): Promise<void> {
    const access = accessOf(this.profile.notification, this.key(), arrived);
    if (access === 'refused') {
      throw new Problem('unauthorized', 'A notification must carry its secret or signature.');
    }
    const reference = notificationReference(this.profile.notification, arrived.body);
    const payment =
      reference !== undefined && GATEWAY_REFERENCE.test(reference)
        ? await this.payments.findByGatewayReference(reference)
        : undefined;
    if (payment) await this.takeMatched(payment, arrived, access);
    else await this.takeUnmatched(arrived, access);
  }

  /** In live mode an anonymous notification is refused, even if the secret has vanished since the start. */
  private key(): Parameters<typeof accessOf>[1] {
    const { notificationSecrets: secrets, productionRules } = this.config;
    return { secrets, needed: secrets !== undefined || productionRules };
  }

  /**
   * However many come, and from anywhere: it is stored that this payment needs a status check, and the check is made.
   */
  private async takeMatched(
    payment: PaymentRecord,
    arrived: Arrived,
    access: NotificationAccess,
  ): Promise<void> {
    const whole = access === 'authenticated' || this.matchedOf.check(arrived.address).allowed;
    const named = { paymentId: payment.id, reference: payment.gatewayReference };
    // All of a payment's notifications without content share one row, so that they displace no others.
    const digest = this.digest(whole ? contentOf(arrived) : `beyond\n${payment.id}`);
    await this.writer.write({
      ...this.record(),
      ...named,
      status: 'received',
      digest,
    });
    await this.keepValues(payment, notificationKept(this.profile.notification, arrived.body));
    this.handover.take(payment.id, digest, notificationClaim(this.profile, arrived.body) ?? 'unreadable');
  }

  /**
   * Commits the values that the profile takes from notifications for later calls, before the notification is answered. They move nothing by
   * themselves, and where money is real only authenticated notifications are taken at all. Of several with one name the newest counts.
   */
  private async keepValues(
    { id: paymentId, reference, sessionId }: PaymentRecord,
    kept: KeptValues,
  ): Promise<void> {
    if (Object.keys(kept).length === 0) return;
    await this.store.writer.write({ reference, sessionId, paymentId }, ({ payment }) => {
      const isNews = payment && Object.entries(kept).some(([name, text]) => payment.kept?.[name] !== text);
      if (!isNews) return { changes: {}, result: undefined };
      const changed = { ...payment, kept: { ...payment.kept, ...kept }, version: payment.version + 1 };
      return { changes: { payment: changed }, result: undefined };
    });
  }

  /** It names no payment that is known here: it is counted, and kept for a while. */
  private async takeUnmatched(arrived: Arrived, access: NotificationAccess): Promise<void> {
    if (access === 'anonymous' && !this.unmatchedOf.check(arrived.address).allowed) {
      return;
    }
    await this.writer.write({
      ...this.record(),
      paymentId: null,
      reference: null,
      status: 'unmatched',
      digest: this.digest(contentOf(arrived)),
    });
  }

  /** Of a notification, the fact that it came is kept, and none of its content. */
  private record(): Pick<
    NotificationRecord,
    'id' | 'receivedAt' | 'mediaType' | 'body' | 'repeats' | 'processedAt'
  > {
    // The newest are kept. One that comes after the clock was set back must not count as older.
    this.lastReceivedAt = Math.max(this.lastReceivedAt, this.store.clock.now());
    return {
      id: newId('ntf'),
      receivedAt: this.lastReceivedAt,
      mediaType: '',
      body: '',
      repeats: 0,
      processedAt: null,
    };
  }

  /** Keyed, because contents could be guessed from a plain hash. */
  private digest(content: string): string {
    const [signing = ''] = this.config.keys.secretKeys.unwrap();
    return keyedHash(signing, 'fingerprint', `notification\n${content}`);
  }
}

function contentOf({ body }: Arrived): string {
  return Buffer.from(body).toString('latin1');
}
