import { applyDecorators, Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ApiSecurity } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Audit } from '../audit/audit.js';
import { CONFIG, type Config } from '../config/config.js';
import { clientAddress } from '../http/address.js';
import { doorOf } from '../http/doors.js';
import { Problem, validationFailed } from '../http/problems/problem.js';
import { bearerOf } from '../http/request.js';
import { edgeRule, EdgeRoute, type Credential } from '../http/route.js';
import { Store } from '../store/store.js';
import type { Caller, MerchantCaller, RequestWithCaller } from './caller.js';
import { isPayersToken, readerOfToken, sessionOfToken, type PaymentReader } from './tokens.js';

/** Whom a route lets in. Its listener, and its credentials in the API's description, follow from that. */
export function Access(...access: readonly Credential[]): MethodDecorator {
  const payers = access.includes('client') || access.includes('reader');
  const merchant = access.some((one) => one !== 'client' && one !== 'reader');
  const schemes = [
    ...(merchant ? ['merchantKey'] : []),
    ...(access.includes('client') ? ['clientToken'] : []),
    ...(access.includes('reader') ? ['returnToken'] : []),
  ];
  return applyDecorators(
    EdgeRoute({ access, openAt: payers && merchant ? 'both' : merchant ? 'merchant' : 'payers' }),
    ...schemes.map((scheme) => ApiSecurity(scheme)),
  );
}

/** Of the parameters of a handler, by kind and place. */
const READS_QUERY = new RegExp(`^(?:${RouteParamtypes.QUERY}|${RouteParamtypes.REQUEST}):`);

/** A call that takes no query has no known parameter in it. */
function refuseQuery(context: ExecutionContext, { url, query }: FastifyRequest): void {
  if (!url.startsWith('/v1/') || Object.keys(query as object).length === 0) return;
  const parameters: unknown = Reflect.getMetadata(
    ROUTE_ARGS_METADATA,
    context.getClass(),
    context.getHandler().name,
  );
  if (Object.keys(parameters ?? {}).some((name) => READS_QUERY.test(name))) return;
  throw validationFailed([{ pointer: '', message: 'takes no query parameters' }]);
}

/** Finds out who calls, and lets in whom the route's `Access` names. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly store: Store,
    private readonly audit: Audit,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<RequestWithCaller>();
    const { access } = edgeRule(request);
    if (access === undefined) {
      refuseQuery(context, request);
      return true;
    }
    const caller = this.identify(request);
    const kind = caller.kind === 'merchant' ? caller.access : caller.kind;
    if (!access.includes(kind)) throw new Problem('forbidden', WHY_NOT[kind]);
    refuseQuery(context, request);
    if (caller.kind === 'reader') request.reader = caller;
    else request.caller = caller;
    return true;
  }

  /** Throws `unauthorized`. */
  identify(request: FastifyRequest): Caller | PaymentReader {
    const bearer = bearerOf(request.headers.authorization);
    if (bearer === undefined)
      throw new Problem('unauthorized', 'Send your key or token as "Authorization: Bearer …".');
    const isPayers = isPayersToken(bearer);
    const { merchantPort } = this.config.http;
    // Where the merchant has a port of its own, nobody can try merchant keys at the payers' one.
    if (merchantPort !== undefined && isPayers !== (doorOf(request) === 'payers'))
      throw new Problem('not-found', 'There is nothing at this address.');
    const caller = isPayers ? this.#payer(bearer) : this.merchant(bearer);
    if (caller) return caller;
    if (!isPayers) this.audit.refusedKey(clientAddress(request), request.id);
    throw new Problem('unauthorized', 'This key or token is not valid.');
  }

  /** Whose merchant, read or books key a request carries, where such keys are taken. */
  ownerOf(request: FastifyRequest): MerchantCaller | undefined {
    const bearer = bearerOf(request.headers.authorization);
    const { merchantPort } = this.config.http;
    const isElsewhere = merchantPort !== undefined && doorOf(request) !== 'merchant';
    return bearer === undefined || isElsewhere ? undefined : this.merchant(bearer);
  }

  /** The owner of a merchant, read or books key. Compares in constant time. */
  merchant(key: string): MerchantCaller | undefined {
    const { apiKeys: full, readApiKeys: read, booksApiKeys: books } = this.config.merchant;
    for (const [access, keys] of [
      ['full', full],
      ['read', read],
      ['books', books],
    ] as const) {
      const found = keys.match(key);
      if (found) return { kind: 'merchant', access, name: found.name };
    }
    return undefined;
  }

  #payer(token: string): Caller | PaymentReader | undefined {
    const { secretKeys } = this.config.keys;
    const sessionId = sessionOfToken(token, secretKeys);
    if (sessionId !== undefined) return { kind: 'client', sessionId };
    return readerOfToken(token, secretKeys, this.store.now());
  }
}

const WHY_NOT = {
  full: 'This call needs the client token of a session.',
  read: 'A read key cannot change anything.',
  books: 'A bookkeeping key cannot do this.',
  client: 'This call needs a merchant key.',
  reader: 'This token only shows the outcome of one payment.',
} as const;
