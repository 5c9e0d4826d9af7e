import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startServices } from '../setup/services.ts';
import { DRILLS, runDrill } from './drills.ts';

/** `npm run drill`: real faults of real parts, each with load, an audit and a figure. */

const HELP = `npm run drill -- [NAME…] [options]
  --list          the drills, and what each needs
  --store S       only on this store: embedded or postgres
  --write         puts the figures into docs/reliability.md`;

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean', default: false },
    store: { type: 'string' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

async function main(): Promise<void> {
  const services = await startServices();
  const rows = new Map<string, string>();
  try {
    for (const [name, drill] of chosen()) {
      for (const store of drill.stores.filter((one) => given.store === undefined || one === given.store)) {
        const begun = performance.now();
        process.stdout.write(`${name} (${store}): ${drill.about}\n`);
        const { faults, figures } = await runDrill(drill, store);
        const measured = [...figures].map(([words, value]) => `${words}: ${value}`).join('; ');
        process.stdout.write(`  ${measured}\n  ${((performance.now() - begun) / 1_000).toFixed(0)} s\n`);
        for (const fault of faults) process.stdout.write(`  FAULT: ${fault}\n`);
        if (faults.length > 0) process.exitCode = 1;
        const found = faults.length === 0 ? 'none' : `${faults.length}`;
        rows.set(`\`${name}\`, ${store}`, `${drill.about} | ${measured} | ${found}`);
      }
    }
  } finally {
    await services.stop();
  }
  if (given.write) write(rows);
}

function chosen(): [string, (typeof DRILLS)[string]][] {
  const unknown = positionals.filter((name) => !Object.hasOwn(DRILLS, name));
  if (unknown.length > 0) throw new Error(`No such drill: ${unknown.join(', ')} (--list names all)`);
  return Object.entries(DRILLS).filter(([name]) => positionals.length === 0 || positionals.includes(name));
}

/** Each row that was run anew replaces the former one. */
function write(rows: ReadonlyMap<string, string>): void {
  const file = new URL('../../docs/reliability.md', import.meta.url);
  const text = readFileSync(file, 'utf8');
  const [begin, end] = ['<!-- figures of npm run drill -->\n', '<!-- end of the drills -->'];
  const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
  if (from < begin.length || to < from) throw new Error('docs/reliability.md has no place for the figures');
  const former = [...text.slice(from, to).matchAll(/^\| (`.*?) \| (.*) \|$/gm)];
  const all = new Map([...former.map(([, name = '', rest = '']) => [name, rest] as const), ...rows]);
  const order = Object.keys(DRILLS);
  const place = (name: string): number => order.indexOf(name.slice(1, name.lastIndexOf('`')));
  const lines = [...all]
    .filter(([name]) => place(name) >= 0)
    .sort(([one], [other]) => place(one) - place(other) || one.localeCompare(other))
    .map(([name, rest]) => `| ${name} | ${rest} |`);
  const table = ['| drill | what happens | figures | faults |', '|---|---|---|---|', ...lines].join('\n');
  writeFileSync(file, `${text.slice(0, from)}\n${table}\n\n${text.slice(to)}`);
}

if (given.help) process.stdout.write(`${HELP}\n`);
else if (given.list) {
  for (const [name, { about, stores, quick }] of Object.entries(DRILLS))
    process.stdout.write(`${name} (${stores.join(', ')}${quick ? '; also a test' : ''}): ${about}\n`);
} else await main();
