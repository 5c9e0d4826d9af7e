import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Problem } from '../../http/problems/problem.js';
import type { QuestionPlace } from '../schedule/question-rate.js';
import { QuestionSchedule } from '../schedule/question-schedule.js';
import { Inquiry, type Asked } from './inquiry.js';

const MINUTE_MS = 60_000;

/**
 * When questions were asked about each payment in the last minute, as a window that slides. Pure but for its own state: the time is
 * given, as a reading of one monotonic clock.
 */
export class QuestionCounts {
  /** The payments that were asked about longest ago first. */
  readonly #asked = new Map<string, number[]>();

  /** @param most questions about one payment in any minute. */
  constructor(private readonly most: number) {}

  /** How many milliseconds until one more may be asked about this payment; 0 where that is now. */
  wait(paymentId: string, now: number): number {
    const recent = this.#recent(paymentId, now);
    const freeing = recent.at(-this.most);
    return freeing === undefined ? 0 : freeing + MINUTE_MS - now;
  }

  /** One is asked. */
  count(paymentId: string, now: number): void {
    const asked = [...this.#recent(paymentId, now), now];
    this.#asked.delete(paymentId);
    this.#asked.set(paymentId, asked);
    for (const [other, times] of this.#asked) {
      if ((times.at(-1) ?? now) > now - MINUTE_MS) break;
      this.#asked.delete(other);
    }
  }

  #recent(paymentId: string, now: number): number[] {
    return (this.#asked.get(paymentId) ?? []).filter((at) => at > now - MINUTE_MS);
  }
}

/** How many questions a payer may cause about one payment in a minute. */
const MOST_A_MINUTE = 12;
/** An answer that is younger is shared. */
const FRESH_MS = 1_000;
/** How many payments' latest answers are remembered. */
const MAX_REMEMBERED = 10_000;
/** How long a merchant's call waits for its turn where the rate is used up. */
const LONGEST_WAIT_FOR_ROOM_MS = 5_000;
const LOOK_FOR_ROOM_EVERY_MS = 50;

/**
 * The questions that somebody waits for, within their bounds: how often a payer may cause one, and how many the gateway takes. Beyond
 * them, and while the gateway has asked for a pause, the stored state answers a payer who comes back; a cancellation is never
 * decided without asking.
 */
@Injectable()
export class PayerQuestions {
  private readonly ofPayers = new QuestionCounts(MOST_A_MINUTE);
  /** Separate, so that no payer can use up what the merchant may cancel. */
  private readonly ofMerchants = new QuestionCounts(MOST_A_MINUTE);
  /** When each payment's latest answer to a payer's return came, the oldest first, by `performance.now()`. */
  private readonly answeredAt = new Map<string, number>();

  constructor(
    private readonly inquiry: Inquiry,
    private readonly schedule: QuestionSchedule,
  ) {}

  /**
   * Asks because the payer has come back. The backoff begins anew. Undefined where the stored state is the answer: it is younger than
   * a second, or too much was asked.
   */
  async askForPayer(paymentId: string): Promise<Asked | undefined> {
    if (this.inquiry.hasNext(paymentId)) return this.inquiry.ask(paymentId, { restart: true });
    const now = performance.now();
    if (now - (this.answeredAt.get(paymentId) ?? -Infinity) < FRESH_MS) return undefined;
    if (this.ofPayers.wait(paymentId, now) > 0) return undefined;
    const place = this.schedule.rate.place(now);
    if (!place) return undefined;
    this.ofPayers.count(paymentId, now);
    return this.askWith(place, paymentId, true).finally(() => {
      this.remember(paymentId);
    });
  }

  /**
   * Asks because a merchant wants to know, also while the gateway has asked for a pause. Waits for a place in the rate; undefined
   * where there is none for seconds.
   */
  async askForMerchant(paymentId: string): Promise<Asked | undefined> {
    const deadline = performance.now() + LONGEST_WAIT_FOR_ROOM_MS;
    for (;;) {
      if (this.inquiry.hasNext(paymentId)) return this.inquiry.ask(paymentId);
      const now = performance.now();
      const place = this.schedule.rate.place(now, { anyhow: true });
      if (place) return this.askWith(place, paymentId, false);
      if (now >= deadline) return undefined;
      await pause(LOOK_FOR_ROOM_EVERY_MS);
    }
  }

  /**
   * Begins the question of a cancellation: takes its place in the rate, and hands out what counts it once it is really to be asked.
   *
   * @param byPayer whether a payer cancels, and not the merchant.
   */
  cancellation(paymentId: string, byPayer: boolean): CancelQuestion {
    const counts = byPayer ? this.ofPayers : this.ofMerchants;
    const place = this.schedule.rate.place(performance.now(), { anyhow: true });
    return {
      place,
      assertMayAsk: () => {
        const wait = counts.wait(paymentId, performance.now());
        if (place && wait <= 0) return;
        throw new Problem('rate-limited', 'The gateway was asked too often. Try again later.', {
          retryAfterSeconds: Math.max(1, wait / 1000),
          paymentId,
        });
      },
      asking: () => {
        counts.count(paymentId, performance.now());
      },
    };
  }

  private async askWith(place: QuestionPlace, paymentId: string, restart: boolean): Promise<Asked> {
    try {
      return await this.inquiry.ask(paymentId, { restart, place });
    } finally {
      place.release();
    }
  }

  private remember(paymentId: string): void {
    this.answeredAt.delete(paymentId);
    this.answeredAt.set(paymentId, performance.now());
    if (this.answeredAt.size <= MAX_REMEMBERED) return;
    for (const oldest of this.answeredAt.keys()) {
      this.answeredAt.delete(oldest);
      break;
    }
  }
}

/** The question of one cancellation. */
export interface CancelQuestion {
  place: QuestionPlace | undefined;
  /** Throws `rate-limited` where it may not be asked now. */
  assertMayAsk(): void;
  /** It is asked now. */
  asking(): void;
}
