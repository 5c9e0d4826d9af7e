import { brotliDecompressSync, unzipSync } from 'node:zlib';
import { Axios } from 'axios';
import type { Dispatcher } from 'undici';
import { undiciAdapter, type Failed, type Limits, type Received } from './adapter.js';
import { createDispatcher, type DispatcherOptions } from './dispatcher.js';

/** The longest answer that is read, before and after decompression. */
const MAX_ANSWER_BYTES = 1024 * 1024;

export interface Outgoing {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A complete answer, or why there is none. */
export type Exchanged =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** Undefined where it could not be decompressed. */
      readonly text: string | undefined;
      readonly retryAfter?: string;
    }
  | Failed;

/**
 * Carries requests to the gateway. A call never throws and is never retried; redirects are answers like any other, and proxies of the
 * environment are ignored. No library's error leaves, because those contain the card.
 */
export class Transport {
  readonly #dispatcher: Dispatcher;
  readonly #axios = new Axios({
    transformRequest: [],
    transformResponse: [],
    validateStatus: null,
    headers: {},
  });

  constructor(options: DispatcherOptions) {
    this.#dispatcher = createDispatcher(options);
  }

  async send({ method, url, headers, body }: Outgoing, limits: Limits): Promise<Exchanged> {
    // axios would copy each header several times, there and back.
    const adapter = undiciAdapter(
      this.#dispatcher,
      { ...headers, 'accept-encoding': 'identity' },
      { ...limits, maxBytes: MAX_ANSWER_BYTES },
    );
    const response = await this.#axios
      .request<Received | Failed>({ method, url, adapter, ...(body !== undefined && { data: body }) })
      .catch(() => undefined);
    if (!response) return { kind: 'unknown', why: 'reset' };
    const { data, status } = response;
    if ('kind' in data) return data;
    const header = (name: string): string | undefined => {
      const value = data.headers[name];
      return typeof value === 'string' ? value : undefined;
    };
    const bytes = decompress(data.bytes, header('content-encoding')?.trim() ?? '');
    if (bytes === 'too large') return { kind: 'unknown', why: 'too large' };
    const text = bytes && decode(bytes, header('content-type') ?? '');
    const retryAfter = header('retry-after');
    return { kind: 'answer', status, text, ...(retryAfter !== undefined && { retryAfter }) };
  }

  /** Waits for what is under way, then closes the connections. */
  async close(): Promise<void> {
    await this.#dispatcher.close();
  }
}

/** No compression is asked for, but some servers compress anyway. A coding that is none, such as `utf-8`, means nothing. */
function decompress(bytes: Buffer, coding: string): Buffer | 'too large' | undefined {
  const unpack = /^(?:x-)?gzip$|^deflate$/i.test(coding) ? unzipSync : brotliDecompressSync;
  if (unpack === brotliDecompressSync && coding.toLowerCase() !== 'br') return bytes;
  try {
    // A small answer cannot fill the memory.
    return unpack(bytes, { maxOutputLength: MAX_ANSWER_BYTES });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too large' : undefined;
  }
}

/** The text of bytes by the header's charset, UTF-8 where that is unknown. A byte order mark wins, and is not part of it. */
export function decode(bytes: Uint8Array, contentType: string): string {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const charset = isMarked ? undefined : /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
  return decoderOf(charset ?? 'utf-8').decode(bytes);
}

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
