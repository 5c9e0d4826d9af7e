import { piecesOf } from '../request/address.js';
import type { CallProfile, Profile } from './schema.js';
import { parseTemplate, textsIn, wordsOf, type Part } from './template.js';

/** Where a text of a call stands. */
export type Spot =
  'path' | 'query' | 'body' | 'form' | 'encrypt' | 'header' | 'credentials' | 'sign' | 'redirect';

/** A text of a call in which words may stand, with its place below the call. */
export interface CallText {
  readonly spot: Spot;
  readonly place: readonly string[];
  readonly text: string;
}

/** A call's method and address. The profile must have been checked. */
export function methodOf({ get, post, put }: Pick<CallProfile, 'get' | 'post' | 'put'>): {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly address: string;
} {
  if (get !== undefined) return { method: 'GET', address: get };
  return post === undefined ? { method: 'PUT', address: put ?? '' } : { method: 'POST', address: post };
}

/** Every text of a call that goes into its request. */
export function textsOf(call: CallProfile): CallText[] {
  const below = (spot: Spot, key: keyof CallProfile): CallText[] =>
    textsIn(call[key], [key]).map(([place, text]) => ({ spot, place, text }));
  const addresses = (['get', 'post', 'put'] as const).flatMap((method): CallText[] => {
    const address = call[method];
    if (address === undefined) return [];
    const { steps, parameters } = piecesOf(address);
    return [
      ...steps.map((text): CallText => ({ spot: 'path', place: [method], text })),
      ...parameters.map((text): CallText => ({ spot: 'query', place: [method], text })),
    ];
  });
  return [
    ...addresses,
    ...below('body', 'body'),
    ...below('form', 'form'),
    ...below('encrypt', 'encrypt'),
    ...below('header', 'headers'),
  ];
}

/** The texts of the set of credentials that a call carries. */
export function credentialTexts({ credentials }: Profile, call: CallProfile): readonly string[] {
  const set = call.credentials === false ? undefined : credentials?.[call.credentials ?? 'default'];
  if (!set) return [];
  const { sign, ...headers } = set;
  return [...Object.values(headers), ...(sign ? [sign.over] : [])];
}

/** The words of a text, none where it cannot be read. */
export function partsIn(text: string): Extract<Part, { word: string }>[] {
  const template = parseTemplate(text);
  return typeof template === 'string' ? [] : wordsOf(template);
}

/** The names of all words that a call's request uses, its credentials included. */
export function callWords(profile: Profile, call: CallProfile): string[] {
  const texts = [...textsOf(call).map(({ text }) => text), ...credentialTexts(profile, call)];
  return [...new Set(texts.flatMap((text) => partsIn(text).map(({ word }) => word)))].filter(
    (word) => word !== 'method' && word !== 'path' && word !== 'body',
  );
}

/** The calls of a profile, each before the one that it precedes, with their places. */
export function callsOf({ operations }: Profile): {
  readonly name: string;
  readonly place: string;
  readonly call: CallProfile;
  readonly isBefore: boolean;
}[] {
  return Object.entries(operations).flatMap(([name, call]) => {
    const place = `/operations/${name}`;
    const before = 'before' in call ? call.before : undefined;
    return [
      ...(before ? [{ name, place: `${place}/before`, call: before, isBefore: true }] : []),
      { name, place, call, isBefore: false },
    ];
  });
}
