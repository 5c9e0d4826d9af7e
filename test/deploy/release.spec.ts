import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { factsOf } from '../../deploy/release/facts.ts';
import { faultsOf, type ReleaseFacts } from '../../deploy/release/faults.ts';
import { asSums, differences, list, sha256 } from '../../deploy/release/listing.ts';
import { readStatement, statementOf } from '../../deploy/release/provenance.ts';

/** `npm run release:check` as to its judgement. The two builds themselves take minutes and are the release's own. */

const head = 'a'.repeat(40);
const notes = '### Added\n\n- Something.\n';

/** A commit that nothing keeps from being a release. */
const good: ReleaseFacts = {
  version: '0.2.0',
  versions: { 'browser/package.json': '0.2.0', 'Chart.yaml, appVersion': '0.2.0' },
  changelog: `# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2031-01-31\n\n${notes}\n## [0.1.0] - 2030-01-31\n\n${notes}`,
  tag: { name: 'v0.2.0', commit: head, annotated: true, head, expected: true },
  changed: [],
  labels: { 'image.version': { wanted: '0.2.0', found: '0.2.0' } },
  inventory: {
    metadata: { component: { 'bom-ref': 'tillfront@0.2.0', type: 'application', name: 'tillfront' } },
    components: [
      { 'bom-ref': 'node@26.10.0', type: 'platform', name: 'node', version: '26.10.0', purl: 'pkg:x' },
      { 'bom-ref': 'pg@8.23.1', type: 'library', name: 'pg', version: '8.23.1', purl: 'pkg:x' },
    ],
    dependencies: [],
  },
  dependencies: { pg: '8.23.1' },
  node: '26.10.0',
};

test('a commit where everything agrees has no fault', () => {
  expect(faultsOf(good)).toEqual([]);
});

const changelog = (text: string) => ({ changelog: text });
const tag = (change: Partial<ReleaseFacts['tag']>) => ({ tag: { ...good.tag, ...change } });
const components = (change: (all: typeof good.inventory.components) => typeof good.inventory.components) => ({
  inventory: { ...good.inventory, components: change(good.inventory.components) },
});

test.each<[string, Partial<ReleaseFacts>, string[]]>([
  [
    'a chart of another version',
    { versions: { 'Chart.yaml, appVersion': '0.1.0' } },
    ['Chart.yaml, appVersion: has 0.1.0, package.json has 0.2.0'],
  ],
  [
    'a place that names none',
    { versions: { 'docs/container.md': undefined } },
    ['docs/container.md: has no version, package.json has 0.2.0'],
  ],
  ['no section', changelog('## [Unreleased]\n'), ['CHANGELOG.md: has no "## [0.2.0] - <date>"']],
  [
    'a section of a version that only begins alike',
    changelog(`## [Unreleased]\n\n## [0.2.0-rc.1] - 2031-01-31\n\n${notes}`),
    ['CHANGELOG.md: has no "## [0.2.0] - <date>"'],
  ],
  [
    'a section without notes',
    changelog(
      `## [Unreleased]\n\n## [0.2.0] - 2031-01-31\n\n### Added\n\n## [0.1.0] - 2030-01-31\n\n${notes}`,
    ),
    ['CHANGELOG.md: "## [0.2.0]" has no notes'],
  ],
  [
    'one without a date',
    changelog(`## [Unreleased]\n\n## [0.2.0]\n\n${notes}`),
    ['CHANGELOG.md: "## [0.2.0]" has no date like 2031-01-31'],
  ],
  [
    'a day that is none',
    changelog(`## [Unreleased]\n\n## [0.2.0] - 2031-02-30\n\n${notes}`),
    ['CHANGELOG.md: "## [0.2.0]" has no date like 2031-01-31'],
  ],
  [
    'notes that were not moved',
    changelog(`## [Unreleased]\n\n${notes}\n## [0.2.0] - 2031-01-31\n\n${notes}`),
    ['CHANGELOG.md: has notes in "Unreleased", which belong under the version'],
  ],
  [
    'no room for what comes',
    changelog(`## [0.2.0] - 2031-01-31\n\n${notes}`),
    ['CHANGELOG.md: does not begin with "## [Unreleased]"'],
  ],
  ['no tag', tag({ commit: undefined, annotated: false }), ['tag v0.2.0: does not exist']],
  [
    'the tag of another commit',
    tag({ commit: 'b'.repeat(40) }),
    [`tag v0.2.0: names ${'b'.repeat(40)}, and this is ${head}`],
  ],
  ['a mere name', tag({ annotated: false }), ['tag v0.2.0: is a mere name; make it by git tag --sign']],
  ['a tag of another form', tag({ name: '0.2.0' }), ['tag 0.2.0: must be v0.2.0']],
  [
    'a tag that was given before',
    tag({ expected: false }),
    ['tag v0.2.0: exists already, and a tag is never given twice'],
  ],
  [
    'a file that is not in the commit',
    { changed: [' M src/main.ts', '?? notes'] },
    ['working tree: M src/main.ts is not in the commit', 'working tree: ?? notes is not in the commit'],
  ],
  [
    'labels that lack or differ',
    { labels: { a: { wanted: 'x', found: undefined }, b: { wanted: 'x', found: 'y' } } },
    ["Dockerfile: the service's image has no label a", 'Dockerfile: the label b is "y", not "x"'],
  ],
  [
    'an inventory without the runtime',
    components((all) => all.filter(({ type }) => type !== 'platform')),
    ['inventory: lacks the Node.js that runs the service'],
  ],
  [
    'an inventory made on another Node.js',
    { node: '26.11.0' },
    ['inventory: has Node.js 26.10.0, the image 26.11.0'],
  ],
  [
    'a package of another version',
    { dependencies: { pg: '8.23.2', '@nestjs/core': '12.5.1' } },
    ['inventory: lacks pg 8.23.2', 'inventory: lacks @nestjs/core 12.5.1'],
  ],
])('%s', (_what, change, faults) => {
  expect(faultsOf({ ...good, ...change })).toEqual(faults);
});

test.each(['0.2', 'v0.2.0', '0.2.0+build', '0.02.0', '0.2.0-'])('%s is no version', (version) => {
  expect(faultsOf({ ...good, version })).toContainEqual(
    `package.json: ${version} is no version like 1.2.3 or 1.2.3-rc.1; see docs/release.md`,
  );
});

test('every fault is named at once', () => {
  const faults = faultsOf({
    ...good,
    versions: { 'browser/package.json': '0.1.0' },
    changelog: '',
    tag: { ...good.tag, commit: undefined },
    changed: ['?? x'],
    labels: { a: { wanted: 'x', found: undefined } },
    node: undefined,
  });
  expect(faults.map((fault) => fault.split(/[: ]/)[0])).toEqual([
    ...['browser/package.json', 'CHANGELOG.md', 'CHANGELOG.md', 'tag', 'working', 'Dockerfile', 'inventory'],
  ]);
});

describe('this checkout', () => {
  const inventory = JSON.stringify({
    ...good.inventory,
    metadata: { component: { 'bom-ref': 'x', type: 'application', name: 'x' } },
  });
  const facts = factsOf(process.cwd(), inventory, { tagged: true });

  test('has one version everywhere, and the labels of its image', () => {
    expect(new Set(Object.values(facts.versions))).toEqual(new Set([facts.version]));
    expect(faultsOf(facts).filter((fault) => /^(?:Dockerfile|package|Chart|docs)/.test(fault))).toEqual([]);
    expect(Object.keys(facts.labels)).toContain('org.opencontainers.image.version');
    expect(facts.node).toBe(process.versions.node);
  });

  test('the command names what is missing and ends with 1', () => {
    const { status, stdout } = spawnSync('node', ['deploy/release/main.ts', '--no-build'], {
      encoding: 'utf8',
    });
    // What else is being written in the checkout meanwhile is no matter of this test.
    const settled = (faults: string[]) =>
      faults.filter((fault) => !/^(?:inventory|working tree):/.test(fault));
    const named = stdout.split('\n').filter((line) => line.startsWith('FAULT '));
    expect(settled(named.map((line) => line.slice('FAULT '.length)))).toEqual(settled(faultsOf(facts)));
    expect(status).toBe(named.length > 0 ? 1 : 0);
  });
});

describe('a listing', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'release-'));
    mkdirSync(join(folder, 'dist', 'b'), { recursive: true });
    writeFileSync(join(folder, 'dist', 'b', 'two.js'), '2');
    writeFileSync(join(folder, 'dist', 'one.js'), '1');
    writeFileSync(join(folder, 'other'), '3');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('has every file of its folders, in order, as sha256sum reads it', () => {
    const listing = list(folder, ['dist']);
    expect([...listing]).toEqual([
      ['dist/b/two.js', sha256('2')],
      ['dist/one.js', sha256('1')],
    ]);
    writeFileSync(join(folder, 'sums'), asSums(listing));
    const checked = spawnSync('sha256sum', ['--check', 'sums'], { cwd: folder, encoding: 'utf8' });
    expect(checked.stdout).toBe('dist/b/two.js: OK\ndist/one.js: OK\n');
  });

  test('differs by each file that is not alike', () => {
    const one = new Map(Object.entries({ a: '1', b: '2', c: '3' }));
    const other = new Map(Object.entries({ d: '4', b: '5', c: '3' }));
    expect(differences(one, other, ['here', 'there'])).toEqual([
      'a: is in here only',
      'b: has 2 in here, 5 in there',
      'd: is in there only',
    ]);
    expect(differences(one, new Map([...one].toReversed()), ['here', 'there'])).toEqual([]);
  });
});

describe('the provenance', () => {
  const subjects = new Map([
    ['dist/main.js', sha256('main')],
    ['tillfront-0.2.0.cdx.json', sha256('inventory')],
  ]);
  const statement = statementOf(subjects, {
    ...{ source: 'https://git.example/tillfront', tag: 'v0.2.0', commit: head, lockfile: sha256('lock') },
    ...{ node: '26.10.0', platform: 'linux/x64', builder: 'https://ci.example/runs/1' },
    ...{ began: Date.UTC(2031, 0, 31), ended: Date.UTC(2031, 0, 31, 0, 1) },
  });

  test('is an in-toto Statement v1 with SLSA’s provenance, of each file by its digest', () => {
    expect(JSON.parse(JSON.stringify(statement))).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [
        { name: 'dist/main.js', digest: { sha256: sha256('main') } },
        { name: 'tillfront-0.2.0.cdx.json', digest: { sha256: sha256('inventory') } },
      ],
      predicateType: 'https://slsa.dev/provenance/v1',
      predicate: {
        buildDefinition: {
          buildType: 'urn:tillfront:build:npm:v1',
          externalParameters: { source: 'git+https://git.example/tillfront', ref: 'refs/tags/v0.2.0' },
          internalParameters: { node: '26.10.0', platform: 'linux/x64' },
          resolvedDependencies: [
            { uri: 'git+https://git.example/tillfront@refs/tags/v0.2.0', digest: { gitCommit: head } },
            {
              uri: 'git+https://git.example/tillfront#package-lock.json',
              digest: { sha256: sha256('lock') },
            },
          ],
        },
        runDetails: {
          builder: { id: 'https://ci.example/runs/1' },
          metadata: { startedOn: '2031-01-31T00:00:00.000Z', finishedOn: '2031-01-31T00:01:00.000Z' },
        },
      },
    });
  });

  test('is read again', () => {
    const read = readStatement(JSON.stringify(statement));
    expect([...read.subjects]).toEqual([...subjects]);
    expect(read.commit).toBe(head);
  });

  test.each<[string, unknown, string]>([
    ['an inventory', JSON.parse(readFileSync('package.json', 'utf8')), 'is no https://in-toto.io'],
    ['another predicate', { ...statement, predicateType: 'x' }, 'is no https://in-toto.io'],
    ['no file', { ...statement, subject: [] }, 'names no file'],
    [
      'a file twice',
      { ...statement, subject: [...statement.subject, ...statement.subject] },
      'one of them twice',
    ],
    ['no digest', { ...statement, subject: [{ name: 'a', digest: { sha256: 'x' } }] }, 'has no SHA-256 of a'],
  ])('%s is refused', (_what, text, message) => {
    expect(() => readStatement(JSON.stringify(text))).toThrow(message);
  });
});
