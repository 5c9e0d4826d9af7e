import axios, { type AxiosInstance } from 'axios';
import { Pool } from 'undici';
import type { Config } from '../config/config.js';
import { createConnector } from './connector.js';
import type { NotSentReason, UnknownReason } from './gateway-result.js';
import { decodeBody, type DecodedBody } from './response-body.js';
import { ExchangeFailure, undiciAdapter } from './undici-adapter.js';

/** Longest answer that is read, compressed or not. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * An idle connection is closed after this, well before common servers close theirs (Node after 5 s, others after 60 s or
 * more): a request on a connection that is being closed may or may not have been read, and that is an unknown outcome.
 */
const KEEP_ALIVE_MS = 4_000;

/** Headers that every request carries; a profile may replace all but the encoding, which nobody here asks for. */
const COMMON_HEADERS = {
  accept: 'application/json',
  'user-agent': 'tillfront',
  'accept-encoding': 'identity',
} as const;

const JSON_BODY = { 'content-type': 'application/json' } as const;

export interface TransportRequest {
  readonly method: string;
  /** Below the base address, percent-encoded, with a leading slash. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The deadline of the whole call. */
  readonly signal: AbortSignal;
  readonly beforeSend?: () => boolean;
}

/** An answer that came whole, whatever is in it, or why there is none. */
export type TransportResult =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly body: DecodedBody;
      readonly retryAfter: string | undefined;
    }
  | { readonly kind: 'not-sent'; readonly reason: NotSentReason }
  | { readonly kind: 'unknown'; readonly reason: UnknownReason; readonly status?: number };

/**
 * The way to the gateway: one pool of kept-alive connections. A call never throws and is never repeated; redirects are
 * not followed, proxies of the environment are not used, and no error of a library leaves, for theirs carry the card.
 */
export class Transport {
  readonly #pool: Pool;
  readonly #client: AxiosInstance;
  readonly #basePath: string;

  /** @param options.reReadAfterMs how old a look at the certificate files may be; 10 s unless said. */
  constructor(
    config: Pick<Config['gateway'], 'baseUrl' | 'timeoutMs' | 'tls'>,
    options: { readonly reReadAfterMs?: number } = {},
  ) {
    const base = new URL(config.baseUrl);
    this.#basePath = base.pathname.replace(/\/+$/, '');
    this.#pool = new Pool(base.origin, {
      connect: createConnector(config.tls, config.timeoutMs, options.reReadAfterMs),
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      pipelining: 1,
    });
    this.#client = axios.create({
      maxRedirects: 0,
      proxy: false,
      responseType: 'arraybuffer',
      maxContentLength: MAX_ANSWER_BYTES,
      validateStatus: null,
      transformRequest: [],
      transformResponse: [],
    });
  }

  /** One request, one answer. */
  async send(request: TransportRequest): Promise<TransportResult> {
    const exchange = undiciAdapter(this.#pool, request);
    let handedOver = false;
    try {
      const response = await this.#client.request<Buffer>({
        adapter: (config) => {
          handedOver = true;
          return exchange(config);
        },
        method: request.method,
        url: this.#basePath + request.path,
        headers: { ...COMMON_HEADERS, ...(request.body !== undefined && JSON_BODY), ...request.headers },
        data: request.body,
      });
      const { status, headers } = response;
      const body = await decodeBody(response.data, headerText(headers['content-encoding']), MAX_ANSWER_BYTES);
      const retryAfter = headerText(headers['retry-after']);
      return { kind: 'response', status, body, retryAfter: retryAfter === '' ? undefined : retryAfter };
    } catch (error) {
      if (error instanceof ExchangeFailure) return error.result;
      // axios itself gave up, before the exchange or after it.
      if (!handedOver) return { kind: 'not-sent', reason: 'abandoned' };
      return { kind: 'unknown', reason: 'other' };
    }
  }

  /** Waits for the calls under way, then closes the connections. */
  async close(): Promise<void> {
    await this.#pool.close();
  }
}

function headerText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
