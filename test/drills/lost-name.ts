import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '../chaos/calls.ts';
import { needLibrary } from '../setup/program.ts';
import { codeOf, until, type Bench, type Drill } from './bench.ts';

/** A name that no resolver knows (RFC 6761): it exists only as long as the drill says so. */
const NAME = 'gateway.invalid';
/** So many payers are refused before the name is back. */
const REFUSED = 5;

export const lostName: Drill = {
  about: 'the gateway’s name cannot be resolved any more amid payments (libnss_wrapper), and then can',
  page: 'a-certificate-or-a-name-is-wrong',
  stores: ['embedded'],
  quick: true,
  run: async (bench, kind) => {
    const names = new Names(join(bench.folder, 'hosts'));
    const env = { LD_PRELOAD: needLibrary('libnss_wrapper.so'), NSS_WRAPPER_HOSTS: names.file };
    const store = await bench.store(kind);
    await bench.start(store, { gatewayUrl: `http://${NAME}:${bench.gatewayLine.port}`, env });
    const load = bench.load();
    await bench.more(load);
    const logged = (): boolean => /"cause":"(?:ENOTFOUND|EAI_AGAIN)"/.test(bench.till.logs());
    const gone = (): void => {
      names.know();
      // A connection that is open needs no name.
      bench.gatewayLine.cut();
    };
    await bench.timed('name gone: named in the log', gone, logged);
    const before = await callsNotSent(bench);
    for (let refused = 0; refused < REFUSED; refused += 1) {
      const code = codeOf(await bench.buy(`NAME-${process.pid}-${refused}`));
      if (code !== 'gateway-unavailable') bench.faults.push(`a payer gets ${code}`);
    }
    await until(async () => (await callsNotSent(bench)) >= before + REFUSED);
    if ((await bench.readiness()).status !== 200)
      bench.faults.push('a gateway without a name makes it not ready');
    if (!(await bench.cli('doctor')).text.includes('The name of the gateway cannot be resolved. (E'))
      bench.faults.push('the doctor does not say that the name cannot be resolved');
    await bench.timed(
      'name back: paying again',
      () => names.know(`127.0.0.1 ${NAME}`),
      () => bench.paying(),
    );
    await bench.more(load);
  },
};

/** The file in which processes look names up before they ask anybody else. */
class Names {
  readonly file: string;
  #changes = 0;

  constructor(file: string) {
    this.file = file;
    this.know(`127.0.0.1 ${NAME}`);
  }

  /** These names and no others are known from now on. */
  know(...lines: string[]): void {
    writeFileSync(this.file, lines.map((line) => `${line}\n`).join(''));
    // Read again only where it is of another second.
    this.#changes += 1;
    utimesSync(this.file, this.#changes, this.#changes);
  }
}

/** What `TillfrontGatewayDoesNotAnswer` counts: calls that were not sent. */
async function callsNotSent({ till }: Bench): Promise<number> {
  const metrics = await call({ method: 'GET', url: `${till.url}/metrics` });
  if (!metrics.answered) return 0;
  return [
    ...metrics.text.matchAll(
      /^tillfront_gateway_request_duration_seconds_count\{[^}]*outcome="not-sent"[^}]*\} (\d+)/gm,
    ),
  ]
    .map(([, count]) => Number(count))
    .reduce((sum, count) => sum + count, 0);
}
