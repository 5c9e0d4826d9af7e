import { describe, expect, test } from '@jest/globals';
import { openStore } from '../../test/harness/event-store.js';
import { createTestStore, stores } from '../../test/harness/test-store.js';
import { WrittenTexts } from './written-texts.js';

describe.each(stores)('the texts that people write on the %s store', (kind) => {
  test('are read by id, and erased with their payment alone', async () => {
    const place = await createTestStore(kind);
    const store = await openStore(place);
    try {
      const texts = new WrittenTexts(store);
      const [one, two, other, none] = [
        await texts.add('Ada’s size did not fit', 'merchant:ops-anna', 'pay_1'),
        await texts.add('second', 'merchant', 'pay_1'),
        await texts.add('third', 'merchant', 'pay_2'),
        await texts.add('of a report', 'merchant'),
      ];
      const ids = [one, two, other, none];
      expect(new Set(ids).size).toBe(4);
      expect([...(await texts.read([...ids, one, 'txt_unknown']))]).toHaveLength(4);
      await texts.erase('pay_1');
      await texts.erase('pay_1');
      const read = await texts.read(ids);
      expect(ids.map((id) => read.get(id))).toEqual(['[erased]', '[erased]', 'third', 'of a report']);
      expect(await texts.read([])).toEqual(new Map());
      const kept = await store.db.selectFrom('written_texts').select('content').execute();
      expect(JSON.stringify(kept)).not.toContain('Ada');
    } finally {
      await store.close();
      await place.dispose();
    }
  });

  test('are read in any number', async () => {
    const place = await createTestStore(kind);
    const store = await openStore(place);
    try {
      const texts = new WrittenTexts(store);
      const ids: string[] = [];
      for (let n = 0; n < 501; n += 1) ids.push(await texts.add(`text ${n}`, 'merchant'));
      const read = await texts.read(ids);
      expect(ids.map((id) => read.get(id))).toEqual(ids.map((_, n) => `text ${n}`));
    } finally {
      await store.close();
      await place.dispose();
    }
  });
});
