import { headersOf, signingOf, basicSides, placedOperations } from '../plan/words.js';
import type { CredentialSetProfile, JsonValue, Profile, TokenProfile } from '../profile/format.js';
import { parseTemplate, wordsIn } from '../templates/template.js';
import type { CredentialSource } from './builtin-credentials.js';

/** The two values that the operator is given by the gateway. */
export type Credential = keyof CredentialSource;

const BOTH: readonly Credential[] = ['apiKey', 'accessToken'];

/**
 * The credentials that a profile sends, signs with or fetches a token with. One that is not here need not be configured.
 * The profile must have been checked.
 */
export function credentialsSent(profile: Profile): ReadonlySet<Credential> {
  const used = new Set(
    placedOperations(profile).flatMap(({ operation: { credentials } }) =>
      typeof credentials === 'string' ? [credentials] : credentials ? ['default'] : [],
    ),
  );
  const words = [...used].flatMap((name): readonly string[] => {
    const set = profile.credentials[name];
    return set ? wordsOfSet(set) : BOTH;
  });
  if (words.includes('token') && profile.token) words.push(...wordsOfToken(profile.token));
  const sides = words.flatMap((word) => basicSides(word) ?? [word]);
  return new Set(BOTH.filter((credential) => sides.includes(credential)));
}

function wordsOfSet(set: CredentialSetProfile): string[] {
  const signing = signingOf(set);
  const signed = signing ? [signing.key, ...wordsOf(signing.over)] : [];
  return [...headersOf(set).flatMap(([, text]) => wordsOf(text)), ...signed];
}

function wordsOfToken({ headers = {}, form = {}, body = {} }: TokenProfile): string[] {
  return [...Object.values(headers), ...Object.values(form), ...textsIn(body)].flatMap((text) =>
    wordsOf(text),
  );
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value as Readonly<Record<string, JsonValue>>).flatMap(textsIn);
}

function wordsOf(text: string): string[] {
  const template = parseTemplate(text);
  return typeof template === 'string' ? [] : wordsIn(template);
}
