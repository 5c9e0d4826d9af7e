import type { Order } from '../chaos/preload/orders.ts';
import type { GatewayMove } from './gateway-moves.ts';
import type { LaterTruth, Manner, OtpTruth, PayTruth, Question, VoidTruth } from './gateway-plans.ts';
import type { Method } from './money-ledger.ts';

/** What a report of the gateway gets wrong. `true`: what its books say. Otherwise one row says what is not so. */
export const REPORT_TRUTHS = [
  'true',
  'other-amount',
  'other-currency',
  'never-paid',
  'refund-too-many',
] as const;
export type ReportTruth = (typeof REPORT_TRUTHS)[number];

/** What anybody may do next. `on` counts payments from the newest, `at` says which replica is called. */
export type Action =
  | { do: 'open' | 'close' | 'again'; at: number }
  | { do: 'pay'; at: number; method: Method; truth: PayTruth; manner: Manner }
  | { do: 'otp'; at: number; on: number; truth: OtpTruth; manner: Manner }
  | { do: 'complete' | 'refund'; at: number; on: number; part: boolean; truth: LaterTruth; manner: Manner }
  | { do: 'void'; at: number; on: number; truth: VoidTruth; manner: Manner }
  | { do: 'cancel' | 'refresh' | 'return' | 'resolve' | 'hasty'; at: number; on: number }
  | { do: 'notify'; at: number; on: number; word: string; about: 'own' | 'other' | 'nothing' };

export type Step =
  | { step: 'one'; action: Action }
  /** Two at once. */
  | { step: 'both'; actions: [Action, Action] }
  | { step: 'gateway'; move: GatewayMove; on: number }
  /** What the next status queries meet. */
  | { step: 'questions'; questions: Question[] }
  /** Answers that were held back come now. */
  | { step: 'release' }
  | { step: 'kill'; at: number }
  /** Until no operation of the order is open, but not for long. */
  | { step: 'patience' }
  /** A copy of the embedded store is made; the store is lost, and what the copy does not have is accepted as lost. */
  | { step: 'copy' | 'restore' }
  /** The gateway's report of the order, true or not, is uploaded, and what is not known here taken over. */
  | { step: 'report'; at: number; row: ReportTruth; adopt: boolean }
  /** A process will end itself at a boundary. */
  | { step: 'doom'; at: number; order: Order }
  | { step: 'clock'; at: number; milliseconds: number }
  | { step: 'wait'; milliseconds: number };
