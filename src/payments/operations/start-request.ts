import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { clientAddress, addressGroup } from '../../http/address.js';
import { callerOf, clientSession, type RequestWithCaller } from '../../auth/caller.js';
import { keyedCall, type KeyedCall } from '../../auth/keyed-call.js';
import type { Config } from '../../config/config.js';
import { keyedHash } from '../../secrets/keyed-hash.js';

/** What starting a payment needs of the HTTP request besides the body, by which its key is compared. */
export interface StartRequest extends Omit<KeyedCall, 'content'> {
  sessionId: string;
  /** Where the request came from. */
  address: string;
  /** The `User-Agent` header. */
  userAgent: string | undefined;
}

/** Reads the call's idempotency key. Throws `idempotency-key-missing`. */
export type ReadStartRequest = () => StartRequest;

/** What the call brings beside the body, for a client's route. A function for the same reason as `Keyed`. */
export const Starting = createParamDecorator((_: unknown, context: ExecutionContext): ReadStartRequest => {
  const request = context.switchToHttp().getRequest<RequestWithCaller>();
  return () => ({
    ...keyedCall(request, {}),
    sessionId: clientSession(callerOf(request)),
    address: clientAddress(request),
    userAgent: request.headers['user-agent'],
  });
});

/** How many recent addresses are cached: a hash costs more than a look-up, and one address makes many calls. */
const MAX_KEPT = 5_000;
const kept = new Map<string, string>();
let keptFor = '';

/** A keyed hash of where a request came from. Addresses are never stored themselves. */
export function addressFingerprint(address: string, config: Config): string {
  return fingerprintOf(addressGroup(address), config);
}

/** A keyed hash of the /48 that an IPv6 address belongs to; null for any other address. */
export function networkFingerprint(address: string, config: Config): string | null {
  const network = addressNetwork(address);
  return network === undefined ? null : fingerprintOf(network, config);
}

function fingerprintOf(place: string, config: Config): string {
  const [signing = ''] = config.keys.secretKeys.unwrap();
  if (signing !== keptFor || kept.size >= MAX_KEPT) {
    kept.clear();
    keptFor = signing;
  }
  let fingerprint = kept.get(place);
  if (fingerprint === undefined) {
    fingerprint = keyedHash(signing, 'fingerprint', `address\n${place}`);
    kept.set(place, fingerprint);
  }
  return fingerprint;
}

/** The /48 network of an IPv6 address, which a whole site gets. */
function addressNetwork(address: string): string | undefined {
  if (!isIPv6(address)) return undefined;
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, 3);
  return `${parts.map((part) => part.toString(16)).join(':')}::/48`;
}
