/**
 * Where this machine's own service tells its health: `MANAGEMENT_PORT` where it is set, else `PORT`. Light on purpose: the health check of a
 * container runs it every few seconds, so it reads no more of the configuration.
 */
export function healthAddress(env: NodeJS.ProcessEnv = process.env): string {
  return `${localAddress(env, env['MANAGEMENT_PORT'] || env['PORT'] || '3000')}/health/live`;
}

/** The address of a port of this machine's own service, at the interface where it listens. */
export function localAddress(env: NodeJS.ProcessEnv, port: string): string {
  const host = env['HOST'] && env['HOST'] !== '0.0.0.0' && env['HOST'] !== '::' ? env['HOST'] : '127.0.0.1';
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
