import { TcpProxy } from '../chaos/tcp-proxy.ts';
import { startPostgresPair } from '../setup/postgres-pair.ts';
import type { Drill } from './bench.ts';

export const storeAway: Drill = {
  about: 'PostgreSQL cannot be reached, and then takes no writes',
  page: 'the-store-does-not-answer',
  stores: ['postgres'],
  quick: true,
  run: async (bench) => {
    const pair = await startPostgresPair({ synchronous: false });
    bench.finally(() => pair.stop());
    const line = new TcpProxy({ host: '127.0.0.1', port: pair.primary.port });
    await line.start();
    bench.finally(() => line.stop());
    const url = new URL(pair.primary.url);
    url.port = String(line.port);
    await bench.start(await bench.storeAt({ databaseUrl: url.href }));
    const load = bench.load();
    await bench.more(load);

    await bench.timed(
      'away: noticed',
      () => line.turn('refuse'),
      () => bench.unready('store'),
    );
    await bench.doctorFails();
    await bench.timed(
      'back: paying again',
      () => line.turn('open'),
      () => bench.paying(),
    );

    const readOnly = async (value: string): Promise<void> => {
      await pair.primary.query(`alter system set default_transaction_read_only = ${value}`);
      await pair.primary.query('select pg_reload_conf()');
    };
    await bench.timed(
      'takes no writes: noticed',
      () => readOnly('on'),
      () => bench.unready('takes no writes'),
    );
    await bench.doctorFails();
    await bench.timed(
      'takes writes: paying again',
      () => readOnly('off'),
      () => bench.paying(),
    );
    await bench.more(load);
  },
};
