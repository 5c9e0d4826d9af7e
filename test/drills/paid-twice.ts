import { call } from '../chaos/calls.ts';
import type { Drill } from './bench.ts';

const DECLINED = '4000000000001117';

export const paidTwice: Drill = {
  about:
    'the gateway charges a payment after it had declined it, and the order was paid again meanwhile; the duplicate is voided',
  page: 'an-order-was-paid-twice',
  stores: ['embedded', 'postgres'],
  quick: true,
  run: async (bench, kind) => {
    await bench.start(await bench.store(kind));
    await bench.more(bench.load(), 5);
    const reference = `TWICE-${process.pid}-${kind}`;
    const session = await bench.session(reference, reference);
    const token = session.answered ? String(session.json['clientToken']) : '';
    await bench.pay(token, `${reference}-1`, DECLINED);
    const failed = async (): Promise<boolean> => (await states()).includes('failed');
    const states = async (): Promise<unknown[]> => {
      const page = await bench.ask(`/v1/payments?reference=${reference}`);
      return ((page?.['data'] ?? []) as { status: string }[]).map(({ status }) => status);
    };
    await bench.timed('declined', () => undefined, failed);
    await bench.pay(token, `${reference}-2`, '4111111111111111');
    const late = (): Promise<unknown> =>
      call({
        method: 'POST',
        url: `${bench.sandbox.url}/sandbox/transactions/${reference}_1/approve`,
        body: {},
      });
    const announced = (): boolean =>
      bench.shop.delivered.some(
        (event) => event.type === 'payment.duplicate' && event.reference === reference,
      );
    await bench.timed('the shop told of the duplicate', late, announced);
    const duplicates = async (): Promise<string[]> =>
      (
        ((await bench.ask('/v1/payments?duplicate=true'))?.['data'] ?? []) as { id: string; status: string }[]
      ).flatMap(({ id, status }) => (status === 'succeeded' ? [id] : []));
    const [duplicate = ''] = await duplicates();
    await bench.timed(
      'voided',
      () => bench.merchant(`/v1/payments/${duplicate}/void`, {}),
      async () => (await duplicates()).length === 0,
    );
  },
};
