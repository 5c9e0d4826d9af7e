import { randomUUID } from 'node:crypto';
import { type EntryKind, GIVES, type LedgerEntry, TAKES } from './ledger-entry.ts';
import { LedgerFile } from './ledger-file.ts';
import { writeMajor } from './money.ts';
import type { Transaction } from './transaction.ts';

/** Every transaction with its complete history. Only `reset` removes anything. */
export class Ledger {
  readonly #byClientRef = new Map<string, Transaction[]>();
  readonly #byToken = new Map<string, Transaction>();
  readonly #entries: LedgerEntry[] = [];
  readonly #entriesByClientRef = new Map<string, LedgerEntry[]>();
  readonly #file: LedgerFile | undefined;
  #rehearsal: Transaction[] | undefined;

  constructor(file?: string) {
    this.#file = file === undefined ? undefined : new LedgerFile(file);
    for (const { entry, transaction } of this.#file?.read() ?? []) {
      this.#keep(entry);
      const known = this.#byToken.get(transaction.token);
      if (known) Object.assign(known, transaction);
      else this.#index(transaction);
    }
  }

  /** True inside `rehearse`. */
  get rehearsing(): boolean {
    return this.#rehearsal !== undefined;
  }

  /** Creates a transaction. A `clientRef` that was used before makes it a duplicate. */
  open(
    fields: Pick<Transaction, 'clientRef' | 'method' | 'amountMinor' | 'currency'>,
    by: string,
  ): Transaction {
    const earlier = this.attempts(fields.clientRef).length;
    const at = new Date().toISOString();
    const transaction: Transaction = {
      ...fields,
      transactionRef: `SBX${randomUUID().replaceAll('-', '').slice(0, 20).toUpperCase()}`,
      token: randomUUID(),
      attempt: earlier + 1,
      duplicateClientRef: earlier > 0,
      takenMinor: 0n,
      state: 'initial',
      formerState: 'initial',
      message: '',
      errorCode: '',
      createdAt: at,
      updatedAt: at,
    };
    if (this.#rehearsal) this.#rehearsal.push(transaction);
    else this.#index(transaction);
    this.record(transaction, 'create', by, transaction.amountMinor);
    return transaction;
  }

  /** Records what was just done to a transaction. */
  record(transaction: Transaction, kind: EntryKind, by: string, minor: bigint, detail?: string): void {
    transaction.updatedAt = new Date().toISOString();
    if (this.#rehearsal) return;
    const entry: LedgerEntry = {
      sequence: this.#entries.length + 1,
      at: transaction.updatedAt,
      clientRef: transaction.clientRef,
      transactionRef: transaction.transactionRef,
      attempt: transaction.attempt,
      duplicateClientRef: transaction.duplicateClientRef,
      kind,
      by,
      amount: writeMajor(minor, transaction.currency),
      currency: transaction.currency,
      ...(detail === undefined ? {} : { detail }),
    };
    this.#keep(entry);
    this.#file?.append(entry, transaction);
  }

  /** The attempts made under a `clientRef`, oldest first. */
  attempts(clientRef: string): Transaction[] {
    const attempts = this.#byClientRef.get(clientRef) ?? [];
    if (!this.#rehearsal) return attempts;
    return [
      ...attempts.map((one) => structuredClone(one)),
      ...this.#rehearsal.filter((one) => one.clientRef === clientRef),
    ];
  }

  /** The latest attempt under a `clientRef`, or the one that `transactionRef` names. */
  find(clientRef: string, transactionRef?: string): Transaction | undefined {
    const attempts = this.attempts(clientRef);
    if (transactionRef === undefined || transactionRef === '') return attempts.at(-1);
    return attempts.find((one) => one.transactionRef === transactionRef);
  }

  byToken(token: string): Transaction | undefined {
    return this.#byToken.get(token);
  }

  transactions(): Transaction[] {
    return [...this.#byToken.values()];
  }

  entries(clientRef?: string): LedgerEntry[] {
    return clientRef === undefined ? this.#entries : (this.#entriesByClientRef.get(clientRef) ?? []);
  }

  /** The amount charged to a `clientRef` less refunds, in minor units of its (one) currency. */
  chargedMinor(clientRef: string): bigint {
    return this.entries(clientRef).reduce((sum, entry) => {
      const minor = BigInt(entry.amount.replace('.', ''));
      if (TAKES.includes(entry.kind)) return sum + minor;
      return GIVES.includes(entry.kind) ? sum - minor : sum;
    }, 0n);
  }

  /** Runs a synchronous operation only for its answer. Its effects are undone. */
  rehearse<T>(operation: () => T): T {
    this.#rehearsal = [];
    try {
      return operation();
    } finally {
      this.#rehearsal = undefined;
    }
  }

  reset(): void {
    this.#byClientRef.clear();
    this.#byToken.clear();
    this.#entries.length = 0;
    this.#entriesByClientRef.clear();
    this.#file?.clear();
  }

  close(): void {
    this.#file?.close();
  }

  #keep(entry: LedgerEntry): void {
    this.#entries.push(entry);
    const own = this.#entriesByClientRef.get(entry.clientRef);
    if (own) own.push(entry);
    else this.#entriesByClientRef.set(entry.clientRef, [entry]);
  }

  #index(transaction: Transaction): void {
    this.#byToken.set(transaction.token, transaction);
    const attempts = this.#byClientRef.get(transaction.clientRef);
    if (attempts) attempts.push(transaction);
    else this.#byClientRef.set(transaction.clientRef, [transaction]);
  }
}
