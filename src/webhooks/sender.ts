import { createHmac } from 'node:crypto';
import type { Dispatcher } from 'undici';
import type { ConfigDraft } from '../config/config.js';
import { createDispatcher } from '../gateway/transport/dispatcher.js';

/** The timeout of a whole attempt. */
const ATTEMPT_TIMEOUT_MS = 15_000;
/** Only the status of an answer matters. So much of its body is read, so that the connection can be used again. */
const BODY_LIMIT_BYTES = 4_096;

/** What became of an attempt: an HTTP status, or a word why there is none. */
export interface Attempt {
  status?: number;
  /** `http_200`, `timeout`, `unreachable`, `interrupted`. */
  result: string;
  /** Where a redirect, which is not followed, leads to: its origin only. */
  redirect?: string;
}

export interface SenderOptions {
  url: string;
  /** `whsec_…`: each one signs, so that a receiver may know the old or the new one. */
  secrets: readonly string[];
  connections: number;
  proxyUrl?: string;
}

/** Posts events to the merchant's server as Standard Webhooks: signed, with a timeout, without following redirects. */
export class WebhookSender {
  private readonly dispatcher: Dispatcher;
  private readonly url: URL;
  private readonly ending = new AbortController();

  constructor(private readonly options: SenderOptions) {
    this.dispatcher = createDispatcher(options);
    this.url = new URL(options.url);
  }

  /** One attempt. Never rejects. `at`: milliseconds since the epoch, for receivers that refuse old attempts. */
  async send(event: { id: string; body: string }, at: number): Promise<Attempt> {
    const timeout = AbortSignal.timeout(ATTEMPT_TIMEOUT_MS);
    try {
      const { statusCode, headers, body } = await this.dispatcher.request({
        origin: this.url.origin,
        path: this.url.pathname + this.url.search,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Tillfront',
          ...signatureHeaders(event, at, this.options.secrets),
        },
        body: event.body,
        signal: AbortSignal.any([timeout, this.ending.signal]),
      });
      await body.dump({ limit: BODY_LIMIT_BYTES }).catch(() => undefined);
      const redirect = statusCode >= 300 && statusCode < 400 ? this.originOf(headers.location) : undefined;
      return {
        status: statusCode,
        result: `http_${statusCode}`,
        ...(redirect === undefined ? {} : { redirect }),
      };
    } catch {
      if (this.ending.signal.aborted) return { result: 'interrupted' };
      return { result: timeout.aborted ? 'timeout' : 'unreachable' };
    }
  }

  /** Ends what is under way and closes the connections. */
  async close(): Promise<void> {
    this.ending.abort();
    await this.dispatcher.destroy();
  }

  private originOf(location: string | string[] | undefined): string | undefined {
    if (typeof location !== 'string' || !URL.canParse(location, this.url)) return undefined;
    return new URL(location, this.url).origin;
  }
}

/** Sends where the configuration says; undefined without an address. */
export function senderOf({ merchant, gateway }: ConfigDraft, connections: number): WebhookSender | undefined {
  const { webhookUrl: url, webhookSecrets } = merchant;
  const proxyUrl = gateway.egressProxy?.unwrap();
  const options = { secrets: webhookSecrets.unwrap(), connections, ...(proxyUrl && { proxyUrl }) };
  return url === undefined ? undefined : new WebhookSender({ url, ...options });
}

/** The three headers of Standard Webhooks. Node's own HMAC: the specification's library takes four times as long. */
export function signatureHeaders(
  event: { id: string; body: string },
  at: number,
  secrets: readonly string[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = Math.floor(at / 1_000).toString();
  const content = `${event.id}.${timestamp}.${event.body}`;
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
      .update(content)
      .digest('base64');
  return {
    'webhook-id': event.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  };
}
