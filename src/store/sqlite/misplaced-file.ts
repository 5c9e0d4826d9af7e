import { existsSync } from 'node:fs';

/** What tells that a store was used. */
interface Signs {
  /** A process uses it now. */
  held: boolean;
  /** A witness knows commits of it. */
  known: boolean;
}

/**
 * Which of an embedded store's files was moved or removed: the database, or its log. SQLite would make an empty one in its place, and the
 * real one could not be put back. Undefined where none is missed.
 */
export function misplacedFile(file: string, { held, known }: Signs): string | undefined {
  const [log, index] = [`${file}-wal`, `${file}-shm`];
  if (!existsSync(file)) return held || known || existsSync(log) ? file : undefined;
  // Who closes a store removes both, the index first. A process that was killed leaves both.
  return (held || existsSync(index)) && !existsSync(log) ? log : undefined;
}
