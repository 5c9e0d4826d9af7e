import type { Fact } from '../fact.js';
import { readPointer, type Pointer } from '../profile/pointer.js';
import type { Scope } from '../request/words.js';
import type { Exchanged } from '../transport/transport.js';
import { failureOf } from './http-status.js';
import type { AnswerReader } from './reader.js';
import { SentSecrets } from './secrets.js';
import { first, isPage, parseAnswer, readKept, readMessage, readText, scalarText } from './values.js';

/** The longest value that is passed on to the call right after. */
const MAX_PASSED_BYTES = 16 * 1024;

/**
 * What came of a call that is made before another: what it brought, or why the other is not made. It moves no money, so nothing was
 * charged, and it names no card's fault. `durable`: values that are stored.
 */
export function judgePreparation(
  { at, keep }: AnswerReader,
  exchanged: Exchanged,
  durable: ReadonlySet<string>,
  scope: Scope,
): { readonly kept: Record<string, string> } | { readonly fact: Fact } {
  const { status, text = '' } = exchanged.kind === 'answer' ? exchanged : { status: 500 };
  if (status >= 500 || [401, 403, 429].includes(status) || (status >= 400 && isPage(text)))
    return { fact: { is: 'notSent', failure: failureOf('gateway_unavailable'), cardTried: false } };
  const document = parseAnswer(text);
  const value = (pointer: Pointer): unknown => readPointer(document, pointer);
  const isError = first(document, at.error, (error) => error !== false || undefined) ?? false;
  const isMet = (at.require ?? []).every(({ pointer, values }) =>
    values.has(scalarText(value(pointer)) ?? ''),
  );
  const kept = Object.entries(keep).flatMap(([name, pointers]) => {
    const maxBytes = durable.has(name) ? undefined : MAX_PASSED_BYTES;
    return Object.entries(readKept({ [name]: pointers }, value, undefined, maxBytes));
  });
  const isWhole = kept.length === Object.keys(keep).length;
  if (status >= 200 && status <= 299 && !isError && isMet && isWhole)
    return { kept: Object.fromEntries(kept) };
  const message = first(document, at.message, readMessage);
  const secrets = new SentSecrets(scope);
  const gatewayCode = secrets.codeOf(first(document, at.code, readText));
  const said = { message: message && secrets.scrub(message), gatewayCode };
  return { fact: { is: 'refused', failure: failureOf('gateway_rejected', said), cardTried: false } };
}
