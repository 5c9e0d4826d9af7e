import { stores, type StoreKind } from './test-store.ts';

/** Does the same on each store at the same time, for tests that wait most of their time. A failure names its store. */
export async function onEachStore(act: (kind: StoreKind) => Promise<void>): Promise<void> {
  const failures = await Promise.all(
    stores.map(async (kind) => {
      try {
        await act(kind);
        return [];
      } catch (error) {
        return [new Error(`on the ${kind} store`, { cause: error })];
      }
    }),
  );
  const [first] = failures.flat();
  if (first) throw first;
}
