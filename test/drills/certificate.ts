import { readFileSync, writeFileSync } from 'node:fs';
import { needProgram } from '../setup/program.ts';
import { pause, until, type Drill } from './bench.ts';
import { issue, makeAuthority, startTlsFront } from './throw-away-ca.ts';

/** Payments go on for so long with a certificate that is about to end. */
const LIVES_MS = 3_000;
const DAY_MS = 86_400_000;

export const certificate: Drill = {
  about: 'the gateway’s certificate ends amid payments, then GATEWAY_CA_FILE is overwritten with garbage',
  page: 'a-certificate-or-a-name-is-wrong',
  stores: ['embedded'],
  quick: true,
  run: async (bench, kind) => {
    needProgram('openssl');
    const ca = makeAuthority(bench.folder);
    const front = await startTlsFront(bench, issue(bench.folder, Date.now() + DAY_MS));
    const env = { GATEWAY_CA_FILE: ca };
    const store = await bench.store(kind);
    await bench.start(store, { gatewayUrl: `https://localhost:${front.port}`, env });
    const load = bench.load();
    await bench.more(load, 5);
    const ends = Date.now() + LIVES_MS;
    front.use(issue(bench.folder, ends));
    front.cut();
    await pause(Math.max(0, ends - Date.now()) + 1_000);
    const named = (): boolean => bench.till.logs().includes('CERT_HAS_EXPIRED');
    await bench.timed('expired: named in the log', () => front.cut(), named);
    // Beside payers on a busy machine it did not say so the first time, once.
    await until(async () => (await bench.cli('doctor')).text.includes('expired'));
    const renewed = (): void => front.use(issue(bench.folder, Date.now() + DAY_MS));
    await bench.timed('renewed: paying again', renewed, () => bench.paying());
    await bench.more(load, 5);
    const kept = readFileSync(ca);
    const warned = (): boolean => /"level":"(?:warn|error)".*GATEWAY_CA_FILE/.test(bench.till.logs());
    await bench.timed('garbage in GATEWAY_CA_FILE: warned', () => writeFileSync(ca, 'garbage'), warned);
    front.cut();
    if (!(await bench.paying())) bench.faults.push('garbage in GATEWAY_CA_FILE stops payments');
    writeFileSync(ca, kept);
    await bench.more(load, 5);
  },
};
