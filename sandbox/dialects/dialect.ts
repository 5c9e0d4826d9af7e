import type { Answer } from './answer.ts';
import type { EncryptionSettings } from '../encryption/encryption.ts';
import type { Operation } from './operations.ts';
import type { JsonObject } from './pointer.ts';
import type { Transaction } from '../ledger/transaction.ts';

export interface Route {
  method: 'GET' | 'POST';
  /** May hold `{client_ref}` and `{transactionRef}`. */
  path: string;
  /** Whether `x-api-key` and `access-token` must come. */
  credentials: boolean;
  /** Further headers that must come with just this value. */
  headers?: Record<string, string>;
  /** Constants that the body must hold, by pointer. */
  constants?: Record<string, unknown>;
}

/** One way to speak: paths, field places, units, words. */
export interface Dialect {
  readonly name: 'builtin' | 'second';
  readonly routes: Record<Operation, Route>;
  /** Where a field (by the seed's name) stands in a request body: a JSON pointer. */
  place(field: string): string;
  /** Amounts in requests: `"1500.00"`, or the integer 150000. */
  readonly amountIn: 'major' | 'minor';
  readonly yearDigits: 2 | 4;
  readonly colorDepths: readonly number[];
  /** Where answers say whether something went wrong. */
  readonly errorPointer: string;
  write(operation: Operation, answer: Answer): JsonObject;
  /** The body of a call that is refused by HTTP status. */
  writeRefusal(code: string, message: string): JsonObject;
  writeNotification(transaction: Transaction): JsonObject;
  /** The headers by which a notification proves where it comes from. */
  notificationHeaders(body: string, secret: string): Record<string, string>;
  /** How the card call is encrypted unless the sandbox was told otherwise. */
  readonly encryption: EncryptionSettings;
}
