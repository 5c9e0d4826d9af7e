import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { LedgerEntry } from './ledger-entry.ts';
import type { Transaction } from './transaction.ts';

interface Line {
  entry: LedgerEntry;
  transaction: Transaction;
}

/**
 * The ledger on disk: one JSON line an entry, `{ entry, transaction }`, written before the call that caused it is
 * answered, so it outlives a killed process (not a power cut: nothing is fsynced). Card numbers are never in it.
 */
export class LedgerFile {
  readonly #path: string;
  readonly #descriptor: number;
  #closed = false;

  constructor(path: string) {
    this.#path = path;
    const cut =
      existsSync(path) && !readFileSync(path, 'utf8').endsWith('\n') && readFileSync(path).length > 0;
    this.#descriptor = openSync(path, 'a', 0o600);
    if (cut) writeSync(this.#descriptor, '\n');
  }

  /** Writes one line; nothing once it is closed. */
  append(entry: LedgerEntry, transaction: Transaction): void {
    if (this.#closed) return;
    const text = JSON.stringify({ entry, transaction }, (_key, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    );
    writeSync(this.#descriptor, `${text}\n`);
  }

  /** The lines so far; one that a killed process left half written is passed over. */
  read(): Line[] {
    return readFileSync(this.#path, 'utf8').split('\n').flatMap(readLine);
  }

  clear(): void {
    ftruncateSync(this.#descriptor);
  }

  close(): void {
    this.#closed = true;
    closeSync(this.#descriptor);
  }
}

function readLine(text: string): Line[] {
  if (text === '') return [];
  try {
    const line = JSON.parse(text) as Line;
    line.transaction.amountMinor = BigInt(line.transaction.amountMinor);
    line.transaction.takenMinor = BigInt(line.transaction.takenMinor);
    return [line];
  } catch {
    return [];
  }
}
