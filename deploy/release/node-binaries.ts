import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The Node.js that npm brings, compared with what nodejs.org publishes. nodejs.org signs sums of archives
 * (`SHASUMS256.txt`), npm delivers the program alone, in packages of somebody else. So `node-binaries.json` has for each
 * package the published sum of nodejs.org's archive, the sum of the program in it, and the hash of the npm package whose
 * program has that sum. Here the packages of the lockfile, and the program that is installed, are compared with it.
 * docs/release.md says how a maintainer compares the file itself with nodejs.org.
 */
export interface NodeBinaries {
  version: string;
  packages: Readonly<Record<string, NodeBinary>>;
}

export interface NodeBinary {
  /** The program in the npm package, and its SHA-256. */
  file: string;
  sha256: string;
  /** Hash of the npm package, as the lockfile has it. */
  integrity: string;
  /** nodejs.org's archive with the same program, and its SHA-256 in `SHASUMS256.txt`. */
  archive: string;
  archiveSha256: string;
}

/** A package of Node.js as the project asks for it, locks it and has it installed. */
export interface BroughtNode {
  name: string;
  wanted: string;
  integrity: string | undefined;
  /** SHA-256 of the installed program. Undefined where the package is for another platform. */
  installed: string | undefined;
}

/** Everything in which the packages differ from the file, each as one sentence. Pure. */
export function faultsOfNodes(
  { version, packages }: NodeBinaries,
  brought: readonly BroughtNode[],
): string[] {
  const others = Object.keys(packages).filter((name) => !brought.some((one) => one.name === name));
  return [
    ...others.map((name) => `node-binaries.json: has ${name}, which package.json does not ask for`),
    ...brought.flatMap(({ name, wanted, integrity, installed }) => {
      const known = packages[name];
      if (!known || wanted !== version)
        return [`${name}: ${wanted} is not in node-binaries.json; see docs/release.md`];
      return [
        ...(integrity === known.integrity
          ? []
          : [`${name}: the lockfile has another package than node-binaries.json`]),
        ...(installed === undefined || installed === known.sha256
          ? []
          : [`${name}: the installed program is not the one that nodejs.org published`]),
      ];
    }),
  ];
}

/** Reads the file of a checkout, and the packages that bring Node.js. */
export function readNodes(root: string): { binaries: NodeBinaries; brought: BroughtNode[] } {
  const json = <T>(path: string): T => JSON.parse(readFileSync(join(root, path), 'utf8')) as T;
  const binaries = json<NodeBinaries>('deploy/release/node-binaries.json');
  const { optionalDependencies } = json<{ optionalDependencies: Record<string, string> }>('package.json');
  const { packages } = json<{ packages: Record<string, { integrity?: string }> }>('package-lock.json');
  const brought = Object.entries(optionalDependencies).map(([name, wanted]) => {
    const program = join(root, 'node_modules', name, binaries.packages[name]?.file ?? 'bin/node');
    return {
      ...{ name, wanted, integrity: packages[`node_modules/${name}`]?.integrity },
      installed: existsSync(program)
        ? createHash('sha256').update(readFileSync(program)).digest('hex')
        : undefined,
    };
  });
  return { binaries, brought };
}
