import type { IncomingMessage, ServerResponse } from 'node:http';

const MAX_BODY = 1024 * 1024;

/** One HTTP request with its complete body, and the functions to answer it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly body: string;
}

/** Reads a request to its end. Undefined where it was cut or too large, and then it is already answered. */
export async function readExchange(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Exchange | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BODY) {
        sendText(response, 413, 'text/plain; charset=utf-8', 'The body is too large');
        return undefined;
      }
      chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  const url = URL.parse(request.url ?? '/', 'http://sandbox');
  if (!url) {
    sendText(response, 400, 'text/plain; charset=utf-8', 'The address is malformed');
    return undefined;
  }
  return { request, response, url, body: Buffer.concat(chunks).toString('utf8') };
}

export function sendText(
  response: ServerResponse,
  status: number,
  type: string,
  text: string,
  headers: Record<string, string> = {},
): void {
  const body = Buffer.from(text);
  response.writeHead(status, {
    'content-type': type,
    'content-length': body.length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(body);
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  sendText(response, status, 'application/json; charset=utf-8', toJson(value));
}

export function sendPage(response: ServerResponse, status: number, html: string, policy: string): void {
  sendText(response, status, 'text/html; charset=utf-8', html, {
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
  });
}

export function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  response.end();
}

/** JSON in which bigints are written as strings. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? part.toString() : part));
}

/** A JSON body, or undefined where it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
