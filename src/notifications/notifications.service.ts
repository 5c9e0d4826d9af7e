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
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { newId } from '../store/ids.js';
import type { NotificationRecord, PaymentRecord, SessionRecord } from '../store/schema.js';
import { Store } from '../store/store.js';
import { Metrics } from '../telemetry/metrics.js';
import { scrubDocument } from '../telemetry/scrub.js';
import {
  contentLimits,
  MATCHED_PER_MINUTE,
  UNMATCHED_CONTENT_BYTES,
  UNMATCHED_PER_MINUTE,
} from './inbox-limits.js';
import { InboxWriter } from './inbox-writer.js';
import { NotificationHandover } from './notification-handover.js';
import { accessOf, type NotificationAccess, type PresentedNotification } from './notification-access.js';
import type { KeptValues } from '../gateway/gateway-input.js';

const MAX_MEDIA_TYPE = 100;

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
    private readonly sessions: SessionsRepository,
    private readonly handover: NotificationHandover,
    private readonly metrics: Metrics,
    private readonly store: Store,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  /** Throws `unauthorized` without the secret or signature, and `store-unavailable` where the store is down. */
  async take(arrived: Arrived): Promise<void> {
    const access = accessOf(this.profile.notification, this.key(), arrived);
    if (access === 'refused') {
      this.metrics.notifications.inc({ result: 'refused' });
      throw new Problem('unauthorized', 'A notification must carry its secret or signature.');
    }
    // Read before scrubbing, which may remove a reference that looks like a card number.
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
    const { notificationSecret, productionRules } = this.config;
    return {
      secret: notificationSecret?.current(),
      needed: notificationSecret !== undefined || productionRules,
    };
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
    const session = await this.sessions.find(payment.sessionId);
    const keep = whole && !isErased(session);
    const named = { paymentId: payment.id, reference: payment.gatewayReference };
    const { each } = contentLimits(access === 'authenticated');
    // All of a payment's notifications without content share one row, so that they displace no others.
    const digest = this.digest(whole ? contentOf(arrived) : `beyond\n${payment.id}`);
    await this.writer.write({
      ...this.record(arrived),
      ...named,
      status: 'received',
      body: keep ? keptContent(arrived.body, each) : '',
      digest,
    });
    await this.keepValues(payment, notificationKept(this.profile.notification, arrived.body));
    this.metrics.notifications.inc({ result: 'received' });
    this.handover.take(payment.id, digest, notificationClaim(this.profile, arrived.body) ?? 'unreadable');
    if (keep) await this.eraseWhatCameTooLate(payment.sessionId);
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
      this.metrics.notifications.inc({ result: 'capped' });
      return;
    }
    await this.writer.write({
      ...this.record(arrived),
      paymentId: null,
      reference: null,
      status: 'unmatched',
      body: keptContent(arrived.body, UNMATCHED_CONTENT_BYTES),
      digest: this.digest(contentOf(arrived)),
    });
    this.metrics.notifications.inc({ result: 'unmatched' });
  }

  private record({
    headers,
  }: Arrived): Pick<NotificationRecord, 'id' | 'receivedAt' | 'mediaType' | 'repeats' | 'processedAt'> {
    // The newest are kept. One that comes after the clock was set back must not count as older.
    this.lastReceivedAt = Math.max(this.lastReceivedAt, this.store.clock.now());
    return {
      id: newId('ntf'),
      receivedAt: this.lastReceivedAt,
      mediaType: scrubDocument(headers['content-type'] ?? '').slice(0, MAX_MEDIA_TYPE),
      repeats: 0,
      processedAt: null,
    };
  }

  /** Erases the content again where the payer's data was erased while the notification was written. */
  private async eraseWhatCameTooLate(sessionId: string): Promise<void> {
    const session = await this.sessions.find(sessionId);
    if (session && isErased(session)) await this.sessions.eraseNotifications(session);
  }

  /** Keyed, because contents could be guessed from a plain hash. */
  private digest(content: string): string {
    const [signing = ''] = this.config.keys.secretKeys.current();
    return keyedHash(signing, 'fingerprint', `notification\n${content}`);
  }
}

function contentOf({ body }: Arrived): string {
  return Buffer.from(body).toString('latin1');
}

function isErased(session: SessionRecord | undefined): boolean {
  return session !== undefined && session.redactedAt !== null;
}

/** The byte of UTF-8 that goes on with a character that has begun before it. */
const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/**
 * The part of a notification that is stored: without card-like digits and secrets, as text that both stores accept, cut
 * to `limit` bytes. It is cut after the scrubbing, which would not recognize half a card number.
 */
export function keptContent(body: Uint8Array, limit: number): string {
  // Without NUL first, which may stand between the digits of a card number.
  const text = scrubDocument(Buffer.from(body).toString('utf8').replaceAll('\0', ''));
  return firstBytes(text, limit);
}

/** The longest beginning of a text that fits into `limit` bytes of UTF-8 without cutting a character. */
export function firstBytes(text: string, limit: number): string {
  // No UTF-16 unit takes more than three bytes.
  if (text.length * 3 <= limit) return text;
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= limit) return text;
  let end = limit;
  while (end > 0 && isContinuation(bytes[end])) end--;
  return bytes.toString('utf8', 0, end);
}
