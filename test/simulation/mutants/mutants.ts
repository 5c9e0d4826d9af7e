import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { WITHOUT } from '../../chaos/preload/without-mend.ts';
import { SABOTAGES } from '../../chaos/preload/sabotage.ts';
import { CALLS } from './calls.ts';
import { EVENTS } from './events.ts';
import { LEASES } from './leases.ts';
import { MONEY } from './money.ts';
import { PEOPLE } from './people.ts';
import type { Mutant } from './mutant.ts';

// The simulation brings a transport of its own: see `sent-again`.
const { 'sends-again': _, ...sabotages } = SABOTAGES;

/** Every mutant by its name, what decides about money first. */
export const MUTANTS: Readonly<Record<string, Mutant>> = {
  ...WITHOUT,
  ...sabotages,
  ...MONEY,
  ...CALLS,
  ...LEASES,
  ...EVENTS,
  ...PEOPLE,
};

/** Those that change nothing in a build any more, because what they replace reads otherwise there. */
export function unfit(build: string): string[] {
  return Object.entries(MUTANTS).flatMap(([name, { module, replace }]) => {
    const file = join(build, module);
    if (!existsSync(file)) return [name];
    const source = readFileSync(file, 'utf8');
    return replace && source.replace(...replace) === source ? [name] : [];
  });
}

/** Lets the modules that are loaded from now on be those of the mutant. */
export function mutate(name: string): void {
  const mutant = MUTANTS[name];
  if (!mutant) throw new Error(`There is no mutant ${name}`);
  const { module, replace, code = '' } = mutant;
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.endsWith(`/dist/${module}`)) return loaded;
      const source = Buffer.from(loaded.source as Uint8Array).toString('utf8');
      const changed = replace ? source.replace(...replace) : source;
      if (replace && changed === source) throw new Error(`The mutant ${name} no longer fits ${module}`);
      return { ...loaded, source: `${changed}\n${code}` };
    },
  });
}
