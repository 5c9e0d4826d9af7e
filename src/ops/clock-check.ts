/** How far a replica's wall clock may be from the database's. An hour's difference, or a day's, is found the same way. */
const MOST_OFF_MS = 5_000;

/**
 * What is wrong with this machine's wall clock, in words for a person; undefined where nothing is, or where there is no
 * other clock to compare it with. Pure.
 *
 * @param aheadMs see `StoreClock.wallClockError`
 */
export function clockFault(aheadMs: number | undefined): string | undefined {
  if (aheadMs === undefined || Math.abs(aheadMs) <= MOST_OFF_MS) return undefined;
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const where = aheadMs > 0 ? 'ahead of' : 'behind';
  return `This machine's clock is ${seconds} s ${where} the database's: let NTP set it.`;
}
