import type { Config } from '../../config/config.js';
import {
  Transport,
  type Exchanges,
  type TransportRequest,
  type TransportResult,
} from '../transport/transport.js';
import type { TokenProfile } from '../profile/format.js';
import { parseAnswer } from '../answers/answer-json.js';
import { readText, readTime } from '../answers/answer-values.js';
import { planHeaders } from '../plan/operation-plan.js';
import { parsePointer, readPointer } from '../profile/pointer.js';
import { compileJson, compileTemplate, fillTemplate } from '../templates/template.js';
import type { CredentialSource } from './builtin-credentials.js';
import { CredentialWords } from './credential-words.js';

/** Called after every request for a token. */
export type ObserveToken = (outcome: string, seconds: number) => void;

/** Fetches the tokens that a profile asks for, with the credentials as they are. */
export class Tokens {
  readonly #config: Config['gateway'];
  readonly #transport: Exchanges;
  /** A connection of our own, for an address that is not the gateway's. */
  readonly #own: Transport | undefined;
  readonly #keeper: TokenKeeper;
  #credentials = '';

  constructor(config: Config['gateway'], token: TokenProfile, transport: Exchanges, observe: ObserveToken) {
    this.#config = config;
    this.#transport = transport;
    this.#own = token.path.startsWith('/')
      ? undefined
      : new Transport({ ...config, baseUrl: new URL(token.path).origin });
    const request = planTokenRequest(token);
    this.#keeper = new TokenKeeper(async () => {
      const begun = performance.now();
      const exchange = await (this.#own ?? this.#transport).send({
        ...request(config),
        deadline: begun + config.timeoutMs,
      });
      const fresh = readToken(token, exchange);
      const outcome = fresh
        ? 'token'
        : exchange.kind === 'response'
          ? String(exchange.status)
          : exchange.kind;
      observe(outcome, (performance.now() - begun) / 1000);
      return fresh ? { token: fresh } : { failed: exchange };
    });
  }

  /** A token, or how the attempt to get one ended. `deadline` is a `performance.now()` timestamp. */
  get(deadline: number): Promise<HandedToken | { readonly failed: TransportResult }> {
    const credentials = [this.#config.apiKey.unwrap(), this.#config.accessToken.unwrap()].join('\n');
    if (this.#credentials !== credentials) this.#keeper.forget();
    this.#credentials = credentials;
    return this.#keeper.get(deadline);
  }

  /** The gateway has answered 401 to this token. */
  discard(value: string): void {
    this.#keeper.discard(value);
  }

  async close(): Promise<void> {
    await this.#own?.close();
  }
}

/** A token for one request. */
interface HandedToken {
  readonly value: string;
  /** It was fetched for an earlier request, so the gateway may have ended it meanwhile. */
  readonly fromCache: boolean;
}

/** How an attempt to fetch a token ended. */
export type FetchedToken = { readonly token: FreshToken } | { readonly failed: TransportResult };

interface Cached extends FreshToken {
  /** When it is renewed, and when it ends: `performance.now()` timestamps. */
  readonly renewAt: number;
  readonly endsAt: number;
}

/** Renewed so long before its end, or at four fifths of a shorter life. */
const RENEW_AHEAD_SECONDS = 60;

/**
 * The one token of the process. It is fetched by one caller at a time, shared by all calls, renewed ahead of its end and
 * thrown away when the gateway rejects it.
 */
export class TokenKeeper {
  readonly #fetch: () => Promise<FetchedToken>;
  readonly #now: () => number;
  #cached: Cached | undefined;
  #fetching: Promise<FetchedToken> | undefined;

  /** @param now a monotonic clock, in milliseconds. */
  constructor(fetch: () => Promise<FetchedToken>, now: () => number = () => performance.now()) {
    this.#fetch = fetch;
    this.#now = now;
  }

  /** The token, fetched if there is none that will last. `deadline` is a time of the keeper's clock. */
  async get(deadline: number): Promise<HandedToken | { readonly failed: TransportResult }> {
    const cached = this.#cached;
    if (cached && this.#now() < cached.renewAt) return { value: cached.value, fromCache: true };
    this.#fetching ??= this.#renew();
    const fetched = await within(this.#fetching, deadline - this.#now());
    if ('token' in fetched) return { value: fetched.token.value, fromCache: false };
    // A renewal ahead of time that fails costs nothing while the old one lasts.
    const old = this.#cached;
    return old && this.#now() < old.endsAt ? { value: old.value, fromCache: true } : fetched;
  }

  /** The gateway has rejected this token. A newer one stays. */
  discard(value: string): void {
    if (this.#cached?.value === value) this.#cached = undefined;
  }

  /** Throws the token away, whatever it is: the credentials that it was fetched with have changed. */
  forget(): void {
    this.#cached = undefined;
  }

  async #renew(): Promise<FetchedToken> {
    try {
      const fetched = await this.#fetch();
      if ('token' in fetched) {
        const { value, seconds } = fetched.token;
        const ahead = Math.min(RENEW_AHEAD_SECONDS, seconds / 5);
        const now = this.#now();
        this.#cached = {
          value,
          seconds,
          renewAt: now + (seconds - ahead) * 1000,
          endsAt: now + seconds * 1000,
        };
      }
      return fetched;
    } finally {
      this.#fetching = undefined;
    }
  }
}

const TIMED_OUT: FetchedToken = { failed: { kind: 'unknown', reason: 'timeout' } };

/** The fetch goes on for the others when one caller's time is over. */
async function within(fetching: Promise<FetchedToken>, milliseconds: number): Promise<FetchedToken> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<FetchedToken>((resolve) => {
    timer = setTimeout(resolve, Math.max(milliseconds, 0), TIMED_OUT);
  });
  try {
    return await Promise.race([fetching, over]);
  } finally {
    clearTimeout(timer);
  }
}

/** A token and how long it lives. */
interface FreshToken {
  readonly value: string;
  /** Seconds; 0 where its end is not known. */
  readonly seconds: number;
}

/** Tokens are printable, and no known one is longer. */
const TOKEN = /^[\x21-\x7e]{1,8192}$/;

/** Nothing lives longer without being looked at again. */
const MAX_SECONDS = 30 * 86_400;

/** The request for a token, without its deadline. */
export type TokenRequest = Pick<TransportRequest, 'method' | 'path' | 'headers' | 'body'>;

/** Compiles the request for a token. The profile must have been checked. */
function planTokenRequest(token: TokenProfile): (source: CredentialSource) => TokenRequest {
  const headers = planHeaders(token.headers ?? {});
  const path = token.path.startsWith('/') ? token.path : pathOf(token.path);
  const writeForm = Object.entries(token.form ?? {}).map(
    ([name, text]) => [name, compileTemplate(text)] as const,
  );
  const json = token.body && compileJson(token.body);
  return (source) => {
    const words = new CredentialWords(source);
    const word = (name: string): string | undefined => words.read(name);
    const body = json
      ? { text: JSON.stringify(json.fill({ word })), type: 'application/json' }
      : token.form && {
          text: new URLSearchParams(
            writeForm.map(([name, template]) => [name, fillTemplate(template, { word })]),
          ).toString(),
          type: 'application/x-www-form-urlencoded',
        };
    return {
      method: token.method,
      path,
      headers: { ...(body && { 'content-type': body.type }), ...headers.write({ word }) },
      ...(body && { body: body.text }),
    };
  };
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/** The token in an answer. Undefined where there is none. */
function readToken(
  { value, expiresIn }: Pick<TokenProfile, 'value' | 'expiresIn'>,
  exchange: TransportResult,
): FreshToken | undefined {
  if (exchange.kind !== 'response' || exchange.status < 200 || exchange.status > 299) return undefined;
  const answer = 'text' in exchange.body ? parseAnswer(exchange.body.text) : undefined;
  if (!answer?.ok) return undefined;
  const text = readText(readPointer(answer.document, parsePointer(value) ?? []));
  if (text === undefined || !TOKEN.test(text)) return undefined;
  const life =
    typeof expiresIn === 'number'
      ? expiresIn
      : readLife(readPointer(answer.document, parsePointer(expiresIn) ?? []));
  return { value: text, seconds: Math.min(Math.max(life, 0), MAX_SECONDS) };
}

/** Seconds as a number or its digits, or the time of the end. 0 where it is neither. */
function readLife(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value < 1e9 ? value : secondsUntil(value);
  if (typeof value === 'string' && /^[0-9]{1,9}(?:\.[0-9]{1,9})?$/.test(value)) return Number(value);
  return typeof value === 'string' ? secondsUntil(value) : 0;
}

function secondsUntil(time: unknown): number {
  const at = readTime(time);
  return at === undefined ? 0 : (Date.parse(at) - Date.now()) / 1000;
}
