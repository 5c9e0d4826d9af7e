import { describe, expect, test } from '@jest/globals';
import { openStore } from '../../test/harness/event-store.js';
import { createTestStore, stores } from '../../test/harness/test-store.js';
import { createLogger } from '../telemetry/logger.js';
import { AuditTrail } from './audit-trail.js';
import { AuditRepository } from './audit.repository.js';

const act = (object: string) => ({
  ...({ actor: 'merchant', action: 'void', object, address: null, requestId: null } as const),
});

describe.each(stores)('the order of the audit on the %s store', (kind) => {
  test('has no gaps for whoever reads on while several processes write', async () => {
    const place = await createTestStore(kind);
    const opened = [await openStore(place), ...(kind === 'postgres' ? [await openStore(place)] : [])];
    const logger = createLogger({ logLevel: 'silent' }, { write: () => undefined });
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
      while (seen.length < wanted.length) await read();
      await done;
      expect([...seen].sort()).toEqual([...wanted].sort());
      expect(position).toBe(wanted.length);
    } finally {
      for (const store of opened) await store.close();
      await place.dispose();
    }
  }, 60_000);

  test('writes an entry once, whatever is said of it later', async () => {
    const place = await createTestStore(kind);
    const store = await openStore(place);
    try {
      const repository = new AuditRepository(store);
      const logger = createLogger({ logLevel: 'silent' }, { write: () => undefined });
      const entry = await new AuditTrail(store, repository, logger).begin(act('pay_1'));
      expect(await repository.listAfter(0, 10)).toEqual([]);
      await entry.end('ok');
      await entry.end('invalid-state');
      expect((await repository.listAfter(0, 10)).map(({ outcome }) => outcome)).toEqual(['ok']);
    } finally {
      await store.close();
      await place.dispose();
    }
  });
});
