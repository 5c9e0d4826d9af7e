import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '../setup/free-port.js';
import { service } from '../setup/service.js';
import { compareUnknown } from './settlement.js';
import { startService, type Subject } from './subject.js';

const ROWS = 50_000;
/**
 * How much more memory the whole process may have than at rest, in MB. Whoever keeps rows, or writes differences
 * down only at the end, needs more.
 */
const MOST_MORE_MB = 120;

let tillfront: Subject;

beforeAll(async () => {
  tillfront = await startService({
    name: 'Tillfront',
    build: await service('build'),
    gatewayPort: await freePort(),
  });
}, 180_000);

afterAll(async () => tillfront.stop());

test('a report of 50,000 rows that all differ needs little memory', async () => {
  const { rssMb: before } = await tillfront.usage();
  const { mostMb, counted } = await compareUnknown(tillfront, ROWS);
  expect(counted).toBe(ROWS);
  expect(mostMb - before).toBeLessThan(MOST_MORE_MB);
}, 120_000);
