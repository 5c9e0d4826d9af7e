import type { Appearance, Payment, RedirectAction } from '../kit/types.js';

/** What the shop's page hands to the frame, once, with a port on which the frame answers. */
export interface FrameStart {
  tillfront: 'start';
  clientToken: string;
  /** Id of the payment that the payer comes back from. */
  payment: string | null;
  appearance: Appearance;
  /** The computed `color-scheme` of the element. */
  colorScheme: string;
}

/** What the frame tells the shop's page. Nothing of a card is ever in it. */
export type FrameNews =
  | { type: 'started'; title: string }
  | { type: 'height'; height: number }
  | { type: 'result'; payment: Payment }
  | { type: 'redirect'; action: RedirectAction };

/** What the shop's page tells the frame later: the payer could not be sent away from the whole page. */
export interface FrameStuck {
  type: 'stuck';
}

/** The start, if the data is one. It comes from the shop's page, whose scripts may be anybody's. */
export function frameStartIn(data: unknown): FrameStart | undefined {
  if (!isObject(data) || data['tillfront'] !== 'start') return undefined;
  const { clientToken, payment, appearance, colorScheme } = data;
  const isWhole =
    typeof clientToken === 'string' &&
    (payment === null || typeof payment === 'string') &&
    isObject(appearance) &&
    Object.values(appearance).every((value) => ['string', 'boolean'].includes(typeof value)) &&
    typeof colorScheme === 'string';
  return isWhole ? (data as unknown as FrameStart) : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
