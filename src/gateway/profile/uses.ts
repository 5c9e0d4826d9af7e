import { piecesOf } from '../request/address.js';
import type { CallProfile, CredentialSet, OperationName, Profile } from './schema.js';
import { parseTemplate, textsIn, wordsOf, type Part } from './template.js';

/** Where a text with words stands. */
export type Spot =
  'path' | 'query' | 'body' | 'form' | 'encrypt' | 'headers' | 'credentials' | 'sign' | 'redirect';

/** A text of a request, with its place below the call. */
interface CallText {
  readonly spot: Spot;
  readonly place: readonly string[];
  readonly text: string;
}

type Word = Extract<Part, { word: string }>;
const METHODS = ['get', 'post', 'put'] as const;

/** The methods that a call names: one, as far as the profile was checked. */
export function methodsIn(call: Pick<CallProfile, 'get' | 'post' | 'put'>): ('get' | 'post' | 'put')[] {
  return METHODS.filter((one) => call[one] !== undefined);
}

/** A call's method and address. */
export function methodOf(call: Pick<CallProfile, 'get' | 'post' | 'put'>): {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly address: string;
} {
  const [method = 'get'] = methodsIn(call);
  return { method: method.toUpperCase() as Uppercase<typeof method>, address: call[method] ?? '' };
}

/** Every text of a call that goes into its request, but for its credentials. */
export function textsOf(call: CallProfile): CallText[] {
  const addresses = methodsIn(call).flatMap((method) => {
    const { path, parameters } = piecesOf(call[method] ?? '');
    const query = parameters.map((text): CallText => ({ spot: 'query', place: [method], text }));
    return [{ spot: 'path', place: [method], text: path } as const, ...query];
  });
  const others = (['body', 'form', 'encrypt', 'headers'] as const).flatMap((spot) =>
    textsIn(call[spot], [spot]).map(([place, text]): CallText => ({ spot, place, text })),
  );
  return [...addresses, ...others];
}

/** The words of a text, none where it cannot be read. */
export function partsIn(text: string): Word[] {
  const template = parseTemplate(text);
  return typeof template === 'string' ? [] : wordsOf(template);
}

/** The words of a call, but for its credentials', and of the call before it. */
export function partsOf(call: CallProfile | undefined): Word[] {
  if (!call) return [];
  return [...partsOf(call.before), ...textsOf(call).flatMap(({ text }) => partsIn(text))];
}

/** The set of credentials that a call carries: its own, or the default one. */
export function setOf({ credentials }: Profile, call: CallProfile): CredentialSet | undefined {
  return call.credentials === false ? undefined : credentials?.[call.credentials ?? 'default'];
}

/** The names of all words of a call's own request, its credentials included. */
export function callWords(profile: Profile, { before: _, ...call }: CallProfile): string[] {
  const { sign, ...headers } = setOf(profile, call) ?? {};
  const texts = [...Object.values(headers), sign?.over ?? ''];
  return [...partsOf(call), ...texts.flatMap(partsIn)].map(({ word }) => word);
}

/** The request for a token, as a call. */
export function tokenCall({ value: _, expiresIn: __, ...call }: NonNullable<Profile['token']>): CallProfile {
  return { ...call, credentials: false };
}

interface Called {
  readonly name: OperationName;
  readonly place: string;
  readonly call: CallProfile;
  readonly isBefore: boolean;
}

/** The calls of a profile, each before the one that it precedes, with their places. */
export function callsOf({ operations }: Profile): Called[] {
  return (Object.entries(operations) as [OperationName, CallProfile][]).flatMap(
    ([name, { before, ...call }]) => {
      const place = `/operations/${name}`;
      const first = before ? [{ name, place: `${place}/before`, call: before, isBefore: true }] : [];
      return [...first, { name, place, call, isBefore: false }];
    },
  );
}
