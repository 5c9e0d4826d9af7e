/**
 * The health address of the service on this machine: on `MANAGEMENT_PORT` if it is set, else on `PORT`. It reads no more of
 * the configuration, because a container's health check runs it every few seconds.
 */
export function healthAddress(env: NodeJS.ProcessEnv = process.env): string {
  return `${localAddress(env, env['MANAGEMENT_PORT'] || env['PORT'] || '3000')}/health/live`;
}

/**
 * Where the readiness of the service at `serviceUrl` is read: on this machine's `MANAGEMENT_PORT` if it is set, else with the service
 * itself.
 */
export function readinessAddress(env: NodeJS.ProcessEnv, serviceUrl: string): string {
  const port = env['MANAGEMENT_PORT'];
  return `${port ? localAddress(env, port) : serviceUrl}/health/ready`;
}

/** The address of a port of the service on this machine, on the interface where it listens. */
export function localAddress(env: NodeJS.ProcessEnv, port: string): string {
  const host = env['HOST'] && env['HOST'] !== '0.0.0.0' && env['HOST'] !== '::' ? env['HOST'] : '127.0.0.1';
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
