import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Every call of the description, as it goes over the wire, filled with things that exist. A new route is among them as soon as
 * it is described.
 */

export type Who = 'nobody' | 'payer' | 'merchant';
/** Whose port it is where they are apart. */
export type Listener = 'payers' | 'merchant' | 'management';

export interface WireRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
}

export interface Call {
  /** As the description names it, `GET /v1/payments/{id}`. */
  readonly route: string;
  readonly who: Who;
  readonly listener: Listener;
  /** What its body is, none where it takes none. */
  readonly media: string | undefined;
  /** A request with keys and references of its own. `greedy` asks for as much and waits for as long as the route allows. */
  request(greedy?: boolean): WireRequest;
}

/** What exists in the service. */
export interface Known {
  readonly merchantKey: string;
  /** Reads the things below. */
  readonly clientToken: string;
  /** A token of an open session in which a payment can be started. */
  payingToken(): string;
  /** A session that has seen as many attempts as it may. */
  readonly crowded: { readonly id: string; readonly clientToken: string; readonly reference: string };
  /** Ids by the segment of the address before them: `payments`, `checkout-sessions`, `return`. A call's last segment may have its own. */
  readonly ids: Readonly<Record<string, string>>;
  readonly references: Readonly<Record<string, string>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: { readonly enum?: readonly string[] };
  readonly example?: unknown;
}

interface Media {
  readonly schema?: { readonly example?: unknown };
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Operation {
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const file = fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url));

const CREDENTIALS: Readonly<Record<string, Who>> = { clientToken: 'payer', merchantKey: 'merchant' };

/** The most that a query may ask for, where the route has such a parameter. */
const GREEDY: Readonly<Record<string, string>> = {
  limit: '100',
  wait: '30',
  by: 'day',
  from: '2020-01-01',
  order: 'newest',
};

/** A page or a file, whoever may see it. */
export interface Page {
  readonly path: string;
  readonly listener: Listener;
}

/** Each call as those whom it is for, and as those whom it is not for. */
export function describedCalls(known: Known, pages: readonly Page[]): { meant: Call[]; foreign: Call[] } {
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as Description;
  const meant: Call[] = [];
  const foreign: Call[] = [];
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const allowed = whoMay(operation);
      for (const who of allowed) meant.push(callOf(method, path, operation, who, known));
      for (const who of ['nobody', 'payer'] as const)
        if (!allowed.includes(who) && !allowed.includes('nobody'))
          foreign.push({
            ...callOf(method, path, operation, who, known),
            listener: listenerOf(path, allowed),
          });
    }
  }
  for (const { path: target, listener } of pages) {
    meant.push({
      route: `GET ${target}`,
      who: 'nobody',
      listener,
      media: undefined,
      request: () => ({ method: 'GET', target, headers: {} }),
    });
  }
  return { meant, foreign };
}

function whoMay({ security = [] }: Operation): Who[] {
  const named = security.flatMap((one) => Object.keys(one)).map((name) => CREDENTIALS[name]);
  const known = named.filter((who) => who !== undefined);
  return security.length === 0 ? ['nobody'] : known;
}

function listenerOf(path: string, allowed: readonly Who[]): Listener {
  if (/^\/(?:health|metrics)/.test(path)) return 'management';
  return allowed.includes('merchant') && !allowed.includes('payer') ? 'merchant' : 'payers';
}

function callOf(method: string, path: string, operation: Operation, who: Who, known: Known): Call {
  const media = Object.keys(operation.requestBody?.content ?? {})[0];
  const parameters = operation.parameters ?? [];
  const needsKey = parameters.some(({ name }) => name.toLowerCase() === 'idempotency-key');
  // A payment is started with a token of its own each time; everything else is about things that exist.
  const starts = /^\/v1\/payments\/[a-z]+$/.test(path);
  const token = (): string => {
    if (starts) return known.payingToken();
    return path.includes('{') ? known.clientToken : known.crowded.clientToken;
  };
  return {
    route: `${method.toUpperCase()} ${path}`,
    who,
    listener: who === 'merchant' ? 'merchant' : listenerOf(path, whoMay(operation)),
    media,
    request: (greedy = false) => ({
      method: method.toUpperCase(),
      target: filled(path, known) + queryOf(parameters, known, greedy),
      headers: {
        'user-agent': 'Budget/1.0',
        ...(who === 'nobody'
          ? {}
          : { authorization: `Bearer ${who === 'payer' ? token() : known.merchantKey}` }),
        ...(needsKey ? { 'idempotency-key': randomUUID() } : {}),
        ...(media === undefined ? {} : { 'content-type': media === '*/*' ? 'application/json' : media }),
      },
      body: media === undefined ? undefined : bodyOf(operation, media),
    }),
  };
}

function filled(path: string, { ids }: Known): string {
  const segments = path.split('/');
  const last = segments.at(-1) ?? '';
  return segments
    .map((segment, index) => {
      if (!segment.startsWith('{')) return segment;
      const before = segments[index - 1] ?? '';
      return ids[`${before}/${last}`] ?? ids[before] ?? 'none';
    })
    .join('/');
}

function queryOf(parameters: readonly Parameter[], known: Known, greedy: boolean): string {
  const pairs = parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap(({ name, required, schema, example }) => {
      const value = greedy ? GREEDY[name] : undefined;
      if (value !== undefined) return [`${name}=${value}`];
      if (!required) return [];
      const given = known.references[name] ?? schema?.enum?.[0] ?? example;
      return [`${name}=${encodeURIComponent(typeof given === 'string' ? given : '1')}`];
    });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** The description's first example, under a reference of its own. */
function bodyOf({ requestBody }: Operation, media: string): Buffer {
  const content = requestBody?.content[media];
  const example =
    Object.values(content?.examples ?? {})[0]?.value ?? content?.example ?? content?.schema?.example ?? {};
  const fresh = `B-${randomUUID().slice(0, 18)}`;
  if (typeof example === 'string') return Buffer.from(example.replaceAll(/ORDER-\d+/g, fresh));
  if (media === 'application/x-www-form-urlencoded') return Buffer.from('MD=x&PaRes=y');
  if (media === '*/*') return Buffer.from(JSON.stringify({ client_ref: `${fresh}_1`, status: 'SUCCESS' }));
  const body = { ...(example as Record<string, unknown>) };
  if (typeof body['reference'] === 'string') body['reference'] = fresh;
  return Buffer.from(JSON.stringify(body));
}

/** A request as bytes. */
export function wire({ method, target, headers, body }: WireRequest): Buffer {
  const all: Record<string, string> = {
    host: 'x',
    ...headers,
    ...(body === undefined ? {} : { 'content-length': String(body.length) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`),
    body ?? Buffer.alloc(0),
  ]);
}
