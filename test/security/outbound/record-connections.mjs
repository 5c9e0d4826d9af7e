import { appendFileSync } from 'node:fs';
import dns from 'node:dns';
import net from 'node:net';
import { syncBuiltinESMExports } from 'node:module';

/* Loaded before the service: writes down every connection that it makes and every name that it looks up. */
const note = (kind, target) => appendFileSync(process.env.CONNECTIONS_FILE, `${kind} ${target}\n`);

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) {
  const [first] = Array.isArray(args[0]) ? args[0] : args;
  const {
    host = 'localhost',
    port,
    path,
  } = typeof first === 'object' && first !== null ? first : { port: first, host: args[1] };
  note('connect', path ?? `${host}:${port}`);
  return connect.apply(this, args);
};

for (const module of [dns, dns.promises]) {
  for (const name of [
    'lookup',
    'resolve',
    'resolve4',
    'resolve6',
    'resolveAny',
    'resolveSrv',
    'resolveTxt',
  ]) {
    const original = module[name];
    module[name] = function (...args) {
      note('lookup', String(args[0]));
      return original.apply(this, args);
    };
  }
}
syncBuiltinESMExports();
