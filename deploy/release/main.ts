import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { factsOf, gitIn } from './facts.ts';
import { faultsOf } from './faults.ts';
import { faultsOfNodes, readNodes } from './node-binaries.ts';
import { asSums, differences, sha256, type Listing } from './listing.ts';
import { readStatement, statementOf } from './provenance.ts';
import { buildTwice } from './reproducible.ts';

/**
 * Checks that the commit that is checked out is a release: versions, changelog, tag, image's labels, inventory, the Node.js that npm
 * brings, and a build that
 * comes out the same in two folders. Names every fault at once and exits with 1 where there is any; otherwise writes what goes to
 * the release beside the image into a folder: inventory, provenance and sums.
 *
 *   npm run release:check -- [--untagged] [--no-build] [--builder URI] [--out FOLDER] [--verify FILE]
 *     --untagged: before the tag is made    --no-build: leaves the two builds out, and writes nothing
 *     --builder: who builds, in the provenance    --out: artifacts/release unless given
 *     --verify: compares the build with the provenance of a release, and writes nothing
 */
const { values } = parseArgs({
  options: {
    untagged: { type: 'boolean', default: false },
    'no-build': { type: 'boolean', default: false },
    builder: { type: 'string', default: 'urn:tillfront:builder:by-hand' },
    out: { type: 'string', default: join('artifacts', 'release') },
    verify: { type: 'string' },
  },
});

const root = join(import.meta.dirname, '..', '..');
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const began = Date.now();
const inventory = execFileSync(process.execPath, [join(root, 'deploy/sbom/main.ts')], {
  ...{ cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const facts = factsOf(root, inventory, { tagged: !values.untagged });
const { binaries, brought } = readNodes(root);
const faults = [...faultsOf(facts), ...faultsOfNodes(binaries, brought)];
const inventoryName = `tillfront-${facts.version}.cdx.json`;

let subjects: Listing | undefined;
if (!values['no-build']) {
  say('Building the commit in two folders …');
  const [one, other] = buildTwice(root);
  faults.push(...differences(one, other, ['the first build', 'the second']));
  say(`${one.size} files`);
  subjects = new Map([...one, [inventoryName, sha256(inventory)]]);
  if (values.verify !== undefined) faults.push(...faultsAgainst(values.verify, subjects));
}

for (const fault of faults) say(`FAULT ${fault}`);
say(faults.length === 0 ? `${facts.tag.name} holds.` : `${faults.length} faults.`);
if (faults.length > 0) process.exitCode = 1;
else if (subjects && values.verify === undefined) write(subjects);

/** What differs from the files that a release's provenance names. */
function faultsAgainst(path: string, built: Listing): string[] {
  try {
    const { subjects: released, commit } = readStatement(readFileSync(path, 'utf8'));
    return [
      ...(commit === facts.tag.head
        ? []
        : [`${path}: is of the commit ${commit ?? '(none)'}, this is ${facts.tag.head}`]),
      ...differences(released, built, [path, 'this build']),
    ];
  } catch (error) {
    return [`${path}: ${error instanceof Error ? error.message : String(error)}`];
  }
}

function write(files: Listing): void {
  const statement = statementOf(files, {
    ...{ source: sourceOf(), tag: facts.tag.name, commit: facts.tag.head, began, ended: Date.now() },
    lockfile: sha256(readFileSync(join(root, 'package-lock.json'))),
    ...{ node: process.versions.node, platform: `${process.platform}/${process.arch}` },
    builder: values.builder,
  });
  mkdirSync(values.out, { recursive: true });
  const outputs = {
    [inventoryName]: inventory,
    [`tillfront-${facts.version}.intoto.json`]: `${JSON.stringify(statement, null, 2)}\n`,
    [`tillfront-${facts.version}.sha256`]: asSums(files),
  };
  for (const [name, content] of Object.entries(outputs)) {
    writeFileSync(join(values.out, name), content);
    say(join(values.out, name));
  }
}

/** The repository's address, without a password that somebody's may have. */
function sourceOf(): string {
  const address = gitIn(root, 'config', '--get', 'remote.origin.url') ?? '';
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url?.protocol.startsWith('http')) return address === '' ? 'urn:tillfront:source' : address;
  return `${url.origin}${url.pathname}`;
}
