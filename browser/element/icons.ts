import type { PaymentMethod } from '../kit/types.js';
import { svg } from './dom.js';

const PATHS: Record<PaymentMethod, string> = {
  card: 'M3 7.5A2.5 2.5 0 0 1 5.5 5h13A2.5 2.5 0 0 1 21 7.5v9a2.5 2.5 0 0 1-2.5 2.5h-13A2.5 2.5 0 0 1 3 16.5zM3 10h18M6.5 15h4',
  wallet:
    'M4 8.5V17a2.5 2.5 0 0 0 2.5 2.5h11A2.5 2.5 0 0 0 20 17v-6a2.5 2.5 0 0 0-2.5-2.5H5.5a1.75 1.75 0 0 1 0-3.5H17v3.5M16 14h.01',
  transfer: 'M4 9.5 12 5l8 4.5zM5 19h14M6.5 16v-4M10.2 16v-4M13.8 16v-4M17.5 16v-4',
  ussd: 'M8 3.5h8A1.5 1.5 0 0 1 17.5 5v14a1.5 1.5 0 0 1-1.5 1.5H8A1.5 1.5 0 0 1 6.5 19V5A1.5 1.5 0 0 1 8 3.5zM11 17.5h2M10 8v3M14 8v3M9.5 8.7h5M9.5 10.4h5',
};

const LOCK =
  'M7 11V8a5 5 0 0 1 10 0v3M6.5 11h11A1.5 1.5 0 0 1 19 12.5v6a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 5 18.5v-6A1.5 1.5 0 0 1 6.5 11z';

const OUTCOMES = {
  good: 'M20 12a8 8 0 1 1-16 0 8 8 0 0 1 16 0zM8.5 12.3l2.4 2.4 4.6-5',
  bad: 'M20 12a8 8 0 1 1-16 0 8 8 0 0 1 16 0zM12 8v4.5M12 15.5h.01',
  neutral: 'M20 12a8 8 0 1 1-16 0 8 8 0 0 1 16 0zM8.5 12h7',
} as const;

export type OutcomeIcon = keyof typeof OUTCOMES;

function icon(path: string): SVGElement {
  return svg(
    'svg',
    { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true', focusable: 'false' },
    svg('path', { d: path }),
  );
}

export function methodIcon(method: PaymentMethod): SVGElement {
  return icon(PATHS[method]);
}

export function cardIcon(): SVGElement {
  return icon(PATHS.card);
}

export function lockIcon(): SVGElement {
  return icon(LOCK);
}

export function outcomeIcon(kind: OutcomeIcon): SVGElement {
  return icon(OUTCOMES[kind]);
}
