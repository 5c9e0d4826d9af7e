import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '../chaos/calls.ts';
import { freePort } from '../setup/free-port.ts';
import { needProgram } from '../setup/program.ts';
import { until, type Drill } from './bench.ts';

/** Longer than the balancer needs to look. */
const DRAIN = { SHUTDOWN_DRAIN_MS: '3000' };

export const rollingRestart: Drill = {
  about: 'both replicas behind HAProxy are restarted one after the other, amid calls that nobody repeats',
  page: 'a-replica-is-not-ready',
  stores: ['postgres'],
  quick: true,
  run: async (bench, kind) => {
    needProgram('haproxy');
    const store = await bench.store(kind);
    const ports = [await freePort(), await freePort()];
    const [balancer, statistics] = [await freePort(), await freePort()];
    const file = join(bench.folder, 'haproxy.cfg');
    const servers = ports.map((port, index) => `  server n${index} 127.0.0.1:${port} check`);
    writeFileSync(
      file,
      `defaults\n  mode http\n  retries 0\n  timeout connect 2s\n  timeout client 60s\n  timeout server 60s\n  timeout check 5s\nlisten statistics\n  bind 127.0.0.1:${statistics}\n  stats enable\n  stats uri /\nlisten tills\n  bind 127.0.0.1:${balancer}\n  option httpchk GET /health/ready\n  default-server inter 500ms fall 1 rise 1\n${servers.join('\n')}\n`,
    );
    for (const port of ports) await bench.start(store, { port, env: DRAIN });
    const proxy = spawn('haproxy', ['-db', '-f', file], {
      env: { PATH: `${process.env['PATH']}:/usr/sbin` },
      stdio: 'ignore',
    });
    bench.finally(() => proxy.kill('SIGKILL'));
    const url = `http://127.0.0.1:${balancer}/health/live`;
    // The next one is stopped when the balancer uses both, as whoever rolls a restart out waits for it.
    const inUse = async (): Promise<boolean> => {
      const reply = await call({ method: 'GET', url: `http://127.0.0.1:${statistics}/;csv` });
      return reply.answered && [...reply.text.matchAll(/^tills,n\d,.*,UP,/gm)].length === ports.length;
    };
    await until(inUse);
    const load = bench.load();
    const counted = { calls: 0, lost: 0 };
    const calling = { on: true };
    const caller = (async (): Promise<void> => {
      for (; calling.on; counted.calls += 1)
        if (!codeIs(await call({ method: 'GET', url }), 200)) counted.lost += 1;
    })();
    for (const [index, port] of ports.entries()) {
      await bench.more(load, 5);
      await until(inUse);
      const begun = performance.now();
      await bench.tills[0]?.stop();
      await bench.start(store, { port, env: DRAIN });
      bench.figures.set(
        `replica ${index + 1} restarted in`,
        `${((performance.now() - begun) / 1_000).toFixed(1)} s`,
      );
    }
    await bench.more(load, 5);
    calling.on = false;
    await caller;
    bench.figures.set('connections lost', `${counted.lost} of ${counted.calls}`);
    if (counted.lost > 0) bench.faults.push(`${counted.lost} calls got no answer, or another than 200`);
  },
};

const codeIs = (reply: Awaited<ReturnType<typeof call>>, status: number): boolean =>
  reply.answered && reply.status === status;
