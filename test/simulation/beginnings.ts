import type { Ending } from '../core/true-gateway.js';
import type { Act } from './people.js';

/** Orders whose beginning found a fault once. Steps follow each other; `meanwhile` does not wait for its end. */
export interface Beginning {
  steps: readonly Step[];
  lean?: boolean;
  sessionMs?: number;
  duplicatePolicy?: 'announce' | 'void';
  /** How it must end: statuses by N, and reasons of attention. */
  ends: Readonly<Record<number, string>>;
}

type Step =
  | Act
  | { meanwhile: Act }
  | { ending: Ending }
  | { gateway: string; n: number }
  | { wait: number }
  | { lose: number };

export const BEGINNINGS: Readonly<Record<string, Beginning>> = {};
