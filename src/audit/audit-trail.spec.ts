import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { openStore } from '../../test/harness/event-store.js';
import { createTestStore, stores } from '../../test/harness/test-store.js';
import { createLogger } from '../telemetry/logger.js';
import { AuditTrail } from './audit-trail.js';
import { AuditRepository } from './audit.repository.js';

const silent = () => createLogger({ logLevel: 'silent' }, { write: () => undefined });

const act = (object: string) => ({
  ...({ actor: 'merchant', action: 'void', object, address: null, requestId: null } as const),
});

describe.each(stores)('the order of the audit on the %s store', (kind) => {
  test('has no gaps for whoever reads on while several processes write', async () => {
    const place = await createTestStore(kind);
    const opened = [await openStore(place), ...(kind === 'postgres' ? [await openStore(place)] : [])];
    const logger = silent();
    try {
      const trails = opened.map((store) => new AuditTrail(store, new AuditRepository(store), logger));
      const repository = new AuditRepository(opened[0] as (typeof opened)[number]);
      const wanted = Array.from({ length: 300 }, (_, n) => `pay_${n}`);
      const seen: string[] = [];
      let position = 0;
      const read = async (): Promise<void> => {
        const found = await repository.listAfter(position, 7);
        seen.push(...found.map(({ object }) => object ?? ''));
        position = found.at(-1)?.position ?? position;
      };
      const done = Promise.all(
        wanted.map(async (object, n) => {
          const entry = await (trails[n % trails.length] as AuditTrail).begin(act(object));
          await entry.end('ok');
        }),
      );
      // A read of the embedded store waits for nothing, so the loop itself lets the writes be answered.
      for (; seen.length < wanted.length; await turn()) await read();
      await done;
      expect([...seen].sort()).toEqual([...wanted].sort());
      expect(position).toBe(wanted.length);
    } finally {
      for (const store of opened) await store.close();
      await place.dispose();
    }
  });

  test('writes an entry once, whatever is said of it later', async () => {
    const place = await createTestStore(kind);
    const store = await openStore(place);
    try {
      const repository = new AuditRepository(store);
      const entry = await new AuditTrail(store, repository, silent()).begin(act('pay_1'));
      expect(await repository.listAfter(0, 10)).toEqual([]);
      await entry.end('ok');
      await entry.end('invalid-state');
      expect((await repository.listAfter(0, 10)).map(({ outcome }) => outcome)).toEqual(['ok']);
    } finally {
      await store.close();
      await place.dispose();
    }
  });

  test('writes what comes in whatever moment of the writing before it', async () => {
    const place = await createTestStore(kind);
    const store = await openStore(place);
    try {
      const trail = new AuditTrail(store, new AuditRepository(store), silent());
      for (let moments = 0; moments < 60; moments += 1) {
        const [one, other] = [await trail.begin(act('pay_1')), await trail.begin(act('pay_2'))];
        const first = one.end('ok');
        for (let moment = 0; moment < moments; moment += 1) await Promise.resolve();
        const second = other.end('ok');
        const late = new AbortController();
        const tooLate = pause(30_000, 'hangs', { signal: late.signal });
        const came = await Promise.race([Promise.all([first, second]), tooLate]);
        late.abort();
        await tooLate.catch(() => undefined);
        expect([moments, came]).not.toEqual([moments, 'hangs']);
      }
    } finally {
      await store.close();
      await place.dispose();
    }
  });

  test('keeps no process from its end where the store is away', async () => {
    const place = await createTestStore(kind);
    const store = await openStore(place);
    try {
      const trail = new AuditTrail(store, new AuditRepository(store), silent());
      const entry = await trail.begin(act('pay_1'));
      await store.close();
      await entry.end('ok');
      await expect(trail.stop()).resolves.toBeUndefined();
    } finally {
      await place.dispose();
    }
  });
});
