import type { Route } from './dialect.ts';
import { isObject } from './pointer.ts';
import { NumberText } from './request.ts';

/** A body as it was read, or why it is none. */
export type ReadBody = { body: unknown } | { problem: string };

/** Where the fields of a call stand: in a JSON body, a form, or its query. */
export function readBody(route: Route, text: string, query: URLSearchParams, exact: boolean): ReadBody {
  if (route.encode === 'query') return { body: Object.fromEntries(query) };
  if (text === '') return { body: undefined };
  if (route.encode === 'form') return { body: Object.fromEntries(new URLSearchParams(text)) };
  try {
    const body = JSON.parse(text, exact ? keepDigits : undefined) as unknown;
    if (route.encode === 'json-sorted' && text !== sorted(JSON.parse(text, asRaw)))
      return { problem: 'the members must stand in order, without blanks' };
    return { body };
  } catch {
    return { problem: 'the body must be JSON' };
  }
}

/** The media type that a body must have. */
export function mediaTypeOf(route: Route): string | undefined {
  if (route.encode === 'form') return 'application/x-www-form-urlencoded';
  return route.method === 'GET' ? undefined : 'application/json';
}

interface Source {
  source?: string;
}

/** Only of amounts: nobody minds how a screen's height is written. */
function keepDigits(key: string, value: unknown, context?: Source): unknown {
  return typeof value === 'number' && key === 'amount' ? new NumberText(context?.source ?? '') : value;
}

function asRaw(_key: string, value: unknown, context?: Source): unknown {
  return typeof value === 'number'
    ? (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON(context?.source ?? '')
    : value;
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown): unknown =>
    isObject(member) && Object.getPrototypeOf(member) === Object.prototype
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}
