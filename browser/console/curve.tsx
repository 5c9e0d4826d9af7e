import type { JSX } from 'preact';
import { isPositive, money, total } from './amounts.js';
import { heights, type PaidDay } from './paid-days.js';
import { dayWords } from './times.js';

const [WIDTH, HEIGHT, AIR] = [600, 120, 6];

/** What was paid on each of 30 days, as a curve. Its name says what matters. */
export function PaidCurve({ days, currency }: { days: readonly PaidDay[]; currency: string }): JSX.Element {
  const most = days.reduce((one, other) => (Number(other.amount) > Number(one.amount) ? other : one));
  const sum = total(days.map(({ amount }) => amount));
  const name = isPositive(sum)
    ? `Paid in 30 days: ${money(sum, currency)} in all, most on ${dayWords(most.day)}: ${money(most.amount, currency)}`
    : 'Nothing was paid in 30 days';
  const floor = HEIGHT - AIR;
  const points = heights(days).map((height, index) => {
    const x = (index * WIDTH) / (days.length - 1);
    return `${x.toFixed(1)} ${(floor - height * (HEIGHT - 2 * AIR)).toFixed(1)}`;
  });
  const line = `M${points.join('L')}`;
  return (
    <figure class="card curve">
      <figcaption class="muted">Paid on each day, in {currency}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={name}>
        <path class="area" d={`${line}L${WIDTH} ${floor}L0 ${floor}Z`} />
        <path class="line" d={line} vector-effect="non-scaling-stroke" />
      </svg>
      <div class="times muted" aria-hidden="true">
        <span>{dayWords(days[0]?.day ?? '', { month: 'short', day: 'numeric' })}</span>
        <span>at most {money(most.amount, currency)} a day</span>
        <span>Today</span>
      </div>
    </figure>
  );
}
