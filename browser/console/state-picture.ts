import { svg } from '../element/dom.js';
import type { PaymentStatus } from '../kit/types.js';
import type { TimelineEntry } from './api.js';
import { entryWords, statusWord, timeOnly } from './words.js';

interface Lane {
  name: string;
  statuses: readonly PaymentStatus[];
}

/** The height of each status: success is high, failure is low. */
const LANES: readonly Lane[] = [
  { name: 'Paid', statuses: ['succeeded'] },
  { name: 'Held', statuses: ['authorized'] },
  { name: 'Payer', statuses: ['requires_action'] },
  { name: 'Gateway', statuses: ['processing'] },
  { name: 'Not paid', statuses: ['failed', 'canceled', 'expired'] },
  { name: 'Reversed', statuses: ['voided'] },
];

const LANE_HEIGHT = 44;
const LABEL_WIDTH = 84;
const STEP = 96;
const TOP = 26;

interface Point {
  entry: TimelineEntry;
  x: number;
  y: number;
  isMove: boolean;
}

/** A payment's timeline as a line that rises and falls between its statuses. Small dots are notes and operations. */
export function statePicture(entries: readonly TimelineEntry[]): SVGElement {
  const lanes = lanesOf(entries);
  const points = place(entries, lanes);
  const width = LABEL_WIDTH + STEP * Math.max(points.length, 3);
  const height = TOP + LANE_HEIGHT * lanes.length;
  const moves = points
    .filter(({ isMove }) => isMove)
    .map(({ entry }) => statusWord(entry.to as PaymentStatus));
  return svg(
    'svg',
    {
      class: 'picture',
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: 'img',
      'aria-label': `The payment's states in order: ${moves.join(', then ')}`,
    },
    ...lanes.flatMap(({ name }, lane) => [
      svg('line', { class: 'lane', x1: LABEL_WIDTH, x2: width, y1: laneY(lane), y2: laneY(lane) }),
      svg('text', { class: 'lane-name', x: 0, y: laneY(lane) + 4 }, name),
    ]),
    svg('path', { class: 'way', d: way(points) }),
    ...points.flatMap(dot),
  );
}

/** The statuses that the payment had, plus the one that it should reach. */
function lanesOf(entries: readonly TimelineEntry[]): readonly Lane[] {
  const seen = new Set<PaymentStatus>(['processing', 'succeeded']);
  for (const { to } of entries) if (to !== undefined) seen.add(to);
  return LANES.filter(({ statuses }) => statuses.some((status) => seen.has(status)));
}

function place(entries: readonly TimelineEntry[], lanes: readonly Lane[]): Point[] {
  const heightOf = (status: PaymentStatus): number =>
    laneY(lanes.findIndex(({ statuses }) => statuses.includes(status)));
  let y = heightOf('processing');
  return entries.map((entry, index) => {
    if (entry.to !== undefined) y = heightOf(entry.to);
    return { entry, x: LABEL_WIDTH + STEP * (index + 0.5), y, isMove: entry.to !== undefined };
  });
}

function dot({ entry, x, y, isMove }: Point): SVGElement[] {
  const words = entryWords(entry);
  return [
    svg(
      'circle',
      { class: isMove ? `stop ${entry.to ?? ''}` : 'finding', cx: x, cy: y, r: isMove ? 8 : 4 },
      svg('title', {}, `${words}, ${timeOnly(entry.at)}`),
    ),
    ...(isMove ? [svg('text', { class: 'stop-name', x, y: y - 14, 'text-anchor': 'middle' }, words)] : []),
  ];
}

/** Level until the next entry, then straight to the new height. */
function way(points: readonly Point[]): string {
  return points
    .map(({ x, y }, index) => {
      const before = points[index - 1];
      if (before === undefined) return `M${x} ${y}`;
      return before.y === y ? `L${x} ${y}` : `L${x - STEP / 2} ${before.y} L${x - STEP / 4} ${y} L${x} ${y}`;
    })
    .join(' ');
}

function laneY(lane: number): number {
  return TOP + LANE_HEIGHT * (lane + 0.5) - 4;
}
