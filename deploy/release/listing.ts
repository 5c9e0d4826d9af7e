import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Files by their path from one folder, with slashes, and the SHA-256 of each in hex. */
export type Listing = ReadonlyMap<string, string>;

/** The listing of some folders below `root`, in the order of paths. */
export function list(root: string, folders: readonly string[]): Listing {
  return new Map(
    folders
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)),
      )
      .map((path) => path.split(sep).join('/'))
      .toSorted()
      .map((path) => [path, sha256(readFileSync(join(root, path)))]),
  );
}

/** As `sha256sum --check` reads it. Pure. */
export function asSums(listing: Listing): string {
  return [...listing].map(([path, sum]) => `${sum}  ${path}\n`).join('');
}

/** Each file that two listings do not have alike, as one sentence. `names`: what the two are called. Pure. */
export function differences(one: Listing, other: Listing, names: readonly [string, string]): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].toSorted().flatMap((path) => {
    const [sum, its] = [one.get(path), other.get(path)];
    if (sum === its) return [];
    if (sum === undefined) return [`${path}: is in ${names[1]} only`];
    if (its === undefined) return [`${path}: is in ${names[0]} only`];
    return [`${path}: has ${sum} in ${names[0]}, ${its} in ${names[1]}`];
  });
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
