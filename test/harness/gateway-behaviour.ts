import type { RecordedRequest } from './request-reader.js';

/** What a misbehaving gateway does with one request. */
export type Behaviour =
  | { do: 'answer'; status?: number; body: unknown; headers?: Record<string, string>; afterMs?: number }
  | {
      do: 'text';
      status?: number;
      contentType?: string;
      text: string | Buffer;
      headers?: Record<string, string>;
    }
  /** Accepts the connection and resets it without reading a byte. */
  | { do: 'reset-before-reading' }
  /** Reads the whole request, then resets. */
  | { do: 'reset-after-reading' }
  /** Reads the whole request, then closes the connection without an answer. */
  | { do: 'close-after-reading' }
  /** Half of a good answer, then the connection closes. */
  | { do: 'cut'; body?: unknown }
  /** A good answer at one byte each `everyMs` (default 50). */
  | { do: 'trickle'; body?: unknown; everyMs?: number }
  /** Reads and never says anything. */
  | { do: 'silent' }
  /** `megabytes` of JSON whitespace (default 2) before a good answer. */
  | { do: 'huge'; megabytes?: number; body?: unknown }
  /** The same, gzipped to almost nothing. */
  | { do: 'gzip-bomb'; megabytes?: number; body?: unknown }
  | { do: 'redirect'; status: 301 | 302 | 303 | 307 | 308; location: string };

export type Responder = (request: RecordedRequest) => Behaviour | Promise<Behaviour>;
