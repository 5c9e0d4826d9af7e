import { NoAnswer } from './connection.js';
import { TillfrontError } from './tillfront-error.js';

export interface KeepTryingOptions {
  /** How long to continue while the browser is online. Time without a network does not count. */
  giveUpAfterMs: number;
  onRetry?: ((retry: { attempt: number; offline: boolean }) => void) | undefined;
  signal?: AbortSignal | undefined;
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;

/**
 * Repeats a request that got no answer. Pauses grow and differ between browsers, and end at once when the network comes
 * back. Use it only for requests that are safe to repeat: reads, and those with an idempotency key.
 */
export async function keepTrying<T>(attempt: () => Promise<T>, options: KeepTryingOptions): Promise<T> {
  let onlineMs = 0;
  for (let number = 1; ; number++) {
    const begun = performance.now();
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      const offline = isOffline();
      if (!offline) onlineMs += performance.now() - begun;
      if (onlineMs > options.giveUpAfterMs) {
        throw new TillfrontError(
          'no-answer',
          'There was no answer. Nothing is known about the outcome yet.',
          {
            ...(error.paymentId === undefined ? {} : { paymentId: error.paymentId }),
          },
        );
      }
      options.onRetry?.({ attempt: number, offline });
      const delay = Math.max(backoff(number), (error.retryAfterSeconds ?? 0) * 1000);
      await pause(offline ? undefined : delay, options.signal);
      if (!offline) onlineMs += delay;
    }
  }
}

/** Half of the pause is fixed, half is random. */
export function backoff(attempt: number): number {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS);
  return delay / 2 + Math.random() * (delay / 2);
}

export function isOffline(): boolean {
  return globalThis.navigator?.onLine === false;
}

/** Waits this long, or (`undefined`) until the network comes back. Rejects when the signal aborts. */
export function pause(milliseconds: number | undefined, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const forget = (): void => {
      clearTimeout(timer);
      globalThis.removeEventListener?.('online', done);
      signal?.removeEventListener('abort', stop);
    };
    const done = (): void => {
      forget();
      resolve();
    };
    const stop = (): void => {
      forget();
      reject(signal?.reason as Error);
    };
    // some browsers miss the online event, so they are also polled now and then
    const timer = setTimeout(done, milliseconds ?? 5_000);
    globalThis.addEventListener?.('online', done);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop);
  });
}
