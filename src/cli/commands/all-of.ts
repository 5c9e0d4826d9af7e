import type { Reporter } from '../output/reporter.js';

/** Few at a time, so that payers' calls are not delayed. */
const AT_ONCE = 4;

/** Runs `work` for each item and shows the progress. The results are in the order of the items. */
export async function allOf<T, R>(
  reporter: Reporter,
  label: string,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const progress = reporter.progress(label, items.length);
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      results[index] = await work(items[index] as T);
      progress.step();
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, worker));
  progress.end();
  return results;
}
