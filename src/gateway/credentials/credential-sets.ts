import { createHmac } from 'node:crypto';
import { headersOf, signingOf, headerText } from '../plan/words.js';
import type { CredentialSetProfile, Profile, SigningProfile } from '../profile/format.js';
import {
  compileTemplate,
  fillTemplate,
  wordsIn,
  type Template,
  type TemplateValues,
} from '../templates/template.js';
import { BuiltInCredentials, type CredentialSource } from './builtin-credentials.js';
import { CredentialWords } from './credential-words.js';

/** A request as it is about to be sent: what a signature is made over. */
export interface SignedRequest {
  readonly method: string;
  /** As it stands in the request's first line. */
  readonly target: string;
  /** As it is sent; empty where there is none. */
  readonly body: string;
  /** The payment's fields and kept values. */
  readonly word: TemplateValues['word'];
  /** The value of `{token}`. */
  readonly token: string | undefined;
}

interface CredentialSet {
  readonly headers: readonly (readonly [name: string, template: Template])[];
  readonly signing: (Omit<SigningProfile, 'over'> & { readonly over: Template }) | undefined;
  readonly usesToken: boolean;
}

/** The credentials of a profile: the headers that prove who we are, made anew for each request. */
export class CredentialSets {
  readonly #source: CredentialSource;
  readonly #builtIn: BuiltInCredentials;
  readonly #sets: ReadonlyMap<string, CredentialSet>;

  constructor(profile: Profile, source: CredentialSource) {
    this.#source = source;
    this.#builtIn = new BuiltInCredentials(source);
    this.#sets = new Map(
      Object.entries(profile.credentials).map(([name, set]) => [name, compileSet(set)] as const),
    );
  }

  /** Whether a set needs the token that is fetched. */
  usesToken(name: string | undefined): boolean {
    return name !== undefined && (this.#sets.get(name)?.usesToken ?? false);
  }

  /** An operation's headers with those of a set. Without sets of its own a profile has `x-api-key` and `access-token`. */
  addedTo(
    headers: Readonly<Record<string, string>>,
    name: string | undefined,
    request: SignedRequest,
  ): Readonly<Record<string, string>> {
    if (name === undefined) return headers;
    const set = this.#sets.get(name);
    if (!set) return this.#builtIn.addedTo(headers);
    const words = new CredentialWords(this.#source);
    const word = (asked: string): string | undefined =>
      asked === 'token' ? (request.token ?? '') : (words.read(asked) ?? request.word(asked));
    const signature = set.signing && this.#sign(set.signing, request, word);
    const written: Record<string, string> = { ...headers };
    for (const [header, template] of set.headers) {
      const text = fillTemplate(template, {
        word: (asked) => (asked === 'signature' ? signature : word(asked)),
      });
      if (text !== '') written[header] = headerText(text);
    }
    return written;
  }

  #sign(
    { over, key, ...how }: NonNullable<CredentialSet['signing']>,
    { method, target, body }: SignedRequest,
    word: TemplateValues['word'],
  ): string {
    const parts: Readonly<Record<string, string>> = { method, path: target, body };
    const text = fillTemplate(over, {
      word: (asked) => (Object.hasOwn(parts, asked) ? parts[asked] : word(asked)),
    });
    return sign(text, this.#source[key].unwrap(), how);
  }
}

function compileSet(set: CredentialSetProfile): CredentialSet {
  const headers = headersOf(set).map(([name, text]) => [name.toLowerCase(), compileTemplate(text)] as const);
  const signing = signingOf(set);
  const over = signing && compileTemplate(signing.over);
  const templates = [...headers.map(([, template]) => template), ...(over ? [over] : [])];
  return {
    headers,
    signing: signing && over ? { ...signing, over } : undefined,
    usesToken: templates.some((template) => wordsIn(template).includes('token')),
  };
}

const ALGORITHMS: Readonly<Record<SigningProfile['scheme'], string>> = {
  'hmac-sha256': 'sha256',
  'hmac-sha512': 'sha512',
};

/** Signs a text, as UTF-8, with a key as it is configured. */
export function sign(
  text: string,
  key: string,
  { scheme, encoding = 'hex' }: Pick<SigningProfile, 'scheme' | 'encoding'>,
): string {
  return createHmac(ALGORITHMS[scheme], key).update(text).digest(encoding);
}
