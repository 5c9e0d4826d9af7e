import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Tally } from './budget/hostile-client.js';
import { measure, narrowed, type Figures, type Row } from './budget/measure.js';
import { ordinarily } from './budget/manners.js';
import { ROWS } from './budget/rows.js';
import { startSubject, type Setting, type Subject } from './budget/subject.js';
import { lineOf, tableOf } from './budget/table.js';

/**
 * What a connection may cost: every route of the description, the pages and the ports, as nobody, as a payer and as a merchant,
 * in every manner in which a client can behave. Run alone, `npm run budget` writes its figures into docs/security.md.
 */

/** `npm run budget` names a file for the table. */
const TABLE = process.env['BUDGET_TABLE'];

const measured: [Row, Figures][] = [];
let subject: (Subject & { readonly setting: Setting }) | undefined;

/** A service of its own, so that no manner pays for the one before. */
async function freshService(setting: Setting): Promise<Subject> {
  await stopService();
  subject = Object.assign(await startSubject(setting), { setting });
  return subject;
}

async function stopService(): Promise<void> {
  await subject?.stop();
  subject = undefined;
}

/**
 * The service of the row before, which must have given everything back, with new things that the calls are about. What it has cost so
 * far counts: the figures are compared with those before the first row.
 */
async function sharedService(setting: Setting): Promise<Subject> {
  if (subject?.setting !== setting || subject.ended() !== undefined) return freshService(setting);
  await subject.renew();
  return subject;
}

afterAll(async () => {
  await stopService();
  if (TABLE !== undefined) writeFileSync(TABLE, tableOf(measured));
});

/** Every call of the description is made as it is meant, so that an attack on it means something. Limits refuse some. */
async function expectMeant({ meant, ports }: Subject, setting: Setting): Promise<void> {
  if (setting !== 'unlimited') return;
  const statuses = await ordinarily(meant, 1, { ports, tally: new Tally() }, 1);
  const refused = [...statuses].filter(([name, all]) =>
    all.some((status) => !isWork(status) && !isBounded(name, status)),
  );
  expect(refused.map(([name, all]) => `${all.join()} ${name}`)).toEqual(EXPECTED_REFUSALS);
}

/** An answer of the call itself: not a refusal of who asks or of the form of what was asked. */
const isWork = (status: number): boolean => status < 400 || status === 409;

/** Calls about one payment that ask the gateway are so many a minute, and more were made before. */
const isBounded = (name: string, status: number): boolean => status === 429 && name.includes('/cancel');

/** What nobody can make work here: with one person's key there is nothing to approve. */
const EXPECTED_REFUSALS = [
  '404 POST /v1/approvals/{id}/approve as merchant',
  '404 POST /v1/approvals/{id}/decline as merchant',
  '404 GET /nothing/here as nobody',
];

/** Figures are those of a service of its own and of one call after the other. */
async function measureAlone(row: Row): Promise<Figures> {
  const target = await freshService(row.setting);
  await expectMeant(target, row.setting);
  const figures = await measure(row, target);
  if (figures.faults.length === 0) return figures;
  const calls = row.mixed && target.ended() === undefined ? await narrowed(row, target) : [];
  return {
    ...figures,
    faults: [...figures.faults, ...calls.map(({ route, who }) => `by ${route} as ${who}`)],
  };
}

/**
 * Fifty connections cost at least what one of them does, under the same bounds: one alone is measured for the table.
 */
const rows = TABLE === undefined ? ROWS.filter(({ connections }) => connections > 1) : ROWS;

describe.each(rows)('$manner, connections: $connections', (row) => {
  test('costs no more than it may, and gives it back', async () => {
    if (TABLE === undefined) {
      const target = await sharedService(row.setting);
      await expectMeant(target, row.setting);
      const { faults } = await measure(row, target, row.together);
      if (faults.length === 0) return;
      process.stderr.write(
        `${row.manner}, connections: ${row.connections}: again alone, after ${faults.join('; ')}\n`,
      );
    }
    const figures = await measureAlone(row);
    measured.push([row, figures]);
    if (TABLE !== undefined) process.stdout.write(`${lineOf(row, figures)}\n`);
    expect(figures.faults).toEqual([]);
  }, 900_000);
});
