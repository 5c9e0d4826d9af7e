import { TcpProxy } from '../chaos/tcp-proxy.ts';
import { needProgram } from '../setup/program.ts';
import { startPgBouncer } from '../setup/pgbouncer.ts';
import { pause, type Drill } from './bench.ts';

export const pgbouncer: Drill = {
  about: 'PgBouncer is killed and started again, then the database behind it is away for 5 s',
  page: 'the-store-does-not-answer',
  stores: ['postgres'],
  quick: true,
  run: async (bench, kind) => {
    needProgram('pgbouncer');
    const store = await bench.store(kind);
    const url = new URL(store.databaseUrl as string);
    const line = new TcpProxy({ host: '127.0.0.1', port: Number(url.port) });
    await line.start();
    bench.finally(() => line.stop());
    url.port = String(line.port);
    const pooler = await startPgBouncer(url.href);
    bench.finally(() => pooler.stop());
    const pooled = { ...store, databaseUrl: pooler.url };
    for (let replica = 0; replica < 2; replica += 1)
      await bench.start(pooled, { env: { DATABASE_POOLER: 'transaction' } });
    const load = bench.load();
    await bench.more(load);
    await bench.timed(
      'PgBouncer started again: paying again',
      () => pooler.crash(),
      () => bench.paying(),
    );
    await bench.more(load);
    await line.turn('refuse');
    await pause(5_000);
    await bench.timed(
      'database back behind it: paying again',
      () => line.turn('open'),
      () => bench.paying(),
    );
    await bench.more(load);
  },
};
