import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { type Exchange, sendJson } from '../control/exchange.ts';
import type { RecordedRequest } from '../control/recorder.ts';
import type { Settings } from '../settings.ts';

/** Where a token is fetched: a form POST with both credentials in `Authorization: Basic`. */
export const TOKEN_PATH = '/oauth/token';

/** How far the time in a request may be from ours, in seconds. */
const SKEW_SECONDS = 300;

/** The door of a gateway that takes tokens which end, and requests which are signed and used once. */
export class SignedDoor {
  readonly #apiKey: string;
  readonly #accessToken: string;
  readonly #settings: Pick<Settings, 'tokenSeconds'>;
  /** When each token ends, in milliseconds since the epoch. */
  readonly #tokens = new Map<string, number>();
  readonly #nonces = new Set<string>();

  constructor(apiKey: string, accessToken: string, settings: Pick<Settings, 'tokenSeconds'>) {
    this.#apiKey = apiKey;
    this.#accessToken = accessToken;
    this.#settings = settings;
  }

  /** Answers a request for a token. */
  handleToken({ request, response, body }: Exchange): void {
    const basic = Buffer.from(`${this.#apiKey}:${this.#accessToken}`).toString('base64');
    if (!equal(request.headers.authorization ?? '', `Basic ${basic}`))
      return sendJson(response, 401, { error: 'invalid_client' });
    if (new URLSearchParams(body).get('grant_type') !== 'client_credentials')
      return sendJson(response, 400, { error: 'unsupported_grant_type' });
    const token = randomUUID();
    const seconds = this.#settings.tokenSeconds;
    this.#tokens.set(token, Date.now() + seconds * 1_000);
    sendJson(response, 200, { access_token: token, token_type: 'Bearer', expires_in: seconds });
  }

  /** Ends every token before its time. */
  endTokens(): void {
    this.#tokens.clear();
  }

  /** Whether a request brings a living token, as `apiKey`, and the signature of what it says, as `accessToken`. */
  check({ request, url, body }: Exchange): RecordedRequest['credentials'] {
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
    const ends = token === undefined ? undefined : this.#tokens.get(token);
    const given = header(request.headers['x-signature']);
    const [epoch, nonce] = [header(request.headers['x-epoch']), header(request.headers['x-nonce'])];
    const text = [request.method ?? '', url.pathname + url.search, epoch, nonce, body].join('\n');
    const signature = createHmac('sha512', this.#accessToken).update(text).digest('base64');
    const fresh =
      Math.abs(Number(epoch) - Date.now() / 1_000) <= SKEW_SECONDS &&
      nonce !== '' &&
      !this.#nonces.has(nonce);
    const right = fresh && equal(given, signature);
    if (right) this.#nonces.add(nonce);
    return {
      apiKey: token === undefined ? 'absent' : ends !== undefined && ends > Date.now() ? 'right' : 'wrong',
      accessToken: given === '' ? 'absent' : right ? 'right' : 'wrong',
    };
  }
}

function header(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : '';
}

function equal(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
