import { expect, test } from '@jest/globals';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startScene } from '../harness/scene.js';
import { createTestStore } from '../harness/test-store.js';
import { until } from '../harness/until.js';

test('a process that ends in order gives its leases back: the next one delivers and looks for differences at once', async () => {
  const store = await createTestStore('embedded');
  const scene = await startScene(store, {
    MERCHANT_WEBHOOK_URL: 'http://127.0.0.1:9/',
    MERCHANT_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  });
  const held = (): string[] => {
    const database = new DatabaseSync(join(store.dataDir, 'tillfront.db'), { readOnly: true });
    const names = database
      .prepare('select name from leases order by name')
      .all()
      .map(({ name }) => String(name));
    database.close();
    return names;
  };
  try {
    await until(() => held().includes('books') && held().includes('deliveries'));
  } finally {
    await scene.stop();
  }
  expect(held()).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(?:books|deliveries)$/)]));
  await store.dispose();
});
