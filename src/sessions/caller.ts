import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { bearerOf } from '../http/request/request.js';
import { Problem } from '../http/problems/problem.js';
import type { NamedKeys } from '../secrets/named-keys.js';
import type { Secret } from '../secrets/secret.js';
import { sessionOfToken } from './client-token.js';
import { readerOfToken, type PaymentReader } from './payment-reader.js';

/**
 * Who calls: the merchant's server or people, with a key that may write, only read or keep the books, or the browser of one session. A payment's reader
 * is none of them, so that a guard which lets one in has to say so.
 */
export type Caller = MerchantCaller | { kind: 'client'; sessionId: string };

/** What a merchant's key may do. `books`: read, with payer data masked, and whatever of settlements and differences moves no money. */
export const ACCESSES = ['full', 'read', 'books'] as const;
export type Access = (typeof ACCESSES)[number];

export interface MerchantCaller {
  kind: 'merchant';
  access: Access;
  /** The name of the key, if it has one. */
  name?: string | undefined;
}

export interface Credentials {
  apiKeys: NamedKeys;
  readApiKeys: NamedKeys;
  booksApiKeys: NamedKeys;
  secretKeys: Secret<readonly string[]>;
  /** By the store's clock. */
  now: number;
}

/** The caller to whom this bearer secret belongs. Throws `unauthorized` where it belongs to nobody or has expired. */
export function authenticate(
  authorization: string | undefined,
  credentials: Credentials,
): Caller | PaymentReader {
  const token = bearerOf(authorization);
  if (token === undefined) {
    throw new Problem('unauthorized', 'Send your key or token as "Authorization: Bearer …".');
  }
  const sessionId = sessionOfToken(token, credentials.secretKeys);
  if (sessionId !== undefined) return { kind: 'client', sessionId };
  const reader = readerOfToken(token, credentials.secretKeys, credentials.now);
  if (reader) return reader;
  const { apiKeys: full, readApiKeys: read, booksApiKeys: books } = credentials;
  for (const [access, keys] of Object.entries({ full, read, books }) as [Access, NamedKeys][]) {
    const found = keys.match(token);
    if (found) return { kind: 'merchant', access, name: found.name };
  }
  throw new Problem('unauthorized', 'This key or token is not known here.');
}

/**
 * The actor that timelines, operations and the log name for this caller: `payer`, `merchant` or, with a named key,
 * `merchant:<name>`.
 */
export function actorOf(caller: Caller): string {
  if (caller.kind === 'client') return 'payer';
  return caller.name === undefined ? 'merchant' : `merchant:${caller.name}`;
}

export type RequestWithCaller = FastifyRequest & {
  caller?: Caller;
  /** Set by the one guard that takes it, instead of a caller. */
  reader?: PaymentReader;
};

/** The caller that the route's guard has let in. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller =>
  callerOf(context.switchToHttp().getRequest<RequestWithCaller>()),
);

/** The same, of a request at hand. */
export function callerOf({ caller }: RequestWithCaller): Caller {
  if (!caller) throw new Error('A route without a guard asks for its caller');
  return caller;
}

/** The same, for a route that a payment's reader may call too. */
export const CurrentReader = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller | PaymentReader => {
    const { caller, reader } = context.switchToHttp().getRequest<RequestWithCaller>();
    const who = caller ?? reader;
    if (!who) throw new Error('A route without a guard asks for its caller');
    return who;
  },
);

/** The caller that a merchant guard has let in. */
export function merchantOf(caller: Caller): MerchantCaller {
  if (caller.kind !== 'merchant') throw new Error('A merchant guard has let a payer in');
  return caller;
}

/** The session of a caller that a client guard has let in. */
export function clientSession(caller: Caller): string {
  if (caller.kind !== 'client') throw new Error('A client guard has let a merchant in');
  return caller.sessionId;
}
