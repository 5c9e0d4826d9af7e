import { describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { Client } from 'pg';
import { parse } from 'yaml';
import { Helm } from '../deploy/helm.js';
import { startScene } from '../harness/scene.js';
import { createEmptyStore } from '../harness/test-store.js';
import { needProgram, type Program } from '../setup/program.js';
import { openBench } from './bench.js';
import { blocksOf, documents, readDocument, type Block } from './markdown.js';

/** Whose commands and examples are run here, from a reader's place; the others have a test of their own, named below. */
const RUN_HERE: Record<string, { running: boolean; programs: Program[]; files?: Record<string, string> }> = {
  '../README.md': { running: false, programs: [] },
  'quick-start.md': { running: false, programs: ['curl'] },
  'integrate.md': { running: true, programs: ['php'] },
  'accounting.md': { running: true, programs: [] },
  'cli.md': { running: true, programs: [] },
  'runbook.md': { running: true, programs: ['curl', 'jq'] },
  'observability.md': { running: true, programs: ['curl'] },
  'container.md': { running: true, programs: [] },
  'logs.md': { running: true, programs: [] },
  'metrics.md': { running: true, programs: [] },
  'scale.md': { running: true, programs: [] },
};

/** The README's lines for a shop, which are run in a browser, and its drawing. */
const README_ELSEWHERE = /^(?:js|html|)$/;

/** Documents whose examples another test runs, which names them. */
const RUN_ELSEWHERE: Record<string, string> = {
  'webhooks.md': 'test/docs/receivers.spec.ts',
  'sandbox.md': 'test/sandbox/documentation.spec.ts',
  'kit.md': 'test/browser/kit-document.spec.ts',
  'your-gateway.md': 'test/profiles/your-gateway.spec.ts',
};

const describeRuns = Object.entries(RUN_HERE).map(([document, options]) => ({ document, ...options }));

describe.each(describeRuns)('docs/$document', ({ document, running, programs, files }) => {
  const blocks = blocksOf(document).filter(
    ({ language }) => document !== '../README.md' || !README_ELSEWHERE.test(language),
  );

  const runs = blocks.some(({ language, info }) => language === 'sh' && !info.startsWith('not-here:'));
  if (runs) {
    test('every command and program does what it says', async () => {
      for (const program of ['bash', ...programs] as const) needProgram(program);
      const bench = await openBench({ running, files });
      try {
        const outputs = await bench.run(blocks);
        for (const [index, block] of blocks.entries()) {
          let rest = outputs[index] ?? '';
          for (const wanted of block.expected) {
            expect({ line: block.line, output: rest }).toEqual({
              line: block.line,
              output: expect.stringContaining(wanted),
            });
            rest = rest.slice(rest.indexOf(wanted) + wanted.length);
          }
          if (block.expectedFile) {
            const { name, text } = block.expectedFile;
            expect({ line: block.line, file: await bench.file(name) }).toEqual({
              line: block.line,
              file: expect.stringContaining(text),
            });
          }
        }
      } finally {
        await bench.close();
      }
    }, 300_000);
  }

  test('what is not run here is right as far as that can be seen, and says why', () => {
    for (const block of blocks) {
      expect([block.line, block.language]).toEqual([block.line, expect.stringMatching(LANGUAGES)]);
      if (block.language === 'json') for (const line of jsonOf(block.code)) JSON.parse(line);
      if (block.language === 'yaml') parse(block.code);
      if (block.language === 'sh')
        expect([block.line, block.info]).toEqual([block.line, expect.stringMatching(INFO)]);
      if (block.info.startsWith('not-here:')) checkUnrun(block);
      else if (block.language === 'js') expect(block.info).toMatch(/^from=examples\//);
    }
  });
});

const LANGUAGES = /^(?:sh|js|json|yaml|sql)$/;
const INFO = /^(?:|background|postgres|not-here: .{10,})$/;

/** A document's JSON, or its lines where each is one. */
function jsonOf(code: string): string[] {
  return code
    .trim()
    .split('\n')
    .every((line) => line.startsWith('{') && line.endsWith('}'))
    ? code.trim().split('\n')
    : [code];
}

test('code that is shown is the examples’ own, line by line', () => {
  const shown = documents()
    .flatMap(blocksOf)
    .filter(({ info }) => info.startsWith('from='));
  expect(shown.length).toBeGreaterThan(3);
  for (const { document, line, info, code } of shown) {
    const file = info.replace('from=', '');
    const isOwn = `\n${readFileSync(file, 'utf8')}`.includes(`\n${code}`);
    expect({ document, line, file, isOwn }).toEqual({ document, line, file, isOwn: true });
  }
});

/** Commands for machines that a test has not: they must be bash, and the files that they name must be there. */
function checkUnrun({ code, line }: Block): void {
  expect([line, spawnSync('bash', ['-n'], { input: code, encoding: 'utf8' }).stderr]).toEqual([line, '']);
  for (const [path = ''] of code.matchAll(/\bdeploy\/[\w./-]+/g))
    expect([line, path, existsSync(path)]).toEqual([line, path, true]);
  const scripts = (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> })
    .scripts;
  for (const [, script = ''] of code.matchAll(/npm run ([\w:]+)/g))
    expect(Object.keys(scripts)).toContain(script);
}

test('the chart takes the values that container.md shows, and makes what it says', () => {
  const [block] = blocksOf('container.md').filter(({ info }) => info === 'values-of=deploy/helm/tillfront');
  const values = parse(block?.code ?? '') as { secrets: { names: string[] } };
  const made = blocksOf('container.md')
    .flatMap(({ code }) => [...code.matchAll(/--from-literal=(\w+)=/g)])
    .map(([, name]) => name);
  expect(made.sort()).toEqual(values.secrets.names.toSorted());
  const helm = new Helm();
  try {
    expect(helm.template(values).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['Deployment', 'Ingress', 'PrometheusRule']),
    );
  } finally {
    helm.end();
  }
});

test('every statement of SQL runs on the schema', async () => {
  const store = await createEmptyStore('postgres');
  const scene = await startScene(store);
  const client = new Client({ connectionString: store.databaseUrl });
  await client.connect();
  try {
    const statements = documents()
      .flatMap(blocksOf)
      .filter(({ language }) => language === 'sql');
    expect(statements.length).toBeGreaterThan(0);
    for (const { code, document, line } of statements) {
      await client.query(code).catch((error: unknown) => {
        throw new Error(`docs/${document}:${line}`, { cause: error });
      });
    }
  } finally {
    await client.end();
    await scene.stop();
    await store.dispose();
  }
});

/** What a reader would type; such a block must say that it is one. */
const COMMAND = /^(?:npm|npx|node|curl|docker|kubectl|helm|export|php|python3|[A-Z_]+=)\b/m;

test('no document with examples is forgotten', () => {
  for (const document of documents()) {
    const unnamed = blocksOf(document).filter(({ language }) => language === '');
    for (const { code, line } of unnamed)
      expect([document, line, code]).not.toEqual([document, line, expect.stringMatching(COMMAND)]);
    const runnable = blocksOf(document).filter(
      ({ language, info }) =>
        /^(?:sh|bash|ts|js|php|python)$/.test(language) && !info.startsWith('not-here:'),
    );
    if (runnable.length === 0 || document in RUN_HERE) continue;
    const elsewhere = RUN_ELSEWHERE[document];
    expect([document, elsewhere]).toEqual([document, expect.any(String)]);
    expect([document, readFileSync(elsewhere ?? '', 'utf8').includes(document)]).toEqual([document, true]);
  }
  for (const document of Object.keys(RUN_HERE)) expect(readDocument(document).length).toBeGreaterThan(0);
});
