import { AxiosHeaders, type InternalAxiosRequestConfig } from 'axios';
import { Pool } from 'undici';
import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import type { Config } from '../../config/config.js';
import { createConnector } from './connector.js';
import type { NotSent, UnknownReason } from '../gateway-result.js';
import { ExchangeFailure, undiciAdapter } from './undici-adapter.js';

/** The longest answer that is read, before and after decompression. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * An idle connection is closed after this time, well before common servers close theirs (Node after 5 s, others after 60 s
 * or more). A request on a connection that is just being closed may or may not have been read, and that is an unknown
 * outcome.
 */
const KEEP_ALIVE_MS = 4_000;

/** Headers of every request. A profile may replace all of them except the encoding. */
const COMMON_HEADERS = {
  accept: 'application/json',
  'user-agent': 'tillfront',
  'accept-encoding': 'identity',
} as const;

const JSON_TYPE = 'application/json';

interface HeldHeaders {
  readonly headers: AxiosHeaders;
  readonly contentType: string | undefined;
}

export interface TransportRequest {
  readonly method: string;
  /** Appended to the base address: percent-encoded, with a leading slash. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Of the body; JSON unless given. A profile's header replaces it. */
  readonly contentType?: string;
  /** The deadline of the whole call, as a `performance.now()` timestamp. */
  readonly deadline: number;
  readonly beforeSend?: () => boolean;
}

/** A complete answer, whatever it contains, or why there is none. */
export type TransportResult =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly body: DecodedBody;
      readonly retryAfter: string | undefined;
    }
  | NotSent
  | { readonly kind: 'unknown'; readonly reason: UnknownReason; readonly status?: number };

/** Carries requests to the gateway. What it promises is what {@link Transport} does. */
export type Exchanges = Pick<Transport, 'targetOf' | 'send' | 'close'>;

/**
 * The HTTP client for the gateway: one pool of kept-alive connections. A call never throws and is never retried. Redirects
 * are not followed, and of the environment's proxy variables only `EGRESS_PROXY_URL` counts. Library errors are never passed on, because they
 * contain the card.
 */
export class Transport {
  readonly #pool: Pool;
  readonly #headers = {
    bare: new WeakMap<object, HeldHeaders>(),
    withBody: new WeakMap<object, HeldHeaders>(),
  };
  readonly #basePath: string;

  constructor(config: Pick<Config['gateway'], 'baseUrl' | 'timeoutMs' | 'tls' | 'egressProxy'>) {
    const base = new URL(config.baseUrl);
    this.#basePath = base.pathname.replace(/(?<!\/)\/+$/, '');
    this.#pool = new Pool(base.origin, {
      connect: createConnector(config, config.timeoutMs),
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      pipelining: 1,
    });
  }

  /** A path below the base address as it stands in the request's first line. */
  targetOf(path: string): string {
    return this.#basePath + path;
  }

  /** One request, one answer. */
  async send(request: TransportRequest): Promise<TransportResult> {
    try {
      const response = await undiciAdapter(this.#pool, request)(this.#config(request));
      const { status, headers } = response;
      const body = await decodeBody(
        response.data as Buffer,
        headerText(headers['content-encoding']),
        MAX_ANSWER_BYTES,
      );
      const retryAfter = headerText(headers['retry-after']);
      return { kind: 'response', status, body, retryAfter: retryAfter === '' ? undefined : retryAfter };
    } catch (error) {
      return error instanceof ExchangeFailure ? error.result : { kind: 'unknown', reason: 'other' };
    }
  }

  /**
   * The request in the form that axios adapters take. It goes straight to the adapter. Merging defaults, interceptors and
   * transforms, none of which is used here, would cost 24 µs a call, as much as the exchange itself.
   */
  #config({
    method,
    path,
    headers,
    body,
    contentType = JSON_TYPE,
  }: TransportRequest): InternalAxiosRequestConfig<string> {
    return {
      method,
      url: this.targetOf(path),
      headers: this.#headersOf(headers, body === undefined ? undefined : contentType),
      maxContentLength: MAX_ANSWER_BYTES,
      ...(body !== undefined && { data: body }),
    };
  }

  /** The same headers object is passed as long as nothing in it changes. */
  #headersOf(own: TransportRequest['headers'], contentType: string | undefined): AxiosHeaders {
    const known = contentType === undefined ? this.#headers.bare : this.#headers.withBody;
    const { headers: held, contentType: type } = known.get(own) ?? {};
    if (held && type === contentType) return held;
    const headers = AxiosHeaders.from({
      ...COMMON_HEADERS,
      ...(contentType !== undefined && { 'content-type': contentType }),
      ...own,
    });
    known.set(own, { headers, contentType });
    return headers;
  }

  /** Waits for running calls, then closes the connections. */
  async close(): Promise<void> {
    await this.#pool.close();
  }
}

function headerText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The text of a body, or why it could not be read. */
type DecodedBody = { readonly text: string } | { readonly reason: 'too-large' | 'cut' | 'not-json' };

type Decompress = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const gunzipAsync: Decompress = promisify(gunzip);
const inflateAsync: Decompress = promisify(inflate);
const inflateRawAsync: Decompress = promisify(inflateRaw);

/** Decoders by content coding. The service asks for no compression, but some servers compress anyway. */
const decompressors: Readonly<Record<string, Decompress>> = {
  gzip: gunzipAsync,
  'x-gzip': gunzipAsync,
  br: promisify(brotliDecompress),
  // By the standard "deflate" is the zlib format, but some servers send raw deflate data.
  deflate: (bytes, options) =>
    ((bytes[0] ?? 0) & 0x0f) === 8 ? inflateAsync(bytes, options) : inflateRawAsync(bytes, options),
};

/**
 * The text of an answer's body. It is decompressed up to `limit` bytes, so that a small answer cannot fill the memory, and
 * decoded as UTF-8 without its byte order mark.
 */
async function decodeBody(bytes: Buffer, contentEncoding: string, limit: number): Promise<DecodedBody> {
  const coding = contentEncoding.trim().toLowerCase();
  if (coding === '' || coding === 'identity') return asText(bytes);
  const decompress = Object.hasOwn(decompressors, coding) ? decompressors[coding] : undefined;
  if (!decompress) return { reason: 'not-json' };
  try {
    return asText(await decompress(bytes, { maxOutputLength: limit }));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') return { reason: 'too-large' };
    return { reason: code === 'Z_BUF_ERROR' ? 'cut' : 'not-json' };
  }
}

function asText(bytes: Buffer): DecodedBody {
  if (!isUtf8(bytes)) return { reason: 'not-json' };
  const text = bytes.toString('utf8');
  return { text: text.startsWith('\uFEFF') ? text.slice(1) : text };
}
