import { Agent, request, type IncomingMessage } from 'node:http';

/** What came of a call: an answer, or none (and then nobody knows what became of it). */
export type Reply =
  | { answered: true; status: number; headers: IncomingMessage['headers']; text: string; json: Json }
  | { answered: false; why: string };

export type Json = { readonly [name: string]: unknown };

export interface Call {
  method: 'GET' | 'POST';
  url: string;
  bearer?: string;
  key?: string;
  body?: object | string;
  /** The media type of a body that is a text; JSON unless it is said. */
  type?: string;
  /** A form, as a browser sends it. */
  form?: Record<string, string>;
  timeoutMs?: number;
  /** Instead of a connection of its own. */
  agent?: Agent;
}

/** One connection a call: one that a crash has killed under a kept-alive client must not blur what a trial shows. */
const alone = new Agent({ keepAlive: false });

/** Makes one HTTP call and never throws. */
export function call({
  method,
  url,
  bearer,
  key,
  body,
  type = 'application/json',
  form,
  timeoutMs = 20_000,
  agent = alone,
}: Call): Promise<Reply> {
  const content =
    form !== undefined
      ? new URLSearchParams(form).toString()
      : body === undefined
        ? undefined
        : typeof body === 'string'
          ? body
          : JSON.stringify(body);
  return new Promise((resolve) => {
    const nothing = (error: Error): void => resolve({ answered: false, why: error.message });
    const sent = request(
      url,
      {
        method,
        agent,
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
          ...(key !== undefined && { 'idempotency-key': key }),
          ...(content !== undefined && {
            'content-type': form ? 'application/x-www-form-urlencoded' : type,
            'content-length': Buffer.byteLength(content),
          }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', nothing);
        response.once('close', () => {
          if (!response.complete) nothing(new Error('cut'));
        });
        response.once('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const { statusCode: status = 0, headers } = response;
          resolve({ answered: true, status, headers, text, json: parsed(text) });
        });
      },
    );
    sent.on('error', nothing);
    sent.end(content);
  });
}

function parsed(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : {};
  } catch {
    return {};
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
