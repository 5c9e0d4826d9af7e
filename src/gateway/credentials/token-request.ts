import { parseAnswer } from '../answers/answer-json.js';
import { readText, readTime } from '../answers/answer-values.js';
import { planHeaders } from '../plan/operation-plan.js';
import { parsePointer, readPointer } from '../profile/pointer.js';
import type { TokenProfile } from '../profile/format.js';
import { compileJson } from '../templates/json-template.js';
import { compileTemplate, fillTemplate } from '../templates/template.js';
import type { TransportRequest, TransportResult } from '../transport/transport.js';
import type { CredentialSource } from './builtin-credentials.js';
import { CredentialWords } from './credential-words.js';

/** A token and how long it lives. */
export interface FreshToken {
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
export function planTokenRequest(token: TokenProfile): (source: CredentialSource) => TokenRequest {
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
export function readToken(
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
