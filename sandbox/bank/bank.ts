import type { Ledger } from '../ledger/ledger.ts';
import type { EntryKind } from '../ledger/ledger-entry.ts';
import type { Settings } from '../settings.ts';
import { isWaiting, leftMinor, type State, type Transaction } from '../ledger/transaction.ts';

/** The longest delay that a Node timer supports. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Moves transactions and their money. No other code changes a state. */
export class Bank {
  readonly #ledger: Ledger;
  readonly #settings: Settings;
  readonly #moved: (transaction: Transaction) => void;
  readonly #timers = new Set<NodeJS.Timeout>();

  /** `moved` is called for every move that a notification can report. */
  constructor(ledger: Ledger, settings: Settings, moved: (transaction: Transaction) => void) {
    this.#ledger = ledger;
    this.#settings = settings;
    this.#moved = moved;
    for (const transaction of ledger.transactions()) {
      this.#arm(transaction);
      this.#watch(transaction);
    }
  }

  charge(transaction: Transaction, by: string): void {
    transaction.takenMinor = transaction.amountMinor;
    this.#move(transaction, 'succeeded', 'charge', by, transaction.amountMinor, 'Approved');
  }

  authorize(transaction: Transaction, by: string): void {
    this.#move(transaction, 'authorized', 'authorize', by, transaction.amountMinor, 'Authorized');
  }

  /** Takes all or part of the held money. */
  capture(transaction: Transaction, minor: bigint, by: string): void {
    transaction.takenMinor = minor;
    this.#move(transaction, 'succeeded', 'capture', by, minor, 'Completed');
  }

  /** Receives the money of a transfer or USSD payment, perhaps a different amount from the one that was asked for. */
  receive(transaction: Transaction, minor: bigint, by: string): void {
    transaction.takenMinor = minor;
    this.#move(transaction, 'succeeded', 'receive', by, minor, 'Payment received');
  }

  /** Releases held money, or refunds what was taken. */
  giveBack(transaction: Transaction, kind: 'void' | 'reverse', by: string): void {
    const minor = leftMinor(transaction);
    transaction.takenMinor = 0n;
    delete transaction.after;
    this.#move(transaction, 'voided', kind, by, minor, kind === 'void' ? 'Voided' : 'Reversed');
  }

  /** Gives back a part of what was taken, or the rest of it. The payment stays paid. */
  refund(transaction: Transaction, minor: bigint, kind: 'refund' | 'reverse', by: string): void {
    const refunded = (transaction.refundedMinor ?? 0n) + minor;
    transaction.refundedMinor = refunded;
    const part = kind === 'reverse' ? 'partlyReversed' : 'partiallyRefunded';
    transaction.after = refunded < transaction.takenMinor ? part : 'refunded';
    this.#move(transaction, 'succeeded', kind, by, minor, 'Given back');
  }

  /** The payer's bank takes the money back. The payment stays paid. */
  chargeBack(transaction: Transaction, by: string): void {
    const minor = leftMinor(transaction);
    transaction.after = 'chargedBack';
    this.#move(transaction, 'succeeded', 'chargeback', by, minor, 'Charged back');
  }

  decline(transaction: Transaction, code: string, message: string, by: string): void {
    transaction.errorCode = code;
    this.#move(transaction, 'failed', 'decline', by, transaction.amountMinor, message);
  }

  expire(transaction: Transaction, by: string): void {
    this.#move(transaction, 'expired', 'expire', by, transaction.amountMinor, 'Expired');
  }

  /** Leaves a transaction waiting for the payer or the bank. */
  wait(
    transaction: Transaction,
    state: 'initial' | 'pending' | 'pin' | 'otp' | 'redirect',
    message: string,
    by: string,
  ): void {
    this.#move(transaction, state, 'wait', by, transaction.amountMinor, message);
  }

  /** Moves by itself after `ms`, if it is still waiting then. */
  schedule(
    transaction: Transaction,
    to: 'succeeded' | 'failed' | 'expired',
    ms = this.#settings.settleAfterMs,
  ): void {
    transaction.due = { at: new Date(Date.now() + ms).toISOString(), to };
    this.#ledger.record(transaction, 'wait', 'clock', transaction.amountMinor, `${to} in ${ms} ms`);
    this.#arm(transaction);
  }

  /** Lets a waiting transaction expire after `ms`. */
  expireAfter(transaction: Transaction, ms: number): void {
    transaction.expiresAt = new Date(Date.now() + ms).toISOString();
    this.#watch(transaction);
  }

  /** Applies overdue expiries. Whoever reads the transaction next sees them. */
  byClock(transaction: Transaction): Transaction {
    if (
      isWaiting(transaction.state) &&
      transaction.expiresAt !== undefined &&
      Date.parse(transaction.expiresAt) <= Date.now()
    )
      this.expire(transaction, 'clock');
    return transaction;
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #arm(transaction: Transaction): void {
    const due = transaction.due;
    if (!due) return;
    this.#at(due.at, () => {
      if (transaction.due !== due || !isWaiting(transaction.state)) return;
      if (due.to === 'succeeded') this.charge(transaction, 'clock');
      else if (due.to === 'failed') this.decline(transaction, '05', 'Declined', 'clock');
      else this.expire(transaction, 'clock');
    });
  }

  #watch(transaction: Transaction): void {
    if (transaction.expiresAt === undefined || !isWaiting(transaction.state)) return;
    this.#at(transaction.expiresAt, () => this.byClock(transaction));
  }

  #at(time: string, act: () => void): void {
    if (this.#ledger.rehearsing) return;
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        act();
      },
      Math.min(MAX_TIMER_MS, Math.max(0, Date.parse(time) - Date.now())),
    );
    this.#timers.add(timer.unref());
  }

  #move(
    transaction: Transaction,
    to: State,
    kind: EntryKind,
    by: string,
    minor: bigint,
    message: string,
  ): void {
    transaction.formerState = transaction.state;
    transaction.state = to;
    transaction.message = message;
    if (!isWaiting(to)) delete transaction.due;
    if (to !== 'failed') transaction.errorCode = '';
    this.#ledger.record(transaction, kind, by, minor, message);
    if (!this.#ledger.rehearsing && kind !== 'wait') this.#moved(transaction);
  }
}
