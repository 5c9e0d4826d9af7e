import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { PaymentReader } from './tokens.js';

/** What a merchant's key may do. */
export const ACCESSES = ['full', 'read', 'books'] as const;
export type Access = (typeof ACCESSES)[number];

/** The merchant's server or people. `read`: may only read; `books`: keeps the books. */
export interface MerchantCaller {
  kind: 'merchant';
  access: Access;
  /** The name of the key, if it has one. */
  name?: string | undefined;
}

/** Who calls. A payment's reader is not one of them, so that a route which lets one in has to say so. */
export type Caller = MerchantCaller | { kind: 'client'; sessionId: string };

/** The actor that timelines, operations and the log name: `payer`, `merchant` or, with a named key, `merchant:<name>`. */
export function actorOf(caller: Caller): string {
  if (caller.kind === 'client') return 'payer';
  return caller.name === undefined ? 'merchant' : `merchant:${caller.name}`;
}

export type RequestWithCaller = FastifyRequest & { caller?: Caller; reader?: PaymentReader };

/** The caller that `Access` let in. */
export function callerOf({ caller }: RequestWithCaller): Caller {
  if (!caller) throw new Error('A route without Access asks for its caller');
  return caller;
}

export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller =>
  callerOf(context.switchToHttp().getRequest<RequestWithCaller>()),
);

/** The same, for a route that a payment's reader may call too. */
export const CurrentReader = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller | PaymentReader => {
    const request = context.switchToHttp().getRequest<RequestWithCaller>();
    return request.reader ?? callerOf(request);
  },
);

/** The caller of a route for merchant keys only. */
export function merchantOf(caller: Caller): MerchantCaller {
  if (caller.kind !== 'merchant') throw new Error('Access let a payer in');
  return caller;
}

/** The session of a caller of a route for client tokens only. */
export function clientSession(caller: Caller): string {
  if (caller.kind !== 'client') throw new Error('Access let a merchant in');
  return caller.sessionId;
}
