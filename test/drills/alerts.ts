import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TcpProxy } from '../chaos/tcp-proxy.ts';
import { until } from '../harness/until.ts';
import { freePort } from '../setup/free-port.ts';
import { startPostgresPair } from '../setup/postgres-pair.ts';
import { needProgram } from '../setup/program.ts';
import type { Bench } from './bench.ts';

/** As docs/observability.md says it. */
const SCRAPE_SECONDS = 15;
/** Longer than any rule here waits. */
const PATIENCE_MS = 10 * 60_000;
/** The store is away for so long in all: an alert that ends by itself would be seen. */
const AWAY_MS = 4 * 60_000;

/**
 * Real faults before a real Prometheus that has the rules as they are shipped, at their real times: how long an alert takes to fire,
 * that it fires as long as the fault lasts, and how long it takes to end. Takes about 25 minutes.
 */
export async function alerts(bench: Bench): Promise<void> {
  const pair = await startPostgresPair({ synchronous: false });
  bench.finally(() => pair.stop());
  const line = new TcpProxy({ host: '127.0.0.1', port: pair.primary.port });
  await line.start();
  bench.finally(() => line.stop());
  const address = new URL(pair.primary.url);
  address.port = String(line.port);
  const store = await bench.storeAt({ databaseUrl: address.href });
  const [first, second] = [await bench.start(store), await bench.start(store)];
  const prometheus = await startPrometheus(bench, [first.port, second.port]);
  bench.load(2, PATIENCE_MS);
  await until(() => prometheus.up(2), PATIENCE_MS);

  await line.turn('refuse');
  const away = performance.now();
  await prometheus.fires('TillfrontStoreUnavailable', 'the store is away', away);
  await prometheus.fires('TillfrontNoReplicaReady', 'the store is away', away);
  await prometheus.goesOn('TillfrontStoreUnavailable', away + AWAY_MS);
  await line.turn('open');
  await prometheus.ends('TillfrontStoreUnavailable', 'the store is back', performance.now());

  await bench.gatewayLine.turn('refuse');
  await prometheus.fires('TillfrontGatewayDoesNotAnswer', 'the gateway is away', performance.now());
  await bench.gatewayLine.turn('open');
  await prometheus.ends('TillfrontGatewayDoesNotAnswer', 'the gateway is back', performance.now());

  await bench.gatewayLine.turn('swallow');
  await prometheus.fires(
    'TillfrontGatewaySlow',
    'the gateway takes calls and answers none',
    performance.now(),
  );
  await bench.gatewayLine.turn('open');
  // What hangs goes on hanging.
  bench.gatewayLine.cut();
  await prometheus.ends('TillfrontGatewaySlow', 'it answers again', performance.now());

  const { port } = second;
  await second.kill();
  await prometheus.fires('TillfrontReplicaDown', 'a replica is killed', performance.now());
  const third = await bench.start(store, { port });
  await prometheus.ends('TillfrontReplicaDown', 'it is back', performance.now());
  await third.kill();
  const fourth = await bench.start(store, { port });
  await prometheus.scraped(2);
  await fourth.kill();
  await bench.start(store, { port });
  await prometheus.fires('TillfrontRestarts', 'it was killed twice more', performance.now());

  // What the gateway never got is known to be so when it has said it thrice, which may take minutes after an outage: the runbook hurries it.
  await bench.stopLoad();
  for (let answers = 0; answers < 3; answers += 1) await bench.cli('reconcile');
}

/** Asks a running Prometheus which of its alerts fire. */
class Prometheus {
  readonly #url: string;
  readonly #bench: Bench;

  constructor(url: string, bench: Bench) {
    this.#url = url;
    this.#bench = bench;
  }

  /** Whether so many replicas are scraped. */
  async up(replicas: number): Promise<boolean> {
    return (await this.#value('sum(up)')) === replicas;
  }

  /** Waits until so many replicas have shown their figures from now on. */
  async scraped(replicas: number): Promise<void> {
    const later = `count(timestamp(up == 1) > ${Date.now() / 1_000})`;
    await until(async () => (await this.#value(later)) === replicas, PATIENCE_MS);
  }

  fires(alert: string, after: string, since: number): Promise<void> {
    return this.#becomes(alert, true, `\`${alert}\` fires after ${after}`, since);
  }

  ends(alert: string, after: string, since: number): Promise<void> {
    return this.#becomes(alert, false, `\`${alert}\` ends after ${after}`, since);
  }

  /** It must fire until then. */
  async goesOn(alert: string, end: number): Promise<void> {
    while (performance.now() < end) {
      if (!(await this.#isFiring(alert))) {
        this.#bench.faults.push(`${alert} ends while its cause lasts`);
        return;
      }
      await new Promise((resume) => setTimeout(resume, 1_000));
    }
  }

  async #becomes(alert: string, firing: boolean, figure: string, since: number): Promise<void> {
    await until(async () => (await this.#isFiring(alert)) === firing, PATIENCE_MS);
    this.#bench.figures.set(figure, `${((performance.now() - since) / 1_000).toFixed(0)} s`);
  }

  async #isFiring(alert: string): Promise<boolean> {
    return (await this.#value(`count(ALERTS{alertname="${alert}",alertstate="firing"})`)) !== undefined;
  }

  async #value(query: string): Promise<number | undefined> {
    const reply = await fetch(`${this.#url}/api/v1/query?query=${encodeURIComponent(query)}`).catch(
      () => undefined,
    );
    if (reply?.ok !== true) return undefined;
    const { data } = (await reply.json()) as { data: { result: { value: [number, string] }[] } };
    const value = data.result[0]?.value[1];
    return value === undefined ? undefined : Number(value);
  }
}

async function startPrometheus(bench: Bench, ports: readonly number[]): Promise<Prometheus> {
  needProgram('promtool');
  const folder = join(bench.folder, 'prometheus');
  mkdirSync(folder);
  const rules = resolve('deploy/observability/prometheus-rules.yaml');
  writeFileSync(
    join(folder, 'prometheus.json'),
    JSON.stringify({
      global: { scrape_interval: `${SCRAPE_SECONDS}s`, evaluation_interval: `${SCRAPE_SECONDS}s` },
      rule_files: [rules],
      scrape_configs: [
        { job_name: 'tillfront', static_configs: [{ targets: ports.map((port) => `127.0.0.1:${port}`) }] },
      ],
    }),
  );
  const port = await freePort();
  const program = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.json')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  const ended = new Promise((resume) => program.once('close', resume));
  bench.finally(async () => {
    program.kill();
    await ended;
  });
  return new Prometheus(`http://127.0.0.1:${port}`, bench);
}
