import { expect, test } from '@jest/globals';
import { TillfrontClient } from '../harness/client.js';
import { createFormerStore } from '../harness/former-store.js';
import { answer, notFoundAnswer } from '../harness/gateway-answers.js';
import { startMisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { stores } from '../harness/test-store.js';
import { startTillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { storedRows } from '../truth/stored-time.js';
import { absent, paid, REPORT, rows } from './former-report.js';
import { report, reportRow, upload, type DifferenceBody, type SettlementBody } from './settlement-scene.js';

test.each(stores)(
  'a report that version 0.2.0 has compared is shown with what it differs in, under both names, on the %s store',
  async (kind) => {
    const store = await createFormerStore(kind, rows, '0.2.0');
    const gateway = await startMisbehavingGateway();
    gateway.script('GET /transaction/*', answer(notFoundAnswer));
    const tillfront = await startTillfront({ store, gatewayUrl: gateway.url });
    try {
      const client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
      const list = async (path: string): Promise<DifferenceBody[]> =>
        (await client.get<{ data: DifferenceBody[] }>(path)).body.data;
      // All that is known by now was held against what it has found.
      await until(
        async () =>
          (await storedRows({ tillfront }, `select value from meta where name = 'settlement-swept'`)).length >
          0,
      );
      const { body } = await client.get<SettlementBody>(`/v1/settlements/${REPORT}`);
      expect(body.counts).toEqual({ twice_there: 1, settled_twice: 1, missing_there: 1, not_settled: 1 });
      expect(body).toMatchObject({ totals: [], rowsSetAside: 0, setAside: [] });
      const own = await list(`/v1/settlements/${REPORT}/differences?limit=100`);
      const named = own.filter((one) => one.kind !== one.name);
      expect(named.map((one) => [one.kind, one.name, one.state, one.row])).toEqual([
        ['twice_there', 'settled_twice', 'open', 8],
        ['missing_there', 'not_settled', 'open', null],
      ]);
      for (const [former, present, paymentId] of [
        ['twice_there', 'settled_twice', paid.id],
        ['missing_there', 'not_settled', absent.id],
      ]) {
        const found = await list(`/v1/differences?kind=${former}`);
        expect(found).toMatchObject([{ kind: present, name: present, paymentId }]);
        expect(await list(`/v1/settlements/${REPORT}/differences?kind=${former}`)).toMatchObject([
          { id: found[0]?.id, kind: former },
        ]);
      }
      expect((await list('/v1/differences?kind=amount_differs'))[0]).toMatchObject({ state: 'open' });

      // A report of today settles it after all; what was paid before is not looked for.
      const today = [paid, absent].map(({ gatewayReference }) => reportRow(gatewayReference));
      await upload(tillfront, '/v1/settlements', report(...today));
      expect(await list('/v1/differences?kind=not_settled&state=open')).toEqual([]);
      expect(await list('/v1/differences?kind=amount_differs&state=open')).toEqual([]);
    } finally {
      await tillfront.stop();
      await gateway.close();
    }
  },
);
