import type { Fact } from '../gateway/fact.js';
import type { DeclineRow } from '../store/store.js';
import type { Details } from './asks.js';
import type { Payment } from './core/payment.js';

/** What the engine and whoever asks need to know of everything else. */
export interface Surroundings {
  gatewayTimeoutMs: number;
  /** Status queries of the background; 0: no limit. */
  queriesPerSecond: number;
  /** What a declined card counts as. */
  declines(payment: Payment, fact: Fact, details: Details): DeclineRow[];
  /** An error that stopped one round of the checker; the next one comes anyway. */
  failed(error: unknown): void;
}
