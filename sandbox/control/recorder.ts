import type { IncomingMessage } from 'node:http';
import type { Operation } from '../dialects/operations.ts';
import type { Settings } from '../settings.ts';
import { NumberText } from '../dialects/request.ts';
import { maskNumber } from '../bank/test-cards.ts';

/** One call as it was received. Card number, cvv, PIN and one-time code are masked. */
export interface RecordedRequest {
  sequence: number;
  at: string;
  operation: Operation | 'encrypt' | 'elsewhere';
  method: string;
  path: string;
  clientRef: string;
  /** Names of all received headers. */
  headers: string[];
  /** Whether each credential header was sent, and with the right value. */
  credentials: { apiKey: 'right' | 'wrong' | 'absent'; accessToken: 'right' | 'wrong' | 'absent' };
  contentType: string;
  /** Whether the body was sent in the encryption's envelope. */
  encrypted: boolean;
  /** Field names with their JSON types. */
  fields: Record<string, string>;
  values: Record<string, unknown>;
  /** Pointers of members that are not fields of the operation. */
  unexpected: string[];
  problems: string[];
  /** The kind of the fault that was applied to it. */
  fault?: string;
  /** Whether the operation took effect (a query: whether it was answered from the ledger). */
  processed: boolean;
  /** HTTP status of the answer. 0 means none; absent until it is answered. */
  answered?: number;
  /** Only with `recordBodies`: the body as received, and as decrypted. */
  body?: unknown;
  decrypted?: unknown;
}

/** The received calls, newest last, up to `keepRequests`. */
export class Recorder {
  readonly #settings: Settings;
  #requests: RecordedRequest[] = [];
  #sequence = 0;
  readonly #calls = new Map<string, Record<string, number>>();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  record(request: Omit<RecordedRequest, 'sequence' | 'at'>): RecordedRequest {
    this.#sequence += 1;
    const recorded = { sequence: this.#sequence, at: new Date().toISOString(), ...request };
    this.#requests.push(recorded);
    const calls = this.calls(request.clientRef);
    this.#calls.set(request.clientRef, {
      ...calls,
      [request.operation]: (calls[request.operation] ?? 0) + 1,
    });
    if (this.#requests.length > this.#settings.keepRequests * 1.2)
      this.#requests = this.#requests.slice(-this.#settings.keepRequests);
    return recorded;
  }

  list(clientRef?: string, operation?: string): RecordedRequest[] {
    return this.#requests.filter(
      (request) =>
        (clientRef === undefined || request.clientRef === clientRef) &&
        (operation === undefined || request.operation === operation),
    );
  }

  /** The number of calls for each operation of one `client_ref`, including those beyond `keepRequests`. */
  calls(clientRef: string): Record<string, number> {
    return this.#calls.get(clientRef) ?? {};
  }

  reset(): void {
    this.#requests = [];
    this.#calls.clear();
  }
}

/** Values without anything useful to a card thief. */
export function maskValues(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (name === 'cardNumber') return [name, maskNumber(String(value))];
      return [
        name,
        ['cvv', 'card_pin', 'pin', 'otp'].includes(name) ? '*'.repeat(String(value).length) : shown(value),
      ];
    }),
  );
}

/** A number that was read with its digits is shown as a number. */
function shown(value: unknown): unknown {
  return value instanceof NumberText ? Number(value.digits) : value;
}

/** Names of the received headers. */
export function headerNames(request: IncomingMessage): string[] {
  return Object.keys(request.headers).sort();
}
