/** The address of a port of the service on this machine, on the interface where it listens. */
export function localAddress(env: NodeJS.ProcessEnv, port: string): string {
  const host = env['HOST'] && env['HOST'] !== '0.0.0.0' && env['HOST'] !== '::' ? env['HOST'] : '127.0.0.1';
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
