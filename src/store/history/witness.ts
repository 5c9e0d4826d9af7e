/** How many references are remembered. One would do to see a loss; more of them name what was lost. */
const MOST = 200;

/** That everything about a reference was committed up to this version. */
export interface Commit {
  reference: string;
  version: number;
  /** How many payments its reference had then. Absent in what an earlier version has kept. */
  attempts?: number;
}

/**
 * The newest commits that this process was told of. A standby has got all commits up to some moment and none after it, so a
 * database that has forgotten one of its last commits has forgotten every later one too.
 */
export class Witness {
  /** The least recently written first. */
  private readonly newest = new Map<string, Commit>();
  private changes = 0;

  /** Takes note of a commit, after the database has confirmed it. */
  note(commit: Commit): void {
    const { reference, version, attempts } = commit;
    const known = this.newest.get(reference);
    const most = Math.max(known?.attempts ?? 0, attempts ?? 0);
    this.newest.delete(reference);
    this.newest.set(reference, {
      reference,
      version: Math.max(known?.version ?? 0, version),
      ...(most > 0 && { attempts: most }),
    });
    this.changes += 1;
    if (this.newest.size <= MOST) return;
    const [oldest] = this.newest.keys();
    if (oldest !== undefined) this.newest.delete(oldest);
  }

  commits(): Commit[] {
    return [...this.newest.values()];
  }

  /** Grows with every note. */
  get revision(): number {
    return this.changes;
  }

  /** A person knows of what was lost: from now on only newer commits count. */
  clear(): void {
    this.newest.clear();
    this.changes += 1;
  }
}
