import { Pool } from 'undici';

/** One call that pays. */
export interface Call {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** Pays as fast as it goes, `concurrency` calls at a time. Returns the seconds that it took. */
export async function payAtOnce(url: string, calls: Call[], concurrency: number): Promise<number> {
  const pool = new Pool(url, { connections: concurrency, pipelining: 1 });
  const started = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let call = calls[next++]; call !== undefined; call = calls[next++]) await pay(pool, call);
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  await pool.close();
  return seconds;
}

/** Pays at a rate, whatever the answers take. Returns what each took in ms since it was due, sorted. */
export async function payAtRate(url: string, calls: Call[], perSecond: number): Promise<number[]> {
  const pool = new Pool(url, { connections: 128, pipelining: 1 });
  const started = performance.now();
  const took = await Promise.all(
    calls.map(async (call, index) => {
      const due = started + (index * 1000) / perSecond;
      const wait = due - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      // A timer wakes late by up to a millisecond: that is the driver's time.
      const sent = Math.max(due, performance.now());
      await pay(pool, call);
      return performance.now() - sent;
    }),
  );
  await pool.close();
  return took.sort((a, b) => a - b);
}

async function pay(pool: Pool, { path, headers, body }: Call): Promise<void> {
  const answer = await pool.request({ method: 'POST', path, headers, body });
  const text = await answer.body.text();
  if (answer.statusCode !== 201) throw new Error(`HTTP ${answer.statusCode}: ${text}`);
}

/** The value below which `share` of the sorted values lie. */
export const quantile = (sorted: number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;

export const median = (values: number[]): number =>
  quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
