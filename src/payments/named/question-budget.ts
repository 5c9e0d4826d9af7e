import { setTimeout as pause } from 'node:timers/promises';
import type { Waits } from '../schedule/question-rate.js';

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
