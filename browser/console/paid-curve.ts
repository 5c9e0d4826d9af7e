import { h, svg } from '../element/dom.js';
import { isPositive, money, plus } from './amounts.js';
import type { Overview } from './api.js';
import { dayWords } from './words.js';

/** What was paid on one day. */
export interface PaidDay {
  day: string;
  count: number;
  amount: string;
}

const DAYS = 30;
const DAY_MS = 24 * 3_600_000;
const [WIDTH, HEIGHT, AIR] = [600, 120, 6];

/** The last 30 days in order, with those on which nothing was paid. `until` is the time of the figures. Pure. */
export function paidDays(paid: Overview['paid'], currency: string, until: string): PaidDay[] {
  const today = Math.floor(Date.parse(until) / DAY_MS) * DAY_MS;
  return Array.from({ length: DAYS }, (_, index) => {
    const day = new Date(today - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    const found = paid.find((entry) => entry.day === day && entry.currency === currency);
    return { day, count: found?.count ?? 0, amount: found?.captured ?? '0' };
  });
}

/** The sum of what was paid. Pure. */
export function paidSum(days: readonly PaidDay[]): string {
  return days.reduce((sum, { amount }) => plus(sum, amount), '0');
}

/** What was paid in 30 days as a curve, and the same as a table. */
export function paidCurve(days: readonly PaidDay[], currency: string): HTMLElement {
  const most = days.reduce((one, other) => (Number(other.amount) > Number(one.amount) ? other : one));
  const sum = paidSum(days);
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? ''];
  const label = isPositive(sum)
    ? `Paid in 30 days: ${money(sum, currency)} in all, most on ${dayWords(most.day)}: ${money(most.amount, currency)}`
    : 'Nothing was paid in 30 days';
  return h(
    'figure',
    { class: 'curve' },
    h('p', { class: 'scale muted' }, isPositive(sum) ? `Most in a day: ${money(most.amount, currency)}` : ''),
    picture(days, Number(most.amount), label),
    h(
      'p',
      { class: 'scale muted' },
      h('span', {}, dayWords(first)),
      h('span', {}, `Today, ${dayWords(last)} (UTC)`),
    ),
    h('details', {}, h('summary', {}, 'The same as a table'), table(days, currency)),
  );
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
    svg('path', { class: 'area', d: `${line} L${WIDTH} ${HEIGHT} L0 ${HEIGHT} Z` }),
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
          h('th', { scope: 'col' }, 'Day (UTC)'),
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
