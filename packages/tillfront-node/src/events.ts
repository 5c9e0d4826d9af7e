import { createHmac, timingSafeEqual } from 'node:crypto';
import type { EventRecord, WebhookEvent } from './api.js';

/** What happened. */
export type EventType = WebhookEvent['type'];

/** An event as it is listed, with what became of its delivery. */
export type ListedEvent = WebhookEvent & Pick<EventRecord, 'delivery'>;

/** Headers as Node.js, Express or `Headers` have them. */
export type WebhookHeaders =
  Readonly<Record<string, string | readonly string[] | undefined>> | Iterable<readonly [string, string]>;

/** A request that is no event of your Tillfront. Answer 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';

  constructor(
    /** `stale`: more than five minutes off. It is an old request that comes again, or a clock is wrong. */
    readonly code: 'malformed' | 'stale' | 'signature',
    message: string,
  ) {
    super(message);
  }
}

const TOLERANCE_SECONDS = 300;
const SHORTEST_KEY_BYTES = 24;

/**
 * The event of a request, if Tillfront has signed it within the last five minutes (Standard Webhooks). Throws
 * {@link WebhookVerificationError} otherwise.
 *
 * @param rawBody The body as it was received: what was parsed and written again has another signature.
 * @param secret `MERCHANT_WEBHOOK_SECRET`, as the service has it. Where it is two secrets, either may have signed.
 */
export function verifyEvent(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
): WebhookEvent {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array)) {
    throw new TypeError('rawBody must be the body as it was received: turn off the parser of this route.');
  }
  const keys = keysOf(secret);
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature');
  if (!id || !signatures || !timestamp || !/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError('malformed', 'The headers of an event are missing.');
  }
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) {
    throw new WebhookVerificationError('stale', 'The timestamp is more than five minutes off.');
  }
  const expected = keys.map((key) =>
    Buffer.from(
      `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest('base64')}`,
    ),
  );
  const given = signatures.split(' ').map((signature) => Buffer.from(signature));
  const genuine = expected.some((wanted) =>
    given.some((one) => one.length === wanted.length && timingSafeEqual(one, wanted)),
  );
  if (!genuine)
    throw new WebhookVerificationError('signature', 'The signature is of another secret or body.');
  return JSON.parse(
    typeof rawBody === 'string' ? rawBody : Buffer.from(rawBody).toString('utf8'),
  ) as WebhookEvent;
}

/** An empty or short key would accept what anybody can sign. */
function keysOf(secret: string): Buffer[] {
  return String(secret)
    .split(',')
    .map((one) => {
      const [, encoded] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(one.trim()) ?? [];
      const key = Buffer.from(encoded ?? '', 'base64');
      if (key.length >= SHORTEST_KEY_BYTES) return key;
      throw new TypeError(
        'secret must be MERCHANT_WEBHOOK_SECRET: whsec_ and the base64 of 24 bytes or more.',
      );
    });
}

function header(headers: WebhookHeaders, name: string): string | undefined {
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  const values = entries
    .filter(([given]) => given.toLowerCase() === name)
    .flatMap(([, value]) => value ?? []);
  return values.length === 1 ? values[0] : undefined;
}
