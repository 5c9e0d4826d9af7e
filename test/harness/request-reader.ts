/** A request as it was received. */
export interface RecordedRequest {
  method: string;
  /** Path with its query, as sent. */
  path: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  text: string;
  /** The body parsed, when it is JSON. */
  json?: unknown;
  /** `Date.now()` when the request was complete. */
  at: number;
}

/** Reads HTTP/1.1 requests from a socket. It supports only what tests need: bodies with a length or in chunks. */
export class RequestReader {
  private buffer = Buffer.alloc(0);

  constructor(private readonly onRequest: (request: RecordedRequest) => void) {}

  /** Between two requests. */
  get idle(): boolean {
    return this.buffer.length === 0;
  }

  push(bytes: Buffer): void {
    this.buffer = Buffer.concat([this.buffer, bytes]);
    for (let taken = this.take(); taken; taken = this.take()) this.onRequest(taken);
  }

  private take(): RecordedRequest | undefined {
    const end = this.buffer.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const [first = '', ...lines] = this.buffer.subarray(0, end).toString('latin1').split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const rest = this.buffer.subarray(end + 4);
    const body =
      headers['transfer-encoding'] === 'chunked'
        ? unchunk(rest)
        : ofLength(rest, Number(headers['content-length'] ?? 0));
    if (!body) return undefined;
    this.buffer = Buffer.from(rest.subarray(body.length));
    const [method = '', path = ''] = first.split(' ');
    return { method, path, headers, text: body.text, ...parsed(body.text), at: Date.now() };
  }
}

/** A body, and how many bytes of the stream it took. */
interface Body {
  text: string;
  length: number;
}

function ofLength(rest: Buffer, length: number): Body | undefined {
  return rest.length < length ? undefined : { text: rest.subarray(0, length).toString('utf8'), length };
}

function unchunk(rest: Buffer): Body | undefined {
  const parts: Buffer[] = [];
  for (let position = 0; ;) {
    const lineEnd = rest.indexOf('\r\n', position);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(rest.subarray(position, lineEnd).toString('latin1'), 16);
    const next = lineEnd + 2 + size + 2;
    if (rest.length < next) return undefined;
    if (size === 0) return { text: Buffer.concat(parts).toString('utf8'), length: next };
    parts.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size));
    position = next;
  }
}

function parsed(text: string): { json?: unknown } {
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    return {};
  }
}
