import { compileReader, type AnswerReader } from '../answer/reader.js';
import { compileCredentials, compileHeaders } from '../credentials.js';
import type { Seal } from '../encryption.js';
import type { CallProfile, OperationName, Profile } from '../profile/schema.js';
import { templateOf } from '../profile/template.js';
import { callWords, methodOf, setOf } from '../profile/uses.js';
import type { Outgoing } from '../transport/transport.js';
import { compileAddress } from './address.js';
import { compileBody } from './body.js';
import { compileText, type Write } from './text.js';
import { asText, isSealedWord, readerOf, WORDS, type Scope } from './words.js';

/** A call of a profile, compiled once. */
export interface CompiledCall {
  readonly name: OperationName;
  readonly usesToken: boolean;
  readonly reader: AnswerReader;
  /** The call that is made first, and which of the values that it brings are durable. */
  readonly before?: CompiledCall;
  readonly durable: ReadonlySet<string>;
  /** The request; undefined where the payment lacks a step of its path, or everything that names it. */
  write(scope: Scope): Promise<Outgoing | undefined>;
  /** What is encrypted of it, in clear: for showing only. */
  plaintext(scope: Scope): string | undefined;
}

/** Compiles a call. `seal` encrypts; `baseUrl` precedes its address. */
export function compileCall(
  profile: Profile,
  name: OperationName,
  call: CallProfile,
  context: { readonly baseUrl: string; readonly seal: Seal | undefined },
): CompiledCall {
  const { method, address } = methodOf(call);
  const writeAddress = compileAddress(address);
  const writeBody = compileBody(call);
  const plaintext = compilePlaintext(call.encrypt);
  const set = setOf(profile, call);
  const writeCredentials = set && compileCredentials(set);
  const writeHeaders = compileHeaders(call.headers ?? {});
  const words = callWords(profile, call);
  const identifiers = words.filter(isIdentifier).map(readerOf);
  const { seal, baseUrl } = context;
  return {
    name,
    usesToken: words.includes('token'),
    reader: compileReader(profile, name, call),
    ...(call.before && { before: compileCall(profile, name, call.before, context) }),
    durable: durableNames(profile, call),
    plaintext,
    async write(known) {
      if (identifiers.length > 0 && identifiers.every((read) => read(known) === undefined)) return undefined;
      const plain = plaintext(known);
      const scope = plain !== undefined && seal ? { ...known, sealed: await seal(plain) } : known;
      const path = writeAddress(scope);
      if (path === undefined) return undefined;
      const url = new URL(baseUrl + path);
      const body = writeBody(scope);
      const unsigned = { method, path: url.pathname + url.search, body: body?.text ?? '' };
      return {
        method,
        url: url.href,
        headers: {
          accept: 'application/json',
          'user-agent': 'tillfront',
          ...(body && { 'content-type': body.type }),
          ...writeHeaders(scope),
          ...writeCredentials?.(scope, unsigned),
        },
        ...(body && { body: body.text }),
      };
    },
  };
}

/** Names a payment at the gateway: its references, and what was kept. */
function isIdentifier(word: string): boolean {
  if (Object.hasOwn(WORDS, word)) return WORDS[word]?.kind === 'identifier';
  return !isSealedWord(word) && !['method', 'path', 'body'].includes(word);
}

function compilePlaintext(encrypt: CallProfile['encrypt']): Write<string> {
  if (typeof encrypt !== 'string') {
    const write = compileBody({ body: encrypt });
    return (scope) => (encrypt ? write(scope)?.text : undefined);
  }
  const write = compileText(templateOf(encrypt));
  return (scope) => {
    const value = write(scope);
    return value === undefined ? undefined : asText(value);
  };
}

/** What a call before another brings is durable where another call than the one after it uses it. */
function durableNames(profile: Profile, main: CallProfile): ReadonlySet<string> {
  const others = Object.values<CallProfile>(profile.operations).filter((one) => one !== main);
  return new Set(
    others.flatMap((one) => [
      ...callWords(profile, one),
      ...(one.before ? callWords(profile, one.before) : []),
    ]),
  );
}
