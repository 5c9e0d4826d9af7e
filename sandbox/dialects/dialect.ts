import type { Answer } from './answer.ts';
import type { EncryptionSettings } from '../encryption/encryption.ts';
import type { Operation } from './operations.ts';
import type { JsonObject } from './pointer.ts';
import type { Transaction } from '../ledger/transaction.ts';

export interface Route {
  method: 'GET' | 'POST';
  /** May hold `{client_ref}` and `{transactionRef}`. */
  path: string;
  /** Whether `x-api-key` and `access-token` are required. */
  credentials: boolean;
  /** Further required headers with their exact values. */
  headers?: Record<string, string>;
  /** Constants that the body must contain, by pointer. */
  constants?: Record<string, unknown>;
}

/** The wire format of a gateway: paths, places of fields, units and words. */
export interface Dialect {
  readonly name: 'builtin' | 'second';
  readonly routes: Record<Operation, Route>;
  /** The place of a field (by the seed's name) in a request body, as a JSON pointer. */
  place(field: string): string;
  /** Amounts in requests: `"1500.00"`, or the integer 150000. */
  readonly amountIn: 'major' | 'minor';
  readonly yearDigits: 2 | 4;
  readonly colorDepths: readonly number[];
  /** The place in an answer that says whether something went wrong. */
  readonly errorPointer: string;
  write(operation: Operation, answer: Answer): JsonObject;
  /** The body of an answer that refuses a call by HTTP status. */
  writeRefusal(code: string, message: string): JsonObject;
  writeNotification(transaction: Transaction): JsonObject;
  /** The headers that prove where a notification comes from. */
  notificationHeaders(body: string, secret: string): Record<string, string>;
  /** How the card call is encrypted, unless the sandbox is configured otherwise. */
  readonly encryption: EncryptionSettings;
}
