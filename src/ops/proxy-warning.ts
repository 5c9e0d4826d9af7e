import type { FastifyInstance } from 'fastify';
import { isPrivateHost } from '../config/addresses.js';
import type { Config } from '../config/config.js';
import type { HttpEdge } from '../http/server/server.js';
import type { Telemetry } from '../telemetry/telemetry.module.js';

/**
 * Says once a process that a proxy stands in front whose word is not taken: all payers then seem to come from its address, and
 * one thief who tries cards locks all of them out. Only a private peer's header counts, for a stranger could send one too.
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
