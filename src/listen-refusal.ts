import type { Config } from './config/config.js';

/** The settings that say where the service listens. */
type Where = Pick<Config['http'], 'host' | 'port' | 'merchantPort' | 'managementPort'>;

/**
 * What an operator has to change so that the service can listen: one line that names the variable. Undefined where the
 * error is about something else.
 */
export function listenRefusal(error: unknown, where: Where): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined;
  if (error.syscall === 'getaddrinfo') return `HOST ${where.host} cannot be resolved to an address.`;
  if (error.syscall !== 'listen' || !('port' in error)) return undefined;
  const variable = variableOf(error.port, where);
  if (variable === undefined) return undefined;
  const port = String(error.port);
  if (error.code === 'EADDRINUSE')
    return `Port ${port} is in use: stop what uses it, or set ${variable} to another port.`;
  if (error.code === 'EACCES')
    return `This user may not listen on port ${port}: set ${variable} to a port of 1024 or more.`;
  if (error.code === 'EADDRNOTAVAIL') return `HOST ${where.host} is not an address of this machine.`;
  return undefined;
}

function variableOf(port: unknown, where: Where): string | undefined {
  if (port === where.port) return 'PORT';
  if (port === where.merchantPort) return 'MERCHANT_PORT';
  return port === where.managementPort ? 'MANAGEMENT_PORT' : undefined;
}
