import { h, svg } from '../element/dom.js';
import { isPositive, money, plus } from './amounts.js';
import type { Overview } from './api.js';
import { dayOnly, dayWords } from './words.js';

/** What was paid on one day. */
export interface PaidDay {
  day: string;
  count: number;
  amount: string;
}

const DAYS = 30;
const DAY_MS = 24 * 3_600_000;
const [WIDTH, HEIGHT, AIR] = [600, 120, 6];

/** The last 30 days in order, with those on which nothing was paid. Pure. */
export function paidDays(paid: Overview['paid'], currency: string, today: string): PaidDay[] {
  return Array.from({ length: DAYS }, (_, index) => {
    const day = daysBefore(today, DAYS - 1 - index);
    const found = paid.find((entry) => entry.day === day && entry.currency === currency);
    return { day, count: found?.count ?? 0, amount: found?.captured ?? '0' };
  });
}

/** `2031-01-31` so many days before another one. Pure. */
export function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - count * DAY_MS).toISOString().slice(0, 10);
}

/** The sum of what was paid. Pure. */
export function paidSum(days: readonly PaidDay[]): string {
  return days.reduce((sum, { amount }) => plus(sum, amount), '0');
}

/** What was paid in 30 days as a curve, and the same as a table. */
export function paidCurve(days: readonly PaidDay[], currency: string): HTMLElement {
  const most = days.reduce((one, other) => (Number(other.amount) > Number(one.amount) ? other : one));
  const sum = paidSum(days);
  const label = isPositive(sum)
    ? `Paid in 30 days: ${money(sum, currency)} in all, most on ${dayWords(most.day)}: ${money(most.amount, currency)}`
    : 'Nothing was paid in 30 days';
  return h(
    'figure',
    { class: 'curve' },
    h('figcaption', { class: 'muted' }, `Paid on each day, in ${currency}`),
    h(
      'div',
      { class: 'plot' },
      // The values of the lines: the most, half of it, nothing. The picture's name says what those who hear it need.
      h(
        'div',
        { class: 'values muted', 'aria-hidden': 'true' },
        ...[1, 0.5, 0].map((part) =>
          h('span', {}, isPositive(sum) || part === 0 ? short(most.amount, part) : ''),
        ),
      ),
      picture(days, Number(most.amount), label),
      h(
        'div',
        { class: 'times muted', 'aria-hidden': 'true' },
        ...[0, 10, 19].map((index) => h('span', {}, dayOnly(days[index]?.day ?? ''))),
        h('span', {}, 'Today'),
      ),
    ),
    h('details', {}, h('summary', {}, 'The same as a table'), table(days, currency)),
  );
}

/** A part of an amount as an axis shows it, in the currency that stands above: `1.2M`. */
function short(amount: string, part: number): string {
  const style = { notation: 'compact', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(undefined, style).format(Number(amount) * part);
}

function picture(days: readonly PaidDay[], most: number, label: string): SVGElement {
  const x = (index: number): number => (index * WIDTH) / (days.length - 1);
  const y = (amount: string): number =>
    most === 0 ? HEIGHT - AIR : HEIGHT - AIR - (Number(amount) / most) * (HEIGHT - 2 * AIR);
  const line = days
    .map(({ amount }, index) => `${index === 0 ? 'M' : 'L'}${x(index).toFixed(1)} ${y(amount).toFixed(1)}`)
    .join(' ');
  return svg(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': label },
    ...[AIR, HEIGHT / 2, HEIGHT - AIR].map((level) =>
      svg('line', {
        ...{ class: 'grid', x1: 0, x2: WIDTH, y1: level, y2: level },
        'vector-effect': 'non-scaling-stroke',
      }),
    ),
    svg('path', { class: 'area', d: `${line} L${WIDTH} ${HEIGHT - AIR} L0 ${HEIGHT - AIR} Z` }),
    svg('path', { class: 'line', d: line, 'vector-effect': 'non-scaling-stroke' }),
  );
}

function table(days: readonly PaidDay[], currency: string): HTMLElement {
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Table of days' },
    h(
      'table',
      {},
      h('caption', { class: 'unseen' }, `Paid on each day, in ${currency}`),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('th', { scope: 'col' }, 'Day'),
          h('th', { scope: 'col', class: 'number' }, 'Payments'),
          h('th', { scope: 'col', class: 'number' }, 'Paid'),
        ),
      ),
      h(
        'tbody',
        {},
        ...days
          .filter(({ count }) => count > 0)
          .toReversed()
          .map(({ day, count, amount }) =>
            h(
              'tr',
              {},
              h('th', { scope: 'row' }, dayWords(day)),
              h('td', { class: 'number' }, String(count)),
              h('td', { class: 'number' }, money(amount, currency)),
            ),
          ),
      ),
    ),
  );
}
