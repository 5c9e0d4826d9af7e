import { isRawNumber } from './payment-fields.js';
import type { BodyEncoding } from '../profile/format.js';

/** A body as it is sent. */
export interface EncodedBody {
  readonly text: string;
  readonly contentType: string;
}

/** Writes a body. `query` has none: see {@link encodeQuery}. */
export function encodeBody(body: Readonly<Record<string, unknown>>, encoding: BodyEncoding): EncodedBody {
  switch (encoding) {
    case 'json':
      return { text: JSON.stringify(body), contentType: 'application/json' };
    case 'json-sorted':
      return { text: sortedJson(body), contentType: 'application/json' };
    case 'form':
    case 'query':
      return { text: encodeForm(body), contentType: 'application/x-www-form-urlencoded' };
  }
}

/** JSON with the members of each object in the order of their names (by code unit) and no blanks. */
export function sortedJson(value: unknown): string {
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${sortedJson(member)}`);
  return `{${members.join(',')}}`;
}

/** A form, with nested members as `outer[inner]`. */
export function encodeForm(body: Readonly<Record<string, unknown>>): string {
  return new URLSearchParams(flatten(body)).toString();
}

/** The same as a query, with blanks as `%20`, which every server reads alike. */
export function encodeQuery(body: Readonly<Record<string, unknown>>): string {
  return flatten(body)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}

function flatten(body: Readonly<Record<string, unknown>>): [name: string, value: string][] {
  return Object.entries(body).flatMap(([name, value]) => flattenMember(name, value));
}

function flattenMember(name: string, value: unknown): [name: string, value: string][] {
  if (value === undefined) return [];
  if (typeof value === 'object' && value !== null && !isRawNumber(value)) {
    return Object.entries(value).flatMap(([inner, member]) => flattenMember(`${name}[${inner}]`, member));
  }
  return [[name, scalarText(value)]];
}

function scalarText(value: unknown): string {
  if (isRawNumber(value)) return value.rawJSON;
  return typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
}
