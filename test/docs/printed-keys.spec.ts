import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readSettings } from '../../demo/settings.ts';
import { readConfig } from '../../src/config/read-config.js';

/** Whoever copies a key out of our documents, examples or demo has one that everybody knows: production refuses each. */

const PLACES = [
  ...[
    'README.md',
    'CONTRIBUTING.md',
    'docs',
    'examples',
    'packages',
    'demo',
    'deploy',
    'browser',
    '.env.example',
    '.github',
  ],
];
const files = execFileSync('git', ['ls-files', '--', ...PLACES], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => /(?:\.(?:md|[cm]?[jt]sx?|php|py|ya?ml|json|sh)|\.env\.example)$/.test(path))
  .filter((path) => !path.endsWith('package-lock.json'));

/** Assignments to a variable of ours, in shells, YAML and code, and the names by which the demo's settings know keys. */
const ASSIGNED =
  /\b(MERCHANT_API_KEY|MERCHANT_READ_API_KEY|MERCHANT_BOOKS_API_KEY|SECRET_KEY|NOTIFICATION_SECRET|MERCHANT_WEBHOOK_SECRET)(?:=|: *)['"]?([A-Za-z0-9_+/=,.…-]+)/g;
const WEBHOOK_SECRET = /\bwhsec_[A-Za-z0-9+/=]{4,}/g;

interface Printed {
  readonly path: string;
  readonly variable: string;
  readonly value: string;
}

const inDocuments = files.flatMap((path): Printed[] => {
  const text = readFileSync(path, 'utf8');
  const assigned = [...text.matchAll(ASSIGNED)].map(([, variable = '', value = '']) => ({
    ...{ path, variable, value },
  }));
  const webhook = [...text.matchAll(WEBHOOK_SECRET)].map(([value]) => ({
    ...{ path, variable: 'MERCHANT_WEBHOOK_SECRET' as const, value },
  }));
  return [...assigned, ...webhook];
});

const demo = readSettings({});
const printed: Printed[] = [
  ...inDocuments,
  { path: 'demo/settings.ts', variable: 'MERCHANT_API_KEY', value: demo.merchantKey },
  { path: 'demo/settings.ts', variable: 'MERCHANT_READ_API_KEY', value: demo.merchantKey },
  { path: 'demo/settings.ts', variable: 'MERCHANT_WEBHOOK_SECRET', value: demo.webhookSecret },
];

test('they are found: the quick start’s among them', () => {
  expect(printed.map(({ value }) => value)).toEqual(
    expect.arrayContaining(['a-key-that-i-have-chosen', demo.merchantKey, demo.webhookSecret]),
  );
});

describe('production refuses', () => {
  test.each(printed)('$variable=$value, which $path prints', ({ variable, value }) => {
    const { problems } = readConfig({ NODE_ENV: 'production', [variable]: value });
    expect(problems.map((problem) => problem.variable)).toContain(variable);
  });
});
