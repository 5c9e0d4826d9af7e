import { OpenedStore } from '../../src/store/opened-store.js';
import { aPayment, anOrder, changeOf } from './documents.js';

/** Writes without end, and prints each write that was confirmed: it is there to be killed. */
const [dataDir = '', url = ''] = process.argv.slice(2);
const store = new OpenedStore({
  place: url === '' ? { kind: 'embedded', dataDir } : { kind: 'postgres', currentUrl: () => url, dataDir },
  migrate: true,
  identity: { gatewayOrigin: 'https://gateway.example', mode: 'test' },
});
await store.prepare();

async function write(reference: string): Promise<void> {
  for (;;) {
    const attempts = await store.write(reference, ({ order }, now) => {
      const n = (order?.attempts ?? 0) + 1;
      const id = `${reference}_${n}`;
      const event = {
        ...{
          id: `evt_${id}`,
          stream: reference,
          paymentId: null,
          sequence: n,
          type: 'x',
          body: '{}',
          at: now,
        },
      };
      const next = { ...(order ?? anOrder(reference)), attempts: n };
      return { change: changeOf(next, { payments: [aPayment(reference, n)], events: [event] }), result: n };
    });
    process.stdout.write(`${reference} ${attempts}\n`);
  }
}
await Promise.all(Array.from({ length: 12 }, (_, index) => write(`K-${index}`)));
