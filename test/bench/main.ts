import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { startServices } from '../setup/services.js';
import { median } from './load.js';
import { latency, throughput, type Added, type Turn } from './measure.js';
import { report, soak, start, stored, unknown } from './scenarios.js';
import { installMedusa } from './peers/medusa-packages.js';
import { startGateway, startServer, type Name, type Server } from './servers.js';
import { profile } from './profile.js';
import { writePage, type Figures } from './page.js';

/**
 * `npm run bench`: Tillfront on both stores beside what it replaces, by turns in one run, on one gateway. Only ratios of one run
 * carry from machine to machine. `-- --write` puts the figures into docs/performance.md. `-- --only= --start --stored 1000000
 * --unknown 10000 --report 1000000 --soak 30` measures what takes a store of its own. `medusa` among `--only` is one more peer: it
 * is installed first (275 MB), and takes minutes a round.
 */

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    payments: { type: 'string', default: '3000' },
    seconds: { type: 'string', default: '8' },
    only: { type: 'string', default: 'tillfront-postgres,tillfront-embedded,durable,express,nest' },
    'no-latency': { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    start: { type: 'boolean', default: false },
    stored: { type: 'string' },
    unknown: { type: 'string' },
    soak: { type: 'string' },
    report: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const ROUNDS = Number(options.rounds);
const PAYMENTS = Number(options.payments);
const SECONDS = Number(options.seconds);

const services = await startServices();
const gateway = await startGateway();
const servers: Server[] = [];
try {
  if (options.profile) await profile(gateway, say);
  if (options.start) await start(gateway, say);
  if (options.stored !== undefined) await stored(gateway, Number(options.stored), say);
  if (options.unknown !== undefined) await unknown(gateway, Number(options.unknown), say);
  if (options.report !== undefined) await report(gateway, Number(options.report), say);
  if (options.soak !== undefined) await soak(gateway, Number(options.soak), say);
  if (options.only !== '') await compare();
} finally {
  for (const server of servers) await server.stop();
  gateway.stop();
  await services.stop();
}

/** All servers beside each other. */
async function compare(): Promise<void> {
  for (const name of options.only.split(',') as Name[])
    if (name !== 'medusa' || (await installMedusa(say))) servers.push(await startServer(name, gateway.url));
  say(`${cpus()[0]?.model.trim() ?? '?'}, ${availableParallelism()} cores, Node ${process.versions.node}`);
  for (const server of servers) await throughput(server, 1_500, 32);

  const turns = await byTurns('at once', (server) => throughput(server, PAYMENTS, 32));
  const timed = options['no-latency']
    ? []
    : servers.filter(({ name }) => !['nest', 'express', 'medusa'].includes(name));
  const added = (busy: boolean, perSecond: number): Promise<Map<Name, Added[]>> =>
    byTurns(
      `${perSecond}/s${busy ? ', a core taken' : ''}`,
      (server) => latency(server, gateway, { perSecond, seconds: SECONDS, busy }),
      timed,
    );
  const figures: Figures = {
    turns: summary(turns),
    calm: summary(await added(false, 150)),
    busy: summary(await added(true, 150)),
    fast: summary(await added(false, 300)),
    machine: `${availableParallelism()} cores, Node ${process.versions.node}, ${ROUNDS} rounds`,
  };
  say(JSON.stringify(figures, null, 1));
  if (options.write) await writePage(figures);
}

/** Each server once a round, each round beginning with another one. */
async function byTurns<T extends Turn | Added>(
  what: string,
  measure: (server: Server) => Promise<T>,
  among = servers,
): Promise<Map<Name, T[]>> {
  const found = new Map<Name, T[]>(among.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS && among.length > 0; round += 1)
    for (let turn = 0; turn < among.length; turn += 1) {
      const server = among[(round + turn) % among.length] as Server;
      const result = await measure(server);
      found.get(server.name)?.push(result);
      say(`${round + 1} ${what} ${server.name.padEnd(19)} ${inShort(result)}`);
    }
  return found;
}

/** The median of each figure over all rounds. */
function summary<T extends object>(found: Map<Name, T[]>): Partial<Record<Name, T>> {
  return Object.fromEntries(
    [...found].map(([name, results]) => [
      name,
      Object.fromEntries(
        Object.keys(results[0] ?? {}).map((key) => [
          key,
          median(results.map((result) => Number(result[key as keyof T]))),
        ]),
      ),
    ]),
  );
}

function inShort(result: object): string {
  return Object.entries(result)
    .map(([key, value]) => `${key} ${Number(value).toFixed(2)}`)
    .join('  ');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
