import type { CardBrand } from './card-brands.js';
import { svg } from './dom.js';

/** Plain marks of our own. They hint at a brand by colour and letters, and copy nobody's logo. */
const MARKS: Record<Exclude<CardBrand['id'], 'other'>, { color: string; letters: string }> = {
  visa: { color: '#1a3a8f', letters: 'VISA' },
  mastercard: { color: '#8c1d18', letters: 'MC' },
  verve: { color: '#00425f', letters: 'Verve' },
  amex: { color: '#006a9e', letters: 'AMEX' },
  discover: { color: '#9a4a00', letters: 'DISC' },
  unionpay: { color: '#00605c', letters: 'UP' },
};

/** A small card in the brand's colour with its letters. */
export function brandMark(id: Exclude<CardBrand['id'], 'other'>): SVGElement {
  const { color, letters } = MARKS[id];
  return svg(
    'svg',
    { viewBox: '0 0 44 28', class: 'mark', 'aria-hidden': 'true', focusable: 'false' },
    svg('rect', { width: 44, height: 28, rx: 5, fill: color }),
    svg('path', { d: 'M0 21h44v2.5H0z', fill: '#ffffff', 'fill-opacity': 0.35 }),
    svg(
      'text',
      {
        x: 22,
        y: 16.5,
        fill: '#ffffff',
        'font-size': letters.length > 4 ? 11 : 12,
        'font-weight': 700,
        'text-anchor': 'middle',
      },
      letters,
    ),
  );
}
