/** How many references are remembered. One would do to see a loss; more of them name what was lost. */
const MOST = 200;

/** That everything about a reference was committed up to this version. */
export interface Commit {
  reference: string;
  version: number;
}

/**
 * The newest commits that this process was told of. A standby has got all commits up to some moment and none after it, so a
 * database that has forgotten one of its last commits has forgotten every later one too.
 */
export class Witness {
  /** The least recently written first. */
  private readonly versions = new Map<string, number>();
  private changes = 0;

  /** Takes note of a commit, after the database has confirmed it. */
  note(reference: string, version: number): void {
    const known = this.versions.get(reference) ?? 0;
    this.versions.delete(reference);
    this.versions.set(reference, Math.max(known, version));
    this.changes += 1;
    if (this.versions.size <= MOST) return;
    const [oldest] = this.versions.keys();
    if (oldest !== undefined) this.versions.delete(oldest);
  }

  commits(): Commit[] {
    return [...this.versions].map(([reference, version]) => ({ reference, version }));
  }

  /** Grows with every note. */
  get revision(): number {
    return this.changes;
  }

  /** A person knows of what was lost: from now on only newer commits count. */
  clear(): void {
    this.versions.clear();
    this.changes += 1;
  }
}
