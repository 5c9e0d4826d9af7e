import type { Fact } from '../fact.js';
import type { PaymentFacts } from '../payment-facts.js';
import { readPointer } from '../profile/pointer.js';
import type { Exchanged } from '../transport/transport.js';
import { failureOf } from './failure.js';
import type { AnswerReader } from './reader.js';
import { SentSecrets } from './secrets.js';
import {
  first,
  MAX_KEPT_BYTES,
  MAX_PASSED_BYTES,
  parseAnswer,
  readKept,
  readMessage,
  readText,
  scalarText,
} from './values.js';

/**
 * What came of a call that is made before another: what it brought, or why the other is not made. It moves no money, so nothing was
 * charged, and it names no card's fault. `durable`: values that are stored.
 */
export function judgePreparation(
  { at, keep, require }: AnswerReader,
  exchanged: Exchanged,
  durable: ReadonlySet<string>,
  facts: PaymentFacts,
): { readonly kept: Record<string, string> } | { readonly fact: Fact } {
  if (exchanged.kind !== 'answer') return unavailable();
  const { status, text = '' } = exchanged;
  const isPage = /^[\s\uFEFF]*</.test(text);
  if (status >= 500 || [401, 403, 429].includes(status) || (status >= 400 && isPage)) return unavailable();
  const document = parseAnswer(text);
  const error = first(document, at.error, (value) => ({ value }))?.value;
  const isMet = require.every(({ pointer, values }) =>
    values.has(scalarText(readPointer(document, pointer)) ?? ''),
  );
  const kept = readKept(
    keep,
    (pointer) => readPointer(document, pointer),
    (name) => (durable.has(name) ? MAX_KEPT_BYTES : MAX_PASSED_BYTES),
  );
  const hasError = error !== undefined && error !== false;
  if (status >= 200 && status <= 299 && !hasError && isMet && Object.keys(kept).length === keep.length)
    return { kept };
  const message = first(document, at.message, readMessage);
  const gatewayCode = first(document, at.code, readText) ?? null;
  const failure = failureOf('gateway_rejected', {
    ...(message !== undefined && { message: new SentSecrets(facts).scrub(message) }),
    gatewayCode,
  });
  return { fact: { is: 'refused', failure, cardTried: false } };
}

function unavailable(): { readonly fact: Fact } {
  return { fact: { is: 'notSent', failure: failureOf('gateway_unavailable'), cardTried: false } };
}
