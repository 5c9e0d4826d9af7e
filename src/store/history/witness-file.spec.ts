import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Witness } from './witness.js';
import { WitnessFile } from './witness-file.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillfront-test-witness-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const kept = {
  store: 'one',
  history: { system: '7', timeline: 2 },
  commits: [{ reference: 'A', version: 3 }],
  accepted: ['loss_1'],
  epoch: 2,
};

test('what was written is read again, for the same store and by its owner alone', async () => {
  const file = new WitnessFile(folder);
  await Promise.all([file.write({ ...kept, commits: [] }), file.write(kept)]);
  expect(new WitnessFile(folder).read('one')).toEqual(kept);
  expect(new WitnessFile(folder).read('another')).toBeUndefined();
  expect(statSync(join(folder, 'witness.json')).mode & 0o777).toBe(0o600);
});

test('writers that share a folder never leave half of a file', async () => {
  const writers = [new WitnessFile(folder), new WitnessFile(folder), new WitnessFile(folder)];
  const short = { ...kept, commits: [] };
  const commits = Array.from({ length: 60_000 }, (_, index) => ({ reference: `ORDER-${index}`, version: 1 }));
  for (let round = 0; round < 8; round += 1) {
    const [one, two, three] = writers.map((writer, index) =>
      writer.write(index === 1 ? short : { ...kept, commits }),
    );
    await Promise.race([one, two, three]);
    expect(new WitnessFile(folder).read('one')).toBeDefined();
    await Promise.all([one, two, three]);
    expect(new WitnessFile(folder).read('one')).toBeDefined();
  }
  expect(readdirSync(folder)).toEqual(['witness.json']);
});

test('what a killed process left beside it is removed at the next start, and what another one writes now is not', () => {
  const [left, current] = [`witness.json.${randomUUID()}`, `witness.json.${randomUUID()}`];
  for (const name of [left, current, 'witness.json.mine']) {
    writeFileSync(join(folder, name), '');
    const hourAgo = new Date(Date.now() - 3_600_000);
    if (name !== current) utimesSync(join(folder, name), hourAgo, hourAgo);
  }
  const before = readdirSync(folder);
  new WitnessFile(folder).read('one');
  expect(readdirSync(folder)).toEqual(before);
  new WitnessFile(folder).tidy();
  expect(readdirSync(folder).sort()).toEqual(['witness.json', current, 'witness.json.mine'].sort());
  for (const name of [current, 'witness.json.mine']) rmSync(join(folder, name));
});

test.each(['', 'no JSON', '[]', '{"store":"one"}', '{"store":"one","commits":1,"accepted":[]}'])(
  'a file that holds %j is as none',
  (text) => {
    writeFileSync(join(folder, 'witness.json'), text);
    expect(new WitnessFile(folder).read('one')).toBeUndefined();
  },
);

test('a folder that is not there stops nothing', async () => {
  const file = new WitnessFile(join(folder, 'missing'));
  await file.write(kept);
  expect(file.read('one')).toBeUndefined();
});

test('only the newest commits are remembered, each with its greatest version', () => {
  const witness = new Witness();
  for (let index = 0; index < 500; index++) witness.note({ reference: `R${index}`, version: 1 });
  witness.note({ reference: 'R400', version: 5, attempts: 2 });
  witness.note({ reference: 'R400', version: 4, attempts: 1 });
  expect(witness.commits()).toHaveLength(200);
  expect(witness.commits().at(-1)).toEqual({ reference: 'R400', version: 5, attempts: 2 });
});
