import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { service } from '../setup/service.js';
import { MeasuredProcess } from './measured-process.js';
import { runOnce, warmUp, type Scenario } from './scenario.js';
import { startPeer, startService, type Subject } from './subject.js';

/**
 * CPU a card payment against a server that only passes it on, in the same run. Measured at 5 to 6, with slack for busy machines:
 * above the bound a change has made a payment markedly dearer, and the change is at fault, not the machine.
 */
const DEAREST = 8;
const ROUNDS = 12;
const SCENARIO: Scenario = { name: 'guard', delayMs: 0, load: { concurrency: 32 }, payments: 800 };

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
let gateway: MeasuredProcess;
let raw: Subject;
let tillfront: Subject;

beforeAll(async () => {
  gateway = await MeasuredProcess.start(path('peers/gateway.ts'), {}, { readyPath: '/delay/0' });
  raw = await startPeer({
    name: 'raw node:http',
    program: path('peers/raw.ts'),
    gatewayPort: gateway.port,
  });
  tillfront = await startService({
    name: 'Tillfront',
    build: await service('build'),
    gatewayPort: gateway.port,
  });
  await warmUp([raw, tillfront], 2_000);
}, 180_000);

afterAll(async () => {
  await tillfront.stop();
  await raw.stop();
  await gateway.stop();
});

test('a payment costs no more CPU than it should', async () => {
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const bare = await runOnce(raw, SCENARIO);
    const whole = await runOnce(tillfront, SCENARIO);
    ratios.push(whole.cpuMs / bare.cpuMs);
  }
  // What else the machine does only ever adds to a round, so the cheapest one says what the code costs.
  expect(Math.min(...ratios)).toBeLessThan(DEAREST);
});
