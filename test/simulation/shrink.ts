import type { Engine } from './engine.ts';
import { partsOf, planWorld } from './plan.ts';
import { runWorld } from './run.ts';

/** Leaves out whatever a failure does not need: by halves at first, then one by one. Returns what can be left out. */
export async function shrink(
  engine: Engine,
  seed: number,
  first: string,
  goesOn: () => boolean,
): Promise<Set<string>> {
  let kept = partsOf(planWorld(seed));
  const left = new Set<string>();
  const kind = kindOf(first);
  const stillFails = async (without: readonly string[]): Promise<boolean> => {
    const { faults } = await runWorld(engine, seed, { left: new Set([...left, ...without]) });
    return faults.some(({ what }) => kindOf(what) === kind);
  };
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < kept.length && goesOn();) {
      const part = kept.slice(at, at + size);
      if (await stillFails(part)) {
        for (const one of part) left.add(one);
        kept = kept.filter((one) => !part.includes(one));
      } else at += size;
    }
  }
  return left;
}

/** The same promise is broken, whoever it is about. */
function kindOf(what: string): string {
  return what.replace(/ORDER-\d+\S*|\(pay_\w+\)|(?:evt|pay|cs|ntf)_\w+|\d+(?:\.\d+)?/g, '…').slice(0, 80);
}
