import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Random } from './random.ts';
import { runTrial, type TrialResult } from './trial.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { World } from './world.ts';

/** Runs a trial that must hold; where it does not, fails with every broken promise and the place of its history. */
export async function hold(
  world: World,
  plan: TrialPlan,
  name: string,
  random: Random,
): Promise<TrialResult> {
  const result = await runTrial(world, plan, name, random);
  if (result.violations.length === 0) return result;
  const file = join(mkdtempSync(join(tmpdir(), 'tillfront-chaos-history-')), 'history.txt');
  writeFileSync(file, world.history.text());
  throw new Error(`${result.violations.join('\n')}\nthe whole history: ${file}`);
}
