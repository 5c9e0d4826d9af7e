import { piecesOf } from '../request/address.js';
import type { CallProfile, Profile } from './schema.js';
import { parseTemplate, textsIn, wordsOf, type Part } from './template.js';

/** Where a text of a request stands. */
export type Spot = 'path' | 'query' | 'body' | 'form' | 'encrypt' | 'headers' | 'credentials' | 'sign';

/** A text in which words may stand, with its place below the call. */
export interface CallText {
  readonly spot: Spot;
  readonly place: readonly string[];
  readonly text: string;
}

type Word = Extract<Part, { word: string }>;
const METHODS = ['get', 'post', 'put'] as const;

/** A call's method and address. The profile must have been checked. */
export function methodOf(call: Pick<CallProfile, 'get' | 'post' | 'put'>): {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly address: string;
} {
  const method = METHODS.find((one) => call[one] !== undefined) ?? 'get';
  return { method: method.toUpperCase() as Uppercase<typeof method>, address: call[method] ?? '' };
}

/** Every text of a call that goes into its request, but for its credentials. */
export function textsOf(call: CallProfile): CallText[] {
  const addresses = METHODS.flatMap((method): CallText[] => {
    const { path, parameters } = piecesOf(call[method] ?? '');
    return [path, ...parameters].map((text, n): CallText => ({
      spot: n === 0 ? 'path' : 'query',
      place: [method],
      text,
    }));
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
export function setOf(
  { credentials }: Profile,
  call: CallProfile,
): NonNullable<Profile['credentials']>[string] | undefined {
  return call.credentials === false ? undefined : credentials?.[call.credentials ?? 'default'];
}

/** The names of all words of a call's own request, its credentials included. */
export function callWords(profile: Profile, { before: _, ...call }: CallProfile): string[] {
  const { sign, ...headers } = setOf(profile, call) ?? {};
  const texts = [...Object.values(headers), sign?.over ?? ''];
  return [...partsOf(call), ...texts.flatMap(partsIn)].map(({ word }) => word);
}

/** The calls of a profile, each before the one that it precedes, with their places. */
export function callsOf({
  operations,
}: Profile): { name: string; place: string; call: CallProfile; isBefore: boolean }[] {
  return Object.entries<CallProfile>(operations).flatMap(([name, { before, ...call }]) => {
    const place = `/operations/${name}`;
    const first = before ? [{ name, place: `${place}/before`, call: before, isBefore: true }] : [];
    return [...first, { name, place, call, isBefore: false }];
  });
}
