import { NoAnswer, type Answer } from './connection.js';
import { backoff, isOffline, pause } from './keep-trying.js';
import type { Payment, TillfrontOptions, WaitOptions } from './types.js';

/** Seconds that the service is asked to hold one request. A change between two requests is seen after this time at the latest. */
const HOLD_SECONDS = 10;
/** The shortest pause between requests, however fast the answers arrive. */
const SHORTEST_ROUND_MS = 1_000;

type ReadPayment = (
  query: string,
  signal: AbortSignal | undefined,
) => Promise<Pick<Answer<Payment>, 'body' | 'retryAfterSeconds'>>;

/** Waits as `Tillfront.waitFor` describes, through any number of lost connections. */
export async function waitForNews(
  read: ReadPayment,
  known: Payment | undefined,
  { signal, timeoutMs = Number.POSITIVE_INFINITY, late = false }: WaitOptions,
  onRetry: TillfrontOptions['onRetry'],
): Promise<Payment> {
  const deadline = performance.now() + timeoutMs;
  let last = known;
  // The first request answers at once, because the payment may already have changed.
  for (let query = '', failures = 0; ;) {
    const begun = performance.now();
    try {
      const { body: payment, retryAfterSeconds = 0 } = await read(query, signal);
      failures = 0;
      last = payment;
      if (isNews(payment, known, late) || performance.now() >= deadline) return payment;
      // the service answers early when it shuts down or too many wait, and may be behind a proxy that does
      const now = performance.now();
      const wanted = Math.min(retryAfterSeconds * 1000, deadline - now);
      if (query !== '') await pause(Math.max(SHORTEST_ROUND_MS - (now - begun), wanted), signal);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      failures += 1;
      if (last !== undefined && performance.now() >= deadline) return last;
      onRetry?.({ attempt: failures, offline: isOffline() });
      const wanted = Math.min((error.retryAfterSeconds ?? 0) * 1000, deadline - performance.now());
      await pause(isOffline() ? undefined : Math.max(backoff(failures), wanted), signal);
    }
    const left = Math.ceil((deadline - performance.now()) / 1000);
    query = `?wait=${Math.max(1, Math.min(HOLD_SECONDS, left))}`;
  }
}

/** A result, a new action for the payer, or a word of another amount than the one owed. `late`: a result that is known is no news. */
function isNews(payment: Payment, known: Payment | undefined, late: boolean): boolean {
  if (known !== undefined && isDiffering(payment) && !isDiffering(known)) return true;
  if (payment.status === 'processing') return false;
  if (payment.status !== 'requires_action') return !late || payment.status !== known?.status;
  return known?.status !== 'requires_action' || actionOf(payment) !== actionOf(known);
}

function isDiffering({ attentionReasons }: Payment): boolean {
  return attentionReasons.includes('differs');
}

/** The message of a one-time code or a PIN may change while the action stays the same. */
function actionOf({ nextAction }: Payment): string {
  if (nextAction === null) return '';
  const { type } = nextAction;
  return type === 'otp' || type === 'pin' ? type : JSON.stringify(nextAction);
}
