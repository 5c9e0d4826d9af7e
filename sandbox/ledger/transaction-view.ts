import type { Ledger } from './ledger.ts';
import { TAKES } from './ledger-entry.ts';
import { writeMajor } from './money.ts';
import type { Recorder } from '../control/recorder.ts';
import type { Transaction } from './transaction.ts';

/** One attempt in the form of the control API. Amounts are decimal strings in major units. */
export function attemptView(transaction: Transaction): object {
  const { amountMinor, takenMinor, refundedMinor, challenge: _challenge, due, ...rest } = transaction;
  return {
    ...rest,
    amount: writeMajor(amountMinor, transaction.currency),
    taken: writeMajor(takenMinor, transaction.currency),
    ...(refundedMinor === undefined ? {} : { refunded: writeMajor(refundedMinor, transaction.currency) }),
    ...(due ? { due } : {}),
  };
}

/** Everything about one `client_ref`: its latest attempt's state, all attempts, the ledger's entries, and the calls. */
export function referenceView(ledger: Ledger, recorder: Recorder, clientRef: string): object | undefined {
  const attempts = ledger.attempts(clientRef);
  const latest = attempts.at(-1);
  if (!latest) return undefined;
  const entries = ledger.entries(clientRef);
  return {
    clientRef,
    method: latest.method,
    state: latest.state,
    amount: writeMajor(latest.amountMinor, latest.currency),
    currency: latest.currency,
    transactionRef: latest.transactionRef,
    duplicateClientRef: attempts.length > 1,
    charged: writeMajor(ledger.chargedMinor(clientRef), latest.currency),
    chargeCount: entries.filter((entry) => TAKES.includes(entry.kind)).length,
    calls: recorder.calls(clientRef),
    attempts: attempts.map(attemptView),
    entries,
  };
}
