import { lookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import ipaddr from 'ipaddr.js';

const CONNECT_TIMEOUT_MS = 10_000;

/** The webhook address resolves to a machine that must not be called. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** All addresses of a host name. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/** Asks the system's resolver. */
function resolveBySystem(hostname: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error, addresses) => {
      if (error) reject(error);
      else resolve(addresses);
    });
  });
}

export interface ConnectorOptions {
  /** Whether private and loopback addresses may be called. */
  allowPrivate: boolean;
  resolve?: Resolve;
}

/**
 * Connects to the merchant's server: with TLS 1.2 or later, always verified, and only to public addresses unless others
 * are allowed. The address that is checked is the one that the socket then uses, so a name that resolves differently
 * the second time gains nothing.
 */
export function guardedConnector(options: ConnectorOptions): buildConnector.connector {
  const resolve = sharing(options.resolve ?? resolveBySystem);
  const permitted = (address: string): boolean => options.allowPrivate || isPublicAddress(address);
  const connect = buildConnector({
    lookup: guardedLookup(resolve, permitted),
    minVersion: 'TLSv1.2',
    timeout: CONNECT_TIMEOUT_MS,
    allowH2: false,
  });
  return (target, callback) => {
    // A host that is an IP address is never looked up.
    const literal = target.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0 && !permitted(literal)) {
      callback(new AddressRefused('the address is not a public one'), null);
      return;
    }
    connect(target, callback);
  };
}

function guardedLookup(resolve: Resolve, permitted: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (found) => {
        const family = options.family === 4 || options.family === 6 ? options.family : undefined;
        const usable = found.filter(
          ({ address, family: its }) => permitted(address) && (family ?? its) === its,
        );
        const [first] = usable;
        if (!first) callback(new AddressRefused('the host has no public address'), '');
        else if (options.all) callback(null, usable);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => {
        callback(error as NodeJS.ErrnoException, '');
      },
    );
  };
}

/**
 * Connections at the same time share one look-up, so that a hanging resolver does not occupy the few threads that look
 * up the gateway's name too.
 */
function sharing(resolve: Resolve): Resolve {
  const underWay = new Map<string, Promise<LookupAddress[]>>();
  return (hostname) => {
    let answer = underWay.get(hostname);
    if (!answer) {
      answer = resolve(hostname).finally(() => underWay.delete(hostname));
      underWay.set(hostname, answer);
    }
    return answer;
  };
}

/** The block from which every public IPv6 address comes so far (RFC 4291, section 2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** How a network without IPv4 writes IPv4 addresses (RFC 6052): the last 32 bits are the real one. */
const TRANSLATED = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Whether an IP address is public: not of this machine, and of no private, carrier, documentation, multicast or other
 * special network, in whatever notation. Anything that is no IP address is not public.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() === 'unicast') return address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST);
  return address.kind() === 'ipv6' && address.match(TRANSLATED) && isPublicAddress(lastFour(address));
}

function lastFour(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  return address.toByteArray().slice(-4).join('.');
}
