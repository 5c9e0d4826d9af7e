import type { Inventory } from '../sbom/inventory.ts';

/** What the files of a commit say about the release that it is to be. */
export interface ReleaseFacts {
  /** `version` of package.json, which all others must have too. */
  version: string;
  /** Each other place that names the version, with what stands there. Undefined where nothing does. */
  versions: Readonly<Record<string, string | undefined>>;
  changelog: string;
  tag: TagFacts;
  /** Paths that differ from the commit, as `git status --porcelain` has them. */
  changed: readonly string[];
  /** What the image's labels must be, and what they are. */
  labels: Readonly<Record<string, { wanted: string; found: string | undefined }>>;
  /** The inventory, what the service imports, and the Node.js of the image. */
  inventory: Inventory;
  dependencies: Readonly<Record<string, string>>;
  node: string | undefined;
}

/** The tag of the release. */
export interface TagFacts {
  name: string;
  /** The commit that it names, if it exists. */
  commit: string | undefined;
  /** Whether it is an object of its own, which can be signed, and not only a name. */
  annotated: boolean;
  /** The commit that is looked at. */
  head: string;
  /** False before the release is tagged: then nothing may have the name yet. */
  expected: boolean;
}

/** Semantic Versioning 2.0.0, as far as releases of ours use it: no build metadata, which tags of images cannot hold. */
const VERSION =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-(?:0|[1-9]\d*|[a-z][0-9a-z]*)(?:\.(?:0|[1-9]\d*|[a-z][0-9a-z]*))*)?$/;

/** Everything that keeps a commit from being a release, each as one sentence. Empty where nothing does. Pure. */
export function faultsOf(facts: ReleaseFacts): string[] {
  return [
    ...faultsOfVersions(facts),
    ...faultsOfChangelog(facts.changelog, facts.version),
    ...faultsOfTag(facts.tag, facts.version),
    ...faultsOfTree(facts.changed),
    ...faultsOfLabels(facts),
    ...faultsOfInventory(facts),
  ];
}

function faultsOfVersions({ version, versions }: ReleaseFacts): string[] {
  return [
    ...(VERSION.test(version)
      ? []
      : [`package.json: ${version} is no version like 1.2.3 or 1.2.3-rc.1; see docs/release.md`]),
    ...Object.entries(versions)
      .filter(([, found]) => found !== version)
      .map(([place, found]) => `${place}: has ${found ?? 'no version'}, package.json has ${version}`),
  ];
}

/** The version has its dated section with notes, and nothing waits above it in *Unreleased*. */
function faultsOfChangelog(changelog: string, version: string): string[] {
  const sections = changelog.split(/^## /m).slice(1);
  const titled = (name: string) => sections.findIndex((section) => section.startsWith(`[${name}]`));
  const hasNotes = (section = '') => /^- \S/m.test(section);
  const own = sections[titled(version)];
  const unreleased = titled('Unreleased');
  const faults: string[] = [];
  if (unreleased !== 0) faults.push('CHANGELOG.md: does not begin with "## [Unreleased]"');
  if (hasNotes(sections[unreleased]))
    faults.push(`CHANGELOG.md: has notes in "Unreleased", which belong under the version`);
  if (own === undefined) return [...faults, `CHANGELOG.md: has no "## [${version}] - <date>"`];
  const [, date = ''] = /^\[[^\]]*\] - (\S+) *\n/.exec(own) ?? [];
  if (!isDate(date)) faults.push(`CHANGELOG.md: "## [${version}]" has no date like 2031-01-31`);
  if (!hasNotes(own)) faults.push(`CHANGELOG.md: "## [${version}]" has no notes`);
  return faults;
}

function isDate(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return at !== undefined && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

function faultsOfTag({ name, commit, annotated, head, expected }: TagFacts, version: string): string[] {
  const faults: string[] = [];
  if (name !== `v${version}`) faults.push(`tag ${name}: must be v${version}`);
  if (!expected) {
    if (commit !== undefined) faults.push(`tag ${name}: exists already, and a tag is never given twice`);
  } else if (commit === undefined) faults.push(`tag ${name}: does not exist`);
  else {
    if (commit !== head) faults.push(`tag ${name}: names ${commit}, and this is ${head}`);
    if (!annotated) faults.push(`tag ${name}: is a mere name; make it by git tag --sign`);
  }
  return faults;
}

function faultsOfTree(changed: readonly string[]): string[] {
  return changed.map((line) => `working tree: ${line.trim()} is not in the commit`);
}

function faultsOfLabels({ labels }: ReleaseFacts): string[] {
  return Object.entries(labels)
    .filter(([, { wanted, found }]) => wanted !== found)
    .map(([name, { wanted, found }]) =>
      found === undefined
        ? `Dockerfile: the service's image has no label ${name}`
        : `Dockerfile: the label ${name} is "${found}", not "${wanted}"`,
    );
}

function faultsOfInventory({ inventory, dependencies, node, version }: ReleaseFacts): string[] {
  const has = (name: string, its: string | undefined) =>
    inventory.components.some((component) => component.name === name && component.version === its);
  const runtime = inventory.components.find(({ type }) => type === 'platform');
  return [
    ...(inventory.metadata.component['bom-ref'] === `tillfront@${version}`
      ? []
      : [`inventory: is of ${inventory.metadata.component['bom-ref']}, not of tillfront@${version}`]),
    ...Object.entries(dependencies)
      .filter(([name, its]) => !has(name, its))
      .map(([name, its]) => `inventory: lacks ${name} ${its}`),
    ...(runtime === undefined
      ? ['inventory: lacks the Node.js that runs the service']
      : runtime.version === node
        ? []
        : [`inventory: has Node.js ${runtime.version}, the image ${node ?? 'none that is known'}`]),
  ];
}
