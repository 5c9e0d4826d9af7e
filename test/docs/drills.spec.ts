import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { DRILLS } from '../drills/drills.ts';

const runbook = new Map(
  readFileSync('docs/runbook.md', 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((section) => [anchorOf(section.slice(0, section.indexOf('\n'))), section]),
);

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
}

test.each(Object.entries(DRILLS))('the runbook’s page of the drill %s names it', (name, { page }) => {
  expect(runbook.get(page)).toContain(`npm run drill -- ${name}`);
});

test('every drill that the runbook names exists', () => {
  const named = [...runbook.values()].flatMap((section) => [
    ...section.matchAll(/npm run drill -- ([a-z-]+)/g),
  ]);
  expect(named.map(([, name]) => name).filter((name) => !Object.hasOwn(DRILLS, name ?? ''))).toEqual([]);
});
