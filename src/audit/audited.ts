import type { FastifyInstance, FastifyRequest } from 'fastify';
import { actorOf, type MerchantCaller } from '../auth/caller.js';
import { holdsCardNumber } from '../card-numbers/holds-card-number.js';
import { clientAddress } from '../http/address.js';
import { refusalOf } from '../http/problem-reply.js';
import { edgeRule, EdgeRoute } from '../http/route.js';
import type { Audit } from './audit.js';

/** Marks a method that changes something: each call of it with a merchant's key adds one row to the audit. `action` is a verb. */
export const Audited = (action: string): MethodDecorator => EdgeRoute({ audited: action });

/** Adds the row of each marked call, whatever came of it, before it is answered. `ownerOf`: whose key it carries; a payer has none. */
export function auditCalls(
  server: FastifyInstance,
  audit: Audit,
  ownerOf: (request: FastifyRequest) => MerchantCaller | undefined,
): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    const action = edgeRule(request).audited;
    const caller = action === undefined ? undefined : ownerOf(request);
    if (action === undefined || !caller) return done();
    const outcome = refusalOf(reply)?.code ?? 'ok';
    const { id = outcome === 'ok' ? idIn(payload) : undefined } = request.params as { id?: string };
    const row = {
      ...{ at: audit.now() - Math.round(reply.elapsedTime), actor: actorOf(caller), action, outcome },
      ...{ object: objectOf(id), address: clientAddress(request), requestId: request.id, count: 1 },
    };
    void audit.add(row).then(() => {
      done();
    });
  });
}

/** What a call has made. */
function idIn(payload: unknown): unknown {
  return typeof payload === 'string' ? (JSON.parse(payload) as { id?: unknown }).id : undefined;
}

/** The form of our own ids. Whatever else a caller writes into an address is not kept. */
const ID = /^[a-z]{2,3}_\w{20,80}$/;

function objectOf(id: unknown): string | null {
  return typeof id === 'string' && ID.test(id) && !holdsCardNumber(id.replace(/^\w+?_/, '')) ? id : null;
}
