import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import type { GatewayResult } from '../gateway/gateway-result.js';
import type { PaymentRecord, SessionRecord } from '../store/schema.js';
import type { Changes, Snapshot } from '../store/write-seam.js';
import { apply } from './apply.js';
import { withoutCardNumber } from './echoed-card.js';
import { cleanMessage } from './payer-message.js';
import { subjectOf } from './subject.js';
import type { Verdict } from './verdict.js';

/** Applies verdicts with what the configuration says of events, limits and mode. */
@Injectable()
export class Applier {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** The rows that a verdict makes of a snapshot. With `lease`, that holding is given back by the same write. */
  changes(
    snapshot: Snapshot,
    verdict: Verdict,
    lease?: { owner: string; fence: number },
  ): Changes & { payment: PaymentRecord } {
    return apply(subjectOf(snapshot), verdict, {
      now: Date.now(),
      livemode: this.config.gateway.mode === 'live',
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

  /**
   * A result whose words a payer may read: nothing that the payer sent, or that the session knows of the payer, is in them,
   * and no card number is in anything else.
   */
  clean(result: GatewayResult, session: SessionRecord, sent: readonly string[] = []): GatewayResult {
    const values = [...sent, ...Object.values({ ...session.payer, ...session.billing }).filter(isText)];
    if (result.kind === 'rejected') {
      return {
        ...result,
        message: cleanMessage(result.message, values),
        code: cleanMessage(result.code, values),
      };
    }
    if (result.kind !== 'answered') return result;
    const { answer } = result;
    return {
      kind: 'answered',
      answer: {
        ...withoutCardNumber(answer, sent),
        message: cleanMessage(answer.message, values),
        code: cleanMessage(answer.code, values),
        otpMessage: cleanMessage(answer.otpMessage, values),
      },
    };
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
