import { readFile, writeFile } from 'node:fs/promises';
import type { Added, Turn } from './measure.js';
import type { Name } from './servers.js';

/** The medians of one run. */
export interface Figures {
  machine: string;
  turns: Partial<Record<Name, Turn>>;
  calm: Partial<Record<Name, Added>>;
  busy: Partial<Record<Name, Added>>;
  fast: Partial<Record<Name, Added>>;
}

const PAGE = 'docs/performance.md';
const [BEGIN, END] = ['<!-- bench -->', '<!-- /bench -->'];
const TITLES: Record<Name, string> = {
  'tillfront-postgres': '**Tillfront, PostgreSQL**',
  'tillfront-embedded': '**Tillfront, embedded**',
  durable: 'Express + axios + pg, a row before and after',
  express: 'Express + axios, stores nothing',
  nest: 'Nest + TypeORM',
  medusa: 'Medusa’s payment module',
};

/** Puts the figures between the page's marks. */
export async function writePage(figures: Figures): Promise<void> {
  const text = await readFile(PAGE, 'utf8');
  const [before, rest] = text.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`${PAGE} has no ${BEGIN} and ${END}`);
  await writeFile(PAGE, `${before}${BEGIN}\n\n${tables(figures)}\n\n${END}${after}`);
}

function tables({ machine, turns, calm, busy, fast }: Figures): string {
  const durable = turns.durable;
  const names = Object.keys(turns) as Name[];
  const main = table(
    ['32 at a time', 'payments/s', '×', 'processor', '×', 'database’s', 'objects', 'rows', 'log'],
    names.map((name) => {
      const turn = turns[name] as Turn;
      return [
        TITLES[name],
        turn.perSecond.toFixed(0),
        (turn.perSecond / (durable?.perSecond ?? NaN)).toFixed(2),
        `${turn.cpuMs.toFixed(2)} ms`,
        (turn.cpuMs / (durable?.cpuMs ?? NaN)).toFixed(2),
        turn.databaseCpuMs === 0 ? '–' : `${turn.databaseCpuMs.toFixed(2)} ms`,
        `${turn.objects.toFixed(0)} kB`,
        turn.rows === 0 ? '–' : turn.rows.toFixed(1),
        turn.rows === 0 ? '–' : `${turn.databaseLog.toFixed(1)} kB`,
      ];
    }),
  );
  const ms = (value: number | undefined): string => (value === undefined ? '–' : `${value.toFixed(1)} ms`);
  const added = table(
    [
      'added to a gateway of 50 ms',
      'p50, 150/s',
      'p99, 150/s',
      'p99, a core taken',
      'event loop held up, 300/s',
    ],
    (Object.keys(calm) as Name[]).map((name) => [
      TITLES[name],
      ms(calm[name]?.p50),
      ms(calm[name]?.p99),
      ms(busy[name]?.p99),
      ms(fast[name]?.heldUpMs),
    ]),
  );
  return `${machine}. × is against Express + axios + pg.\n\n${main}\n\n${added}`;
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
