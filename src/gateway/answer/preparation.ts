import type { Fact } from '../fact.js';
import type { PaymentFacts } from '../payment-facts.js';
import { readPointer } from '../profile/pointer.js';
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
  { at, keep, require }: AnswerReader,
  exchanged: Exchanged,
  durable: ReadonlySet<string>,
  facts: PaymentFacts,
): Record<string, string> | Fact {
  const { status, text = '' } = exchanged.kind === 'answer' ? exchanged : { status: 500 };
  if (status >= 500 || [401, 403, 429].includes(status) || (status >= 400 && isPage(text)))
    return { is: 'notSent', failure: failureOf('gateway_unavailable'), cardTried: false };
  const document = parseAnswer(text);
  const value = (pointer: readonly string[]): unknown => readPointer(document, pointer);
  const hasError = at.error.some((pointer) => ![undefined, false].includes(value(pointer) as undefined));
  const isMet = require.every(({ pointer, values }) => values.has(scalarText(value(pointer)) ?? ''));
  const stored = readKept(
    keep.filter(({ name }) => durable.has(name)),
    value,
  );
  const passed = readKept(
    keep.filter(({ name }) => !durable.has(name)),
    value,
    () => true,
    MAX_PASSED_BYTES,
  );
  const kept = { ...passed, ...stored };
  if (status >= 200 && status <= 299 && !hasError && isMet && Object.keys(kept).length === keep.length)
    return kept;
  const message = first(document, at.message, readMessage);
  const gatewayCode = first(document, at.code, readText) ?? null;
  const said = { message: message && new SentSecrets(facts).scrub(message), gatewayCode };
  return { is: 'refused', failure: failureOf('gateway_rejected', said), cardTried: false };
}
