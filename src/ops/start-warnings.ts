import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.js';
import type { HttpEdge } from '../http/server.js';
import type { Telemetry } from '../telemetry/telemetry.module.js';
import { isPrivateHost } from '../config/addresses.js';

/** Warns at the start where something may wait for an approval that nobody can give: who asks cannot approve, nor can a key without a name. */
export function warnOfFewApprovers({ payments, merchant }: Config, { logger }: Telemetry): void {
  const named = merchant.apiKeys.names().length;
  if (payments.approvalAbove.size === 0 || named >= 2) return;
  logger.warn({
    event: 'approvals.few_named_keys',
    named,
    remedy: 'APPROVAL_ABOVE is set: give each of at least two people a key with a name in MERCHANT_API_KEY.',
  });
}

/**
 * Warns once in a process about a proxy that `TRUST_PROXY` does not trust. All payers then seem to come from the proxy's
 * address, so one thief who tests cards locks all of them out. Only the header of a private peer counts, because a stranger
 * could send one too.
 */
export function warnOfUntrustedProxy(edge: HttpEdge, config: Config, { logger }: Telemetry): void {
  if (config.http.trustProxy !== false) return;
  let said = false;
  edge.getInstance<FastifyInstance>().addHook('onRequest', (request, _reply, done) => {
    if (!said && (request.headers['x-forwarded-for'] ?? request.headers.forwarded) !== undefined) {
      const peer = request.raw.socket.remoteAddress ?? '';
      if (isPrivateHost(peer)) {
        said = true;
        logger.warn({
          event: 'proxy.not_trusted',
          peer,
          remedy: 'Set TRUST_PROXY to the proxy: without it all payers share one address, and its limits.',
        });
      }
    }
    done();
  });
}
