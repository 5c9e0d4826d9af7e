import type { Listing } from './listing.ts';

/** An in-toto Statement v1 with SLSA's provenance v1: which files were made, of which commit, by whom. */
export interface Statement {
  _type: typeof STATEMENT;
  subject: readonly Subject[];
  predicateType: typeof PREDICATE;
  predicate: {
    buildDefinition: {
      buildType: string;
      externalParameters: { source: string; ref: string };
      internalParameters: { node: string; platform: string };
      resolvedDependencies: readonly { uri: string; digest: Readonly<Record<string, string>> }[];
    };
    runDetails: {
      builder: { id: string };
      metadata: { startedOn: string; finishedOn: string };
    };
  };
}

interface Subject {
  name: string;
  digest: { sha256: string };
}

const STATEMENT = 'https://in-toto.io/Statement/v1';
const PREDICATE = 'https://slsa.dev/provenance/v1';
/** `npm run build` on a clean checkout of the commit, with the packages of the lockfile; docs/release.md describes it. */
const BUILD_TYPE = 'urn:tillfront:build:npm:v1';

/** What a build was made of. */
export interface BuildFacts {
  /** Address of the repository, as git names it. */
  source: string;
  tag: string;
  /** The commit's id. */
  commit: string;
  /** SHA-256 of package-lock.json, which has the hash of every package. */
  lockfile: string;
  node: string;
  platform: string;
  /** Who built: an address that tells of one pipeline or person. */
  builder: string;
  /** When it began and ended, in milliseconds. */
  began: number;
  ended: number;
}

/** Says of each file what it was made of. Pure. */
export function statementOf(subjects: Listing, facts: BuildFacts): Statement {
  const source = `git+${facts.source}`;
  return {
    _type: STATEMENT,
    subject: [...subjects].map(([name, sum]) => ({ name, digest: { sha256: sum } })),
    predicateType: PREDICATE,
    predicate: {
      buildDefinition: {
        buildType: BUILD_TYPE,
        externalParameters: { source, ref: `refs/tags/${facts.tag}` },
        internalParameters: { node: facts.node, platform: facts.platform },
        resolvedDependencies: [
          { uri: `${source}@refs/tags/${facts.tag}`, digest: { gitCommit: facts.commit } },
          { uri: `${source}#package-lock.json`, digest: { sha256: facts.lockfile } },
        ],
      },
      runDetails: {
        builder: { id: facts.builder },
        metadata: {
          startedOn: new Date(facts.began).toISOString(),
          finishedOn: new Date(facts.ended).toISOString(),
        },
      },
    },
  };
}

/**
 * The files that a statement speaks of, and the commit. Throws an Error where the text is no statement of this kind, so that
 * a file of something else is not taken for an empty one.
 */
export function readStatement(text: string): { subjects: Listing; commit: string | undefined } {
  const statement = JSON.parse(text) as Partial<Statement>;
  if (statement._type !== STATEMENT || statement.predicateType !== PREDICATE)
    throw new Error(`is no ${STATEMENT} with ${PREDICATE}`);
  const { subject = [], predicate } = statement;
  const subjects = new Map(subject.map(({ name, digest }) => [name, digest.sha256]));
  if (subjects.size === 0 || subjects.size !== subject.length)
    throw new Error('names no file, or one of them twice');
  for (const [name, sum] of subjects)
    if (!/^[0-9a-f]{64}$/.test(sum)) throw new Error(`has no SHA-256 of ${name}`);
  const commits = predicate?.buildDefinition.resolvedDependencies.flatMap(
    ({ digest }) => digest['gitCommit'] ?? [],
  );
  return { subjects, commit: commits?.[0] };
}
