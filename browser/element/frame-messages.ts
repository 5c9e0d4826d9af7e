import type { Payment, RedirectAction } from '../kit/types.js';

/** What the shop's page hands to the frame, once, with a port on which the frame answers. */
export interface FrameStart {
  tillfront: 'start';
  clientToken: string;
  returnToken: string | null;
  payment: string | null;
  /** Language tags in order. */
  locale: string;
  returnLink: boolean;
  /** Whether the payer may choose the language. Missing from former versions of the kit. */
  languageChoice?: boolean;
  /** The shop's `--tillfront-…` properties, by the rest of their names, and `color-scheme`. */
  look: Record<string, string>;
}

/** What the frame tells the shop's page. Nothing of a card is ever in it. */
export type FrameNews =
  | { type: 'started' }
  | { type: 'height'; height: number }
  | { type: 'view'; view: string }
  | { type: 'result'; payment: Payment }
  | { type: 'redirect'; action: RedirectAction };

/** The properties by which a page colours the element. */
export const LOOKS = [
  ...['accent', 'on-accent', 'text', 'muted', 'surface', 'raised', 'border', 'line'],
  ...['error', 'good', 'notice', 'on-notice', 'radius', 'font'],
];

/** The start, if the data is one. It comes from the shop's page, whose scripts may be anybody's. */
export function frameStartIn(data: unknown): FrameStart | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const start = data as Partial<Record<keyof FrameStart, unknown>>;
  const isWhole =
    start.tillfront === 'start' &&
    typeof start.clientToken === 'string' &&
    isTextOrNull(start.returnToken) &&
    isTextOrNull(start.payment) &&
    typeof start.locale === 'string' &&
    typeof start.returnLink === 'boolean' &&
    ['boolean', 'undefined'].includes(typeof start.languageChoice) &&
    typeof start.look === 'object' &&
    start.look !== null &&
    Object.values(start.look).every((value) => typeof value === 'string');
  return isWhole ? (data as FrameStart) : undefined;
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}
