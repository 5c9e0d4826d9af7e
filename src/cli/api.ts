import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { EXIT, CommandFailure, type Context, type ExitCode } from './command.js';
import { callService, keyOf, type Call } from './service.js';

/** A call as it is typed. */
export interface ApiCall {
  readonly method: string;
  readonly path: string;
  /** `name=value`, or one `@file`. */
  readonly content: readonly string[];
  readonly idempotencyKey: string | undefined;
}

/** Members that the API takes as numbers, so that `name=value` is enough for them. Amounts are strings. */
const NUMBERS = ['expiresInSeconds', 'device.screenHeight', 'device.screenWidth', 'device.colorDepth'];

/** Calls the service and writes its answer. A refusal goes to the standard error, and the exit code is 1. */
export async function callApi({ env, out, err }: Context, typed: ApiCall): Promise<ExitCode> {
  const response = await callService(env, readCall(typed), keyOf(env));
  const write = response.ok ? out : err;
  if (/\bjson\b/.test(response.headers.get('content-type') ?? '')) write(pretty(await response.text()));
  else if (response.ok || response.status < 400) await copy(response, write);
  else write(`What answers is not this service (HTTP ${response.status}).\n`);
  if (response.headers.get('location')) write(`${response.status} ${response.headers.get('location')}\n`);
  return response.status < 400 ? EXIT.done : EXIT.found;
}

/** What is typed, as a call. Of a GET, `name=value` is its query. */
export function readCall({ method: word, path: typedPath, content, idempotencyKey }: ApiCall): Call {
  const method = word.toUpperCase();
  if (!/^(?:GET|POST)$/.test(method)) throw usage('The method must be GET or POST.');
  const path = typedPath.startsWith('/') ? typedPath : `/${typedPath}`;
  if (method === 'GET') return { method, path: withQuery(path, content) };
  const headers = { 'idempotency-key': idempotencyKey ?? randomUUID() };
  const [first = ''] = content;
  if (!first.startsWith('@')) {
    const body = JSON.stringify(readMembers(content));
    return { method, path, body, headers: { ...headers, 'content-type': 'application/json' } };
  }
  if (content.length > 1) throw usage('A file is the whole content.');
  const body = readContent(first.slice(1));
  const type = /^\s*[{[]/.test(body.subarray(0, 64).toString('latin1')) ? 'application/json' : 'text/csv';
  return { method, path, body: new Uint8Array(body), headers: { ...headers, 'content-type': type } };
}

function readContent(file: string): Buffer {
  try {
    return readFileSync(file === '-' ? 0 : file);
  } catch {
    throw new CommandFailure(`${file} cannot be read.`);
  }
}

function withQuery(path: string, content: readonly string[]): string {
  if (content.length === 0) return path;
  const query = new URLSearchParams(content.map(split)).toString();
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

/** `payer.email=ada@example.com` is a member of a member. */
function readMembers(content: readonly string[]): object {
  // Without a prototype, so that every name is a member like any other.
  const none = (): Record<string, unknown> => Object.create(null) as Record<string, unknown>;
  const body = none();
  for (const pair of content) {
    const [name, text] = split(pair);
    const steps = name.split('.');
    const last = steps.pop() ?? '';
    let place = body;
    for (const step of steps) {
      const inner = place[step];
      place = typeof inner === 'object' ? (inner as Record<string, unknown>) : (place[step] = none());
    }
    place[last] = NUMBERS.includes(name) ? Number(text) : text;
  }
  return body;
}

function split(pair: string): [name: string, value: string] {
  const at = pair.indexOf('=');
  if (at < 1) throw usage('Content must be name=value, or @file.');
  return [pair.slice(0, at), pair.slice(at + 1)];
}

function usage(message: string): CommandFailure {
  return new CommandFailure(message, EXIT.usage);
}

function pretty(text: string): string {
  try {
    return `${JSON.stringify(JSON.parse(text), null, 2)}\n`;
  } catch {
    return `${text}\n`;
  }
}

async function copy(response: Response, write: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  const chunks: AsyncIterable<Uint8Array> | null = response.body;
  for await (const chunk of chunks ?? []) write(decoder.decode(chunk, { stream: true }));
}
