import { chmod, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from '@jest/globals';
import { until } from '../harness/until.js';
import { pause } from './calls.ts';
import { hold } from './hold.ts';
import { WAYS, type PurchasePlan } from './purchase-plan.ts';
import { Random } from './random.ts';
import type { Replica } from './replica.ts';
import { startSpecWorld } from './spec-world.ts';
import { aimed } from './trial-plan.ts';

/** A data directory that takes no more: whatever cannot be written down first is not sent. */

/** In blocks of 512 bytes, or 1024 on some systems: room for a few payments. */
const ROOM = 1_400;

test('a disk that is full while payments run', async () => {
  const { world, end } = await startSpecWorld('embedded', { asleep: true });
  try {
    const [till] = world.replicas as [Replica];
    // A write beyond the limit fails as it does on a full disk, and part of it may have been written.
    till.wrapper = ['/bin/sh', '-c', `ulimit -S -f ${ROOM} && exec "$@"`, 'sh'];
    await world.wake();
    till.wrapper = [];
    const ways = [...WAYS, ...WAYS].filter(({ name }) => !name.includes('declined'));
    const plan = { ...aimed(ways[0] as PurchasePlan, []), purchases: ways };
    // Until it is full indeed, and a while longer; then somebody makes room and starts it again.
    const refused = /POST \/v1\/payments\/.* -> 503 store-unavailable/;
    const clearing = until(() => refused.test(world.history.text()), 60_000)
      .then(() => pause(2_000))
      .then(() => world.kill(till));
    await hold(world, plan, 'full', new Random(3));
    await clearing;
  } finally {
    await end();
  }
}, 300_000);

test('a data directory that cannot be written to stops the start', async () => {
  const { world, end } = await startSpecWorld('embedded', { asleep: true, account: NOBODY });
  try {
    const [till] = world.replicas as [Replica];
    await mkdir(world.dataDir);
    await chmod(dirname(world.dataDir), 0o755);
    await chmod(world.dataDir, 0o555);
    till.spawn();
    expect(await till.ended).toEqual({ code: 1, signal: null });
    expect(till.output).toContain('DATA_DIR');
    expect(world.sandbox.recorder.list()).toEqual([]);
  } finally {
    await end();
  }
});

/** Root may write everywhere. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
