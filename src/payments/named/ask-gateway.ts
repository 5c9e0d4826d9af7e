import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { Gateway } from '../../gateway/gateway.js';
import type { StatusInput } from '../../gateway/gateway-input.js';
import type { GatewayResult } from '../../gateway/gateway-result.js';
import { methodOf } from '../../methods/methods.js';
import {
  questionResult,
  QuestionSchedule,
  STATUS_QUERIES,
  type StatusQuery,
} from '../schedule/question-schedule.js';
import type { Waits } from '../schedule/question-rate.js';

/** Pauses before the further tries, where no answer came. */
const TRY_AGAIN_AFTER_MS = [300, 1_000];
const LOOK_FOR_ROOM_EVERY_MS = 50;

/** Asks the gateway about payments that the store does not have, within the rate of its questions. */
@Injectable()
export class AskGateway {
  /** Every status query by which a payment of a method that is offered can be asked about. */
  readonly queries: readonly StatusQuery[];

  constructor(
    private readonly gateway: Gateway,
    private readonly schedule: QuestionSchedule,
    @Inject(CONFIG) { payments }: Config,
  ) {
    const used = new Set(payments.methods.map((name) => methodOf(name).statusQuery));
    this.queries = STATUS_QUERIES.filter((query) => used.has(query) && gateway.supports(query));
  }

  /**
   * The gateway's answer, or what came in its place after a few tries. Undefined where the budget allows no further question; one that
   * was sent is heard, however late.
   */
  async ask(
    query: StatusQuery,
    input: StatusInput,
    budget?: QuestionBudget,
  ): Promise<GatewayResult | undefined> {
    for (const again of TRY_AGAIN_AFTER_MS) {
      const result = await this.askOnce(query, input, budget);
      if (!result || result.kind === 'answered' || result.kind === 'rejected') return result;
      if (budget && performance.now() + again >= budget.deadline) return result;
      await pause(again);
    }
    return this.askOnce(query, input, budget);
  }

  private async askOnce(
    query: StatusQuery,
    input: StatusInput,
    budget: QuestionBudget | undefined,
  ): Promise<GatewayResult | undefined> {
    if (budget) {
      if (budget.questions <= 0) return undefined;
      budget.questions -= 1;
    }
    const left = (): number => (budget ? budget.deadline - performance.now() : Infinity);
    while (!this.schedule.rate.take(performance.now(), budget?.waits ?? 'waited')) {
      if (left() <= 0) return undefined;
      await pause(LOOK_FOR_ROOM_EVERY_MS);
    }
    const result = await this.gateway[query](input);
    this.schedule.result(query, questionResult(result), performance.now(), input.clientRef);
    return result;
  }
}

/** How much may be asked. */
export interface QuestionBudget {
  /** How many questions are left. */
  questions: number;
  /** Until when they may be sent, by `performance.now()`. */
  readonly deadline: number;
  /** Whose bound they count towards. */
  waits: Waits;
}

/** What is done within so many milliseconds; undefined where it is not. It goes on unheard. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  const late = new AbortController();
  const { signal } = late;
  const timer = pause(milliseconds, undefined, { signal }).catch(() => undefined);
  try {
    return await Promise.race([work, timer]);
  } finally {
    late.abort();
  }
}
