import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Gateway } from '../../gateway/gateway.js';
import type { StatusInput } from '../../gateway/gateway-input.js';
import type { GatewayResult } from '../../gateway/gateway-result.js';
import { QuestionSchedule } from '../../payments/schedule/question-schedule.js';

/** Pauses before the further tries, where no answer came. */
const TRY_AGAIN_AFTER_MS = [300, 1_000];
const LOOK_FOR_ROOM_EVERY_MS = 50;

/** Asks the gateway about payments that the store does not have, within the rate of those that somebody waits for. */
@Injectable()
export class AskGateway {
  constructor(
    private readonly gateway: Gateway,
    private readonly schedule: QuestionSchedule,
  ) {}

  /** The gateway's answer, or what came in its place after a few tries. */
  async ask(input: StatusInput): Promise<GatewayResult> {
    for (const again of TRY_AGAIN_AFTER_MS) {
      const result = await this.askOnce(input);
      if (result.kind === 'answered' || result.kind === 'rejected') return result;
      await pause(again);
    }
    return this.askOnce(input);
  }

  private async askOnce(input: StatusInput): Promise<GatewayResult> {
    while (!this.schedule.rate.take(performance.now(), 'waited')) await pause(LOOK_FOR_ROOM_EVERY_MS);
    return this.gateway.transactionStatus(input);
  }
}
