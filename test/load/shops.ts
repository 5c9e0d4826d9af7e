import { medusaVersion, startMedusa } from './medusa.ts';
import { SCENARIOS, SERVERS } from './names.ts';
import type { Places } from './replicas.ts';
import { runScenarios, warmUp, type Measurement, type Run, type Scenario } from './scenario.ts';
import { createDatabase, startService, type Subject } from './subject.ts';
import { startVendure, vendureVersion } from './vendure.ts';

/** A card payment here and through the payment modules of two shop systems, in one run, on one PostgreSQL, through the same gateway. */
export interface Shops {
  medusa: string;
  vendure: string;
  rounds: number;
  measurements: Measurement[];
}

export const shopScenarios: readonly Scenario[] = [
  { name: SCENARIOS.concurrency32, delayMs: 0, load: { concurrency: 32 }, payments: 600 },
  { name: SCENARIOS.quiet100, delayMs: 50, load: { perSecond: 100 }, payments: 1_000 },
];

export async function measureShops(
  places: Places,
  run: Run,
  { scenarios, warmUp: warm }: { scenarios: readonly Scenario[]; warmUp: number },
): Promise<Shops> {
  const subjects: Subject[] = [];
  try {
    subjects.push(await startMedusa(places));
    subjects.push(await startVendure(places));
    subjects.push(
      await startService({
        ...{ name: SERVERS.postgres, build: places.build, gatewayPort: places.gatewayPort },
        databaseUrl: await createDatabase(places.postgresUrl, 'bench_beside_shops'),
      }),
    );
    for (const { proof } of subjects) await proof?.prove(run.setDelay);
    await warmUp(subjects, warm);
    return {
      medusa: medusaVersion(),
      vendure: vendureVersion(),
      rounds: run.rounds,
      measurements: await runScenarios(subjects, scenarios, run),
    };
  } finally {
    for (const subject of subjects) await subject.stop();
    await run.setDelay(0);
  }
}
