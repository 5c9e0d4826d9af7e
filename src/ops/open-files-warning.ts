import type { Config } from '../config/config.js';
import type { HttpEdge } from '../http/server/server.js';
import type { Telemetry } from '../telemetry/telemetry.module.js';

/** Warns at the start where the system lets the process open too few files for `MAX_CONNECTIONS`. */
export function warnOfFewOpenFiles(edge: HttpEdge, { http }: Config, { logger }: Telemetry): void {
  const { most } = edge.connections;
  if (most === http.maxConnections) return;
  logger.warn({
    event: 'connections.few_files',
    connections: most,
    remedy: 'Raise the limit of open files (ulimit -n) some hundreds above MAX_CONNECTIONS.',
  });
}
