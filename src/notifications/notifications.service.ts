import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { PROFILE } from '../gateway/gateway.module.js';
import { notificationReference } from '../gateway/notification-profile.js';
import type { Profile } from '../gateway/profile-format.js';
import { Problem } from '../http/problem.js';
import { PaymentsRepository } from '../payments/payments.repository.js';
import { keyedHash } from '../secrets/keyed-hash.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { newId } from '../store/ids.js';
import type { PaymentRecord } from '../store/schema.js';
import { scrubDocument } from '../telemetry/scrub.js';
import { Metrics } from '../telemetry/metrics.js';
import { mayNotify, type PresentedNotification } from './notification-access.js';
import { NotificationsRepository } from './notifications.repository.js';
import { NotificationsWorker } from './notifications.worker.js';

/** Against floods: so many that name nothing of ours are kept, and so many about one payment. */
const MAX_UNMATCHED = 10_000;
const MAX_PER_PAYMENT = 500;
const MAX_MEDIA_TYPE = 100;

/** Takes notifications in: stored first, then answered, then the gateway is asked. Their own claim moves nothing. */
@Injectable()
export class NotificationsService {
  constructor(
    private readonly repository: NotificationsRepository,
    private readonly payments: PaymentsRepository,
    private readonly sessions: SessionsRepository,
    private readonly worker: NotificationsWorker,
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  /** Throws `unauthorized` without the secret or signature, and `store-unavailable` where it cannot be kept. */
  async take(presented: PresentedNotification): Promise<void> {
    if (!mayNotify(this.profile.notification, this.config.notificationSecret?.current(), presented)) {
      this.metrics.notification('refused');
      throw new Problem('unauthorized', 'A notification must carry its secret or signature.');
    }
    // Before scrubbing, which may take a reference that looks like a card number.
    const reference = notificationReference(this.profile.notification, presented.body);
    const payment =
      reference === undefined ? undefined : await this.payments.findByGatewayReference(reference);
    await this.assertRoom(payment?.id);
    const now = Date.now();
    await this.repository.keep({
      id: newId('ntf'),
      receivedAt: now,
      digest: this.digest(presented.body),
      mediaType: (presented.headers['content-type'] ?? '').slice(0, MAX_MEDIA_TYPE),
      body: (await this.mayKeep(payment)) ? scrubbed(presented.body) : '',
      reference: payment ? payment.gatewayReference : null,
      paymentId: payment?.id ?? null,
      status: payment ? 'received' : 'unmatched',
      repeats: 0,
      processedAt: null,
    });
    this.metrics.notification(payment ? 'received' : 'unmatched');
    if (payment) this.worker.follow(payment.id);
  }

  /** What a notification says of a payer is not kept where the payer's data has been erased. */
  private async mayKeep(payment: PaymentRecord | undefined): Promise<boolean> {
    const session = payment && (await this.sessions.find(payment.sessionId));
    return session?.redactedAt == null;
  }

  private async assertRoom(paymentId: string | undefined): Promise<void> {
    const kept =
      paymentId === undefined
        ? await this.repository.countUnmatched()
        : await this.repository.countOf(paymentId);
    if (kept < (paymentId === undefined ? MAX_UNMATCHED : MAX_PER_PAYMENT)) return;
    this.metrics.notification('capped');
    throw new Problem('store-unavailable', 'No more notifications can be kept now. Send it again later.', {
      retryAfterSeconds: 60,
    });
  }

  /** Keyed, because a notification may hold what must not be guessed from a hash. */
  private digest(body: Uint8Array): string {
    const [signing = ''] = this.config.keys.secretKeys.current();
    return keyedHash(signing, 'fingerprint', `notification\n${Buffer.from(body).toString('latin1')}`);
  }
}

/** The content without card-like digits and secrets, as text that both stores take. */
function scrubbed(body: Uint8Array): string {
  return scrubDocument(Buffer.from(body).toString('utf8')).replaceAll('\0', '');
}
