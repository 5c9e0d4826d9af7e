import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../http/problem.js';
import { matchesAny } from '../secrets/compare.js';
import type { SecretListSource } from '../secrets/secret-source.js';
import { sessionOfToken } from './client-token.js';

/** Who calls: the merchant's server, with a key that may write or only read, or the browser of one session. */
export type Caller = { kind: 'merchant'; access: 'full' | 'read' } | { kind: 'client'; sessionId: string };

export interface Credentials {
  apiKeys: SecretListSource;
  readApiKeys: SecretListSource;
  secretKeys: SecretListSource;
}

/** Whose bearer secret this is. Throws `unauthorized` where it is nobody's. */
export function authenticate(authorization: string | undefined, credentials: Credentials): Caller {
  const [, token] = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? '') ?? [];
  if (token === undefined) {
    throw new Problem('unauthorized', 'Send your key or token as "Authorization: Bearer …".');
  }
  const sessionId = sessionOfToken(token, credentials.secretKeys);
  if (sessionId !== undefined) return { kind: 'client', sessionId };
  if (matchesAny(token, credentials.apiKeys.current())) return { kind: 'merchant', access: 'full' };
  if (matchesAny(token, credentials.readApiKeys.current())) return { kind: 'merchant', access: 'read' };
  throw new Problem('unauthorized', 'This key or token is not known here.');
}

export type RequestWithCaller = FastifyRequest & { caller?: Caller };

/** The caller that the route's guard has let in. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<RequestWithCaller>();
  if (!caller) throw new Error('A route without a guard asks for its caller');
  return caller;
});

/** The session of a caller that a client guard has let in. */
export function clientSession(caller: Caller): string {
  if (caller.kind !== 'client') throw new Error('A client guard has let a merchant in');
  return caller.sessionId;
}
