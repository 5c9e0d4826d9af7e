import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { VARIABLES } from '../../sandbox/environment.ts';
import { FAULT_KINDS } from '../../sandbox/faults/fault.ts';
import { startSandbox, type Sandbox } from '../../sandbox/server.ts';
import { DEFAULT_SETTINGS } from '../../sandbox/settings.ts';
import { TEST_AMOUNTS } from '../../sandbox/bank/test-amounts.ts';
import { TEST_CARDS } from '../../sandbox/bank/test-cards.ts';

const TEXT = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8');
const ITEMS = TEXT.split('\n').filter((line) => line.startsWith('- '));

test('the documentation has every test card and amount as they are, and no others', () => {
  expect(ITEMS.filter((item) => /^- `[0-9]{15,19}`/.test(item))).toEqual(
    TEST_CARDS.map(({ number, brand, title }) => `- \`${number}\` ${brand}: ${title}`),
  );
  expect(ITEMS.filter((item) => /^- `\.[0-9]{2}`/.test(item))).toEqual(
    TEST_AMOUNTS.map(({ minor, title }) => `- \`.${minor}\`: ${title}`),
  );
});

test.each([...FAULT_KINDS, ...VARIABLES, ...Object.keys(DEFAULT_SETTINGS)])(
  'the documentation names %s',
  (name) => {
    expect(TEXT).toContain(`\`${name}\``);
  },
);

test('the program starts a sandbox, and the fault that is shown is taken', async () => {
  const [code = ''] = blocksIn('ts');
  const body = code.replace(/^import .*;$/m, '').replaceAll('await sandbox.close();', 'return sandbox;');
  const AsyncFunction = (async () => {}).constructor as new (
    ...words: string[]
  ) => (start: typeof startSandbox, notifyUrl: string) => Promise<Sandbox>;
  const sandbox = await new AsyncFunction('startSandbox', 'notifyUrl', body)(
    startSandbox,
    'http://127.0.0.1:9/v1/gateway/notifications',
  );
  try {
    for (const fault of blocksIn('json')) {
      const answer = await fetch(`${sandbox.url}/sandbox/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: fault,
      });
      expect([fault, answer.status]).toEqual([fault, 200]);
    }
  } finally {
    await sandbox.close();
  }
});

function blocksIn(language: string): string[] {
  const found = [...TEXT.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))];
  expect([language, found.length]).not.toEqual([language, 0]);
  return found.map(([, code = '']) => code);
}
