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
import { asText, readerOf, wordOf, type Scope } from './words.js';

export interface CompiledRequest {
  readonly usesToken: boolean;
  /** Undefined where the payment lacks a step of its path, or everything that names it. */
  write(scope: Scope): Promise<Outgoing | undefined>;
}

/** A call of a profile, compiled once. */
export interface CompiledCall extends CompiledRequest {
  readonly name: OperationName;
  readonly reader: AnswerReader;
  readonly before?: CompiledCall;
  /** Which of the values that the call before this one brings are durable: those that other calls use. */
  readonly durable: ReadonlySet<string>;
}

/** `baseUrl` precedes addresses, `seal` encrypts. */
interface Context {
  readonly baseUrl: string;
  readonly seal: Seal | undefined;
}

/** All calls of a profile. */
export function compileCalls(profile: Profile, context: Context): ReadonlyMap<OperationName, CompiledCall> {
  const calls = Object.entries(profile.operations) as [OperationName, CallProfile][];
  return new Map(calls.map(([name, call]) => [name, compileCall(profile, name, call, context)]));
}

function compileCall(
  profile: Profile,
  name: OperationName,
  call: CallProfile,
  context: Context,
): CompiledCall {
  const others = Object.values<CallProfile>(profile.operations).filter((one) => one !== call);
  const calls = others.flatMap((other) => [other, ...(other.before ? [other.before] : [])]);
  return {
    ...compileRequest(profile, call, context),
    name,
    reader: compileReader(profile, name, call),
    ...(call.before && { before: compileCall(profile, name, call.before, context) }),
    durable: new Set(calls.flatMap((other) => callWords(profile, other))),
  };
}

export function compileRequest(profile: Profile, call: CallProfile, context: Context): CompiledRequest {
  const { method, address } = methodOf(call);
  const writeAddress = compileAddress(address);
  const writeBody = compileBody(call);
  const writePlain = compilePlaintext(call.encrypt);
  const writeHeaders = compileHeaders(call.headers ?? {});
  const writeCredentials = compileCredentials(setOf(profile, call) ?? {});
  const words = callWords(profile, call);
  const identifiers = words.filter((word) => wordOf(word).kind === 'identifier').map(readerOf);
  return {
    usesToken: words.includes('token'),
    async write(known) {
      if (identifiers.length > 0 && identifiers.every((read) => read(known) === undefined)) return undefined;
      const plain = writePlain?.(known);
      const sealed = plain === undefined ? undefined : await context.seal?.(plain);
      const scope = sealed ? { ...known, sealed } : known;
      const target = writeAddress(scope);
      if (target === undefined) return undefined;
      const {
        href: url,
        pathname,
        search,
      } = new URL(target.startsWith('/') ? context.baseUrl + target : target);
      const body = writeBody(scope);
      const unsigned = { method, path: pathname + search, body: body?.text ?? '' };
      const headers = {
        accept: 'application/json',
        'user-agent': 'tillfront',
        ...(body && { 'content-type': body.type }),
        ...writeHeaders(scope),
        ...writeCredentials({ ...scope, unsigned }),
      };
      return { method, url, headers, ...(body && { body: body.text }) };
    },
  };
}

function compilePlaintext(encrypt: CallProfile['encrypt']): Write<string> | undefined {
  if (typeof encrypt === 'object') {
    const write = compileBody({ body: encrypt });
    return (scope) => write(scope)?.text;
  }
  const write = encrypt === undefined ? undefined : compileText(templateOf(encrypt));
  return (
    write &&
    ((scope) => {
      const value = write(scope);
      return value === undefined ? undefined : asText(value);
    })
  );
}
