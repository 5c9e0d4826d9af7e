import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { Gateway } from '../../gateway/gateway.js';
import type { GatewayResult } from '../../gateway/gateway-result.js';
import type { SessionRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import type { Snapshot } from '../../store/payment-writer.js';
import { apply, type Applied, type PaymentSnapshot } from './apply.js';
import { EchoFinder, NOTHING_SENT, withoutEchoes, type Sent } from '../interpret/echoed.js';
import { cleanMessage } from '../interpret/payer-message.js';
import type { StatusInquiry } from '../interpret/status-answer.js';
import type { PaymentUpdate } from '../state/payment-update.js';
import { NotInStore } from '../../store/not-in-store.js';
import { withSeenTime, type AnswerTimes } from '../state/seen-time.js';

/** Applies updates with what the configuration says of events, limits and mode. */
@Injectable()
export class Applier {
  constructor(
    private readonly store: Store,
    private readonly gateway: Gateway,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The rows that an update changes. With `lease`, the same write gives that lease back. */
  changes(snapshot: Snapshot, update: PaymentUpdate, lease?: { owner: string; fence: number }): Applied {
    return apply(paymentSnapshot(snapshot), update, {
      now: this.store.clock.now(),
      livemode: this.config.gateway.mode === 'live',
      epoch: this.store.epoch.number,
      deliver: this.config.merchant.webhookUrl !== undefined,
      maxDeclines: this.config.payments.maxDeclinesPerSession,
      random: Math.random,
      rules: {
        voidDuplicates: this.config.payments.duplicatePolicy === 'void',
        graceMs: this.config.gateway.notFoundGraceSeconds * 1000,
      },
      ...(lease && { lease }),
    });
  }

  /** What the answer to a status query is read against, as the payment now stands. */
  inquiry(snapshot: Snapshot): StatusInquiry {
    const rows = paymentSnapshot(snapshot);
    return {
      ...rows,
      openOperations: rows.openOperations.filter((operation) => operation.status === 'unknown'),
      mode: this.config.gateway.mode,
      now: this.store.clock.now(),
      graceMs: this.config.gateway.notFoundGraceSeconds * 1000,
      asksRefunds: this.gateway.supports('refundStatus'),
    };
  }

  /**
   * The result as it may be stored and shown to a payer. Its messages keep nothing that the payer sent and nothing that
   * the session knows of the payer. Its other fields keep none of the payer's secrets.
   */
  clean(result: GatewayResult, session: SessionRecord, sent: Sent = NOTHING_SENT): GatewayResult {
    const values = [...sent.words, ...Object.values({ ...session.payer, ...session.billing }).filter(isText)];
    const echoes = new EchoFinder(sent.secrets);
    const words = (text: string | undefined): string | undefined => cleanMessage(text, values, echoes);
    if (result.kind === 'rejected') {
      return { ...result, message: words(result.message), code: words(result.code) };
    }
    if (result.kind === 'unknown' && result.said) {
      const { word, ...named } = result.said;
      const asAnswer = { meaning: 'undecided', amountRequired: false, ...named, unlisted: word } as const;
      const kept = withoutEchoes(asAnswer, echoes, session.reference);
      const { reference, currency } = kept;
      return { ...result, said: { ...named, reference, currency, word: words(kept.unlisted) ?? '' } };
    }
    if (result.kind !== 'answered') return result;
    const { answer } = result;
    const kept = withoutEchoes(answer, echoes, session.reference);
    return {
      kind: 'answered',
      answer: {
        ...kept,
        unlisted: words(kept.unlisted),
        message: words(answer.message),
        code: words(answer.code),
        otpMessage: words(answer.otpMessage),
      },
    };
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** The rows that a payment's write looks at. They were asked for by id, and rows are never deleted, so they exist. */
export function paymentSnapshot(snapshot: Snapshot): PaymentSnapshot {
  const { reference, session, payment, openOperations, settledRefunds, paidBeside, liveBeside } = snapshot;
  if (!session || !payment) throw new NotInStore('A payment or its session');
  return {
    reference,
    session,
    payment,
    openOperations,
    ...(settledRefunds && { settledRefunds }),
    paidBeside,
    liveBeside,
  };
}

/** The snapshot with the time in its payment that was seen to pass until it was heard of. */
export function withSeenPayment(snapshot: Snapshot, heard: AnswerTimes, now: number): Snapshot {
  return snapshot.payment ? { ...snapshot, payment: withSeenTime(snapshot.payment, heard, now) } : snapshot;
}

/** The same at the end of an operation's call, from which its grace is counted. */
export function withEndedCall(
  snapshot: Snapshot,
  operationId: string,
  heard: AnswerTimes,
  now: number,
): Snapshot {
  const seen = withSeenPayment(snapshot, heard, now);
  const seenFromMs = seen.payment?.seenMs ?? 0;
  return {
    ...seen,
    openOperations: seen.openOperations.map((operation) =>
      operation.id === operationId ? { ...operation, seenFromMs } : operation,
    ),
  };
}
