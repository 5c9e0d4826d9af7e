import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '../chaos/calls.ts';
import { freePort } from '../setup/free-port.ts';
import { needProgram } from '../setup/program.ts';
import { until, type Drill } from './bench.ts';
import { leads, postmasterOf, run, says, startNode } from './patroni-node.ts';

export const patroni: Drill = {
  about: 'Patroni, etcd and HAProxy: the leader’s machine dies amid payments, and Patroni promotes another',
  page: 'the-store-does-not-answer',
  stores: ['postgres'],
  run: async (bench) => {
    for (const program of ['patroni', 'etcd', 'haproxy'] as const) needProgram(program);
    const [etcd, peer, front] = await Promise.all([freePort(), freePort(), freePort()]);
    const listens = ['--listen-client-urls', '--advertise-client-urls'].flatMap((name) => [
      name,
      `http://127.0.0.1:${etcd}`,
    ]);
    const peers = ['--listen-peer-urls', `http://127.0.0.1:${peer}`, '--enable-v2=true'];
    run(bench, 'etcd', ['--data-dir', join(bench.folder, 'etcd'), ...listens, ...peers]);
    await until(async () => (await call({ method: 'GET', url: `http://127.0.0.1:${etcd}/health` })).answered);
    const ports = await Promise.all([freePort(), freePort()]);
    const nodes = [
      await startNode(bench, 0, ports[0], etcd),
      await startNode(bench, 1, ports[1], etcd),
    ] as const;
    const servers = nodes.map(
      ({ rest }, index) => `  server n${index} 127.0.0.1:${ports[index]} check port ${rest}`,
    );
    const proxy = `defaults\n  mode tcp\n  timeout connect 2s\n  timeout client 1h\n  timeout server 1h\nlisten primary\n  bind 127.0.0.1:${front}\n  option httpchk GET /primary\n  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions\n${servers.join('\n')}\n`;
    writeFileSync(join(bench.folder, 'haproxy.cfg'), proxy);
    run(bench, 'haproxy', ['-db', '-f', join(bench.folder, 'haproxy.cfg')]);
    const databaseUrl = `postgres://postgres:drill@127.0.0.1:${front}/postgres`;
    for (let replica = 0; replica < 2; replica += 1)
      await bench.start(await bench.storeAt({ databaseUrl }), {
        startsWhen: replica === 0 ? 'live' : 'ready',
      });
    await until(async () => (await says(nodes[0], 'synchronous')) || says(nodes[1], 'synchronous'));
    const load = bench.load();
    await bench.more(load, 20);
    const leader = (await leads(nodes[0])) ? nodes[0] : nodes[1];
    const other = leader === nodes[0] ? nodes[1] : nodes[0];
    // Patroni and its PostgreSQL, which is in another group: as when the machine is gone.
    const postmaster = postmasterOf(leader);
    bench.finally(() => process.kill(postmasterOf(other), 'SIGKILL'));
    const die = (): void => {
      for (const pid of [-(leader.process.pid as number), postmaster]) process.kill(pid, 'SIGKILL');
    };
    await bench.timed('paying again after the leader died (ttl 20 s)', die, () => bench.paying());
    if (!(await leads(other))) bench.faults.push('the other server does not lead');
    await bench.more(load, 20);
  },
};
