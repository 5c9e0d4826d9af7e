import type { Answer } from './answer.ts';
import type { EncryptionSettings } from '../encryption/encryption.ts';
import type { FieldKind } from './field-kind.ts';
import type { Operation } from './operations.ts';
import type { JsonObject } from './pointer.ts';
import type { Transaction } from '../ledger/transaction.ts';

export interface Route {
  method: 'GET' | 'POST' | 'PUT';
  /** May hold `{client_ref}`, `{transactionRef}`, `{orderId}` and `{refundRef}`. */
  path: string;
  /** Whether the dialect's credentials are required: `x-api-key` and `access-token`, unless it has others. */
  credentials: boolean;
  /** Further required headers with their exact values. */
  headers?: Record<string, string>;
  /** Constants that the body must contain, by pointer. */
  constants?: Record<string, unknown>;
  /** The fields with their rules, where they differ from those of the gateway's own description. */
  fields?: Record<string, FieldKind>;
  /** Where fields stand here, if not at the dialect's own place. */
  places?: Record<string, string>;
  /** How the fields are sent: a JSON body unless given. `json-sorted` is one with its members in order and no blanks. */
  encode?: 'json-sorted' | 'form' | 'query';
}

/** The operations of a dialect. Some have further ones, and some lack one. */
export type Routes = Partial<Record<Operation, Route>>;

/** The wire format of a gateway: paths, places of fields, units and words. */
export interface Dialect {
  readonly name: 'builtin' | 'second' | 'third';
  readonly routes: Routes;
  /** The place of a field (by the seed's name) in a request body, as a JSON pointer. */
  place(field: string): string;
  /** Amounts in requests: `"1500.00"`, the integer 150000, or the number 1500.00. */
  readonly amountIn: 'major' | 'minor' | 'major-number';
  readonly yearDigits: 2 | 4;
  readonly colorDepths: readonly number[];
  /** The place in an answer that says whether something went wrong. */
  readonly errorPointer: string;
  write(operation: Operation, answer: Answer): JsonObject;
  /** The HTTP status of an answer: 200 unless given. */
  statusOf?(answer: Answer): number;
  /** The body of an answer that refuses a call by HTTP status. */
  writeRefusal(code: string, message: string): JsonObject;
  writeNotification(transaction: Transaction): JsonObject;
  /** The headers that prove where a notification comes from. */
  notificationHeaders(body: string, secret: string): Record<string, string>;
  /** Where notifications are GETs: a signed query of the fields, and whether an answer to one is the wanted one. */
  readonly notifiesByQuery?: {
    write(fields: JsonObject, secret: string): URLSearchParams;
    isWanted(answer: string): boolean;
  };
  /** Whether requests carry a token that is fetched, and a signature, in place of the two credential headers. */
  readonly signed?: boolean;
  /** Whether a card's PIN is asked for after the card. */
  readonly asksPinLater?: boolean;
  /** How the card call is encrypted, unless the sandbox is configured otherwise. */
  readonly encryption: EncryptionSettings;
}
