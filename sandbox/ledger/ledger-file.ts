import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { LedgerEntry } from './ledger-entry.ts';
import type { Transaction } from './transaction.ts';

interface Line {
  entry: LedgerEntry;
  transaction: Transaction;
}

/**
 * The ledger on disk: one JSON line for each entry, `{ entry, transaction }`. A line is written before the call that caused
 * it is answered, so it survives a killed process (but not a power cut, because nothing is fsynced). It never holds card
 * numbers.
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

  /** Writes one line. Does nothing after it is closed. */
  append(entry: LedgerEntry, transaction: Transaction): void {
    if (this.#closed) return;
    const text = JSON.stringify({ entry, transaction }, (_key, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    );
    writeSync(this.#descriptor, `${text}\n`);
  }

  /** The lines so far. A line that a killed process left incomplete is skipped. */
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
    const { refundedMinor } = line.transaction;
    if (refundedMinor !== undefined) line.transaction.refundedMinor = BigInt(refundedMinor);
    for (const refund of line.transaction.refunds ?? []) refund.minor = BigInt(refund.minor);
    return [line];
  } catch {
    return [];
  }
}
