import { encode } from 'uqr';
import { svg } from '../element/dom.js';

/** White squares around a code, which readers need to find it. */
const BORDER = 4;

/** An address as a QR code, drawn with attributes alone: the page’s policy allows no inline styles. */
export function qrCode(address: string): SVGElement {
  const { data, size } = encode(address, { ecc: 'M', border: BORDER });
  const squares = data.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).filter((square) => square !== ''),
  );
  return svg(
    'svg',
    {
      class: 'qr',
      viewBox: `0 0 ${size} ${size}`,
      role: 'img',
      'aria-label': 'The address as a QR code',
      'shape-rendering': 'crispEdges',
    },
    svg('rect', { width: size, height: size, fill: '#ffffff' }),
    svg('path', { d: squares.join(''), fill: '#000000' }),
  );
}
