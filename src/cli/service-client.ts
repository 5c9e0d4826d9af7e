import { randomUUID } from 'node:crypto';
import { readCommandEnvironment, type CommandEnvironment } from '../config/environment.js';
import { type CommandContext, CommandFailure } from './command.js';
import { commandUser } from './command-audit.js';

/** The service answers a waiting call after at most 30 s. */
const TIMEOUT_MS = 40_000;
/** A file may take its time to be read, and to be compared. */
const FILE_TIMEOUT_MS = 300_000;

/** The largest page that the service returns. */
const LARGEST_PAGE = 100;

/** Parameters of a call. Without a value, or `false`, one is left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A refusal by the service, from its problem document. */
export class ServiceRefusal extends CommandFailure {
  constructor(
    readonly status: number,
    code: string,
    detail: string,
    readonly requestId: string,
    /** `/card/number must be …`, one line each. */
    readonly errors: readonly string[] = [],
  ) {
    super(
      [`The service refused: ${detail} (${code})`, ...errors.map((line) => `  ${line}`)].join('\n'),
      code,
    );
  }
}

interface Problem {
  code?: unknown;
  detail?: unknown;
  requestId?: unknown;
  errors?: { pointer: string; message: string }[];
}

interface Sending {
  body?: object | Uint8Array<ArrayBuffer> | undefined;
  token?: string | undefined;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/**
 * The running service, called over HTTP as the merchant's server does. It works the same for both stores and from any
 * machine.
 */
export class ServiceClient {
  constructor(private readonly environment: CommandEnvironment) {}

  get url(): string {
    return this.environment.serviceUrl;
  }

  get<T>(path: string, token?: string): Promise<T> {
    return this.call<T>('GET', path, undefined, token);
  }

  /** A body of bytes is a file. With `idempotencyKey`, the same call can be made again without being done twice. */
  post<T>(path: string, body: object = {}, token?: string, idempotencyKey?: string): Promise<T> {
    return this.call<T>('POST', path, body, token, idempotencyKey);
  }

  /** The items of a paged list, as long as they are wanted; at most as many as the query's `limit`. */
  async *items<T>(path: string, { limit, ...query }: Query, cursorName = 'cursor'): AsyncGenerator<T> {
    let left = Number(limit ?? Infinity);
    let cursor: string | null | undefined = undefined;
    do {
      const place: Query = cursor === undefined ? {} : { [cursorName]: cursor };
      const asked = this.pathOf(path, { ...query, ...place, limit: Math.min(LARGEST_PAGE, left) });
      const page: { data: T[]; nextCursor: string | null } = await this.get(asked);
      yield* page.data;
      left -= page.data.length;
      cursor = page.nextCursor;
    } while (cursor !== null && left > 0);
  }

  /** All of {@link items} at once. */
  async all<T>(path: string, query: Query, cursorName?: string): Promise<T[]> {
    const found: T[] = [];
    for await (const item of this.items<T>(path, query, cursorName)) found.push(item);
    return found;
  }

  /** A path with the parameters that have a value. */
  pathOf(path: string, query: Query): string {
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined || value === false ? [] : [[name, String(value)]],
    );
    return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
  }

  /** A document of any size, as it comes. */
  async download(path: string): Promise<ReadableStream<Uint8Array>> {
    const response = await this.send('GET', path, {});
    if (response.ok && response.body) return response.body;
    throw refusal(response.status, parse(await response.text()), this.url);
  }

  private async call<T>(
    method: string,
    path: string,
    body: object | Uint8Array<ArrayBuffer> | undefined,
    token?: string,
    idempotencyKey: string = randomUUID(),
  ): Promise<T> {
    const signal = AbortSignal.timeout(isFile(body) ? FILE_TIMEOUT_MS : TIMEOUT_MS);
    const response = await this.send(method, path, { body, token, idempotencyKey, signal });
    let text: string;
    try {
      text = await response.text();
    } catch (error) {
      throw unreachable(this.url, error);
    }
    const parsed = parse(text);
    if (response.ok && parsed !== undefined) return parsed as T;
    throw refusal(response.status, parsed, token === undefined ? this.url : this.environment.payersUrl);
  }

  private async send(
    method: string,
    path: string,
    { body, token, idempotencyKey, signal }: Sending,
  ): Promise<Response> {
    const file = isFile(body) ? body : undefined;
    // A call with a payer's token goes to the payers' listener, as a browser would send it.
    const url = token === undefined ? this.url : this.environment.payersUrl;
    const bearer = token ?? this.environment.merchantKey;
    if (bearer === undefined) {
      throw new CommandFailure(
        'Set MERCHANT_API_KEY or MERCHANT_API_KEY_FILE to a merchant key of the running service.',
        'no-merchant-key',
      );
    }
    const headers = {
      authorization: `Bearer ${bearer}`,
      accept: 'application/json',
      'user-agent': 'tillfront-cli',
      // The audit names the user beside the key.
      'tillfront-command-user': commandUser(),
      ...(body && { 'content-type': file ? 'text/csv' : 'application/json' }),
      ...(body && idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    try {
      return await fetch(url + path, {
        method,
        headers,
        redirect: 'error',
        ...(signal && { signal }),
        ...(body && { body: file ?? JSON.stringify(body) }),
      });
    } catch (error) {
      throw unreachable(url, error);
    }
  }
}

function unreachable(url: string, error: unknown): CommandFailure {
  return new CommandFailure(
    `The service at ${url} does not answer (${reasonOf(error)}). Is it running? TILLFRONT_URL says where to look.`,
    'service-unreachable',
  );
}

function isFile(body: object | undefined): body is Uint8Array<ArrayBuffer> {
  return body instanceof Uint8Array;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusal(status: number, body: unknown, url: string): CommandFailure {
  const problem = (typeof body === 'object' ? (body ?? {}) : {}) as Problem;
  if (typeof problem.code !== 'string' || typeof problem.detail !== 'string') {
    return new CommandFailure(
      `What answers at ${url} is not this service (HTTP ${status}). TILLFRONT_URL says where to look.`,
      'not-the-service',
    );
  }
  const errors = (problem.errors ?? []).map(({ pointer, message }) => `${pointer} ${message}`);
  return new ServiceRefusal(status, problem.code, problem.detail, String(problem.requestId), errors);
}

function reasonOf(error: unknown): string {
  const { cause = error } = error as { cause?: unknown };
  const { code, name } = cause as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown reason';
}

/** The running service that the environment names. */
export function serviceOf({ env }: CommandContext): ServiceClient {
  return new ServiceClient(readCommandEnvironment(env));
}
