import { first, parseAnswer, readText, readTime } from './answer/values.js';
import type { TokenProfile } from './profile/schema.js';
import type { Limits } from './transport/adapter.js';
import type { Exchanged } from './transport/transport.js';

/** Renewed so long before its end, or at four fifths of a shorter life. */
const RENEW_AHEAD_SECONDS = 60;

/** How an attempt to fetch a token ended. */
export type Fetched = { readonly value: string; readonly seconds: number } | { readonly failed: Exchanged };

/** A token for one call; a cached one may have ended meanwhile. */
type Handed = { readonly value: string; readonly isCached: boolean } | { readonly failed: Exchanged };

/** The one token of the process: fetched by one caller at a time for all, and renewed ahead of its end. */
export class TokenKeeper {
  #held: { readonly value: string; readonly renewAt: number } | undefined;
  #fetching: Promise<Fetched> | undefined;

  constructor(private readonly fetch: () => Promise<Fetched>) {}

  /** A token that will last. The fetch goes on for the others when one caller's time is over. */
  async get({ signal, mayBegin }: Limits): Promise<Handed> {
    if (this.#held && performance.now() < this.#held.renewAt)
      return { value: this.#held.value, isCached: true };
    if (!mayBegin()) return { failed: { kind: 'notSent', why: 'abandoned' } };
    this.#fetching ??= this.#renew().finally(() => (this.#fetching = undefined));
    const fetched = await Promise.race([this.#fetching, ended(signal)]);
    return 'value' in fetched ? { value: fetched.value, isCached: false } : fetched;
  }

  /** The gateway has refused this one. A newer one stays. */
  drop(value: string): void {
    if (this.#held?.value === value) this.#held = undefined;
  }

  async #renew(): Promise<Fetched> {
    const fetched = await this.fetch();
    if ('failed' in fetched) return fetched;
    const { value, seconds } = fetched;
    const lasts = seconds - Math.min(RENEW_AHEAD_SECONDS, seconds / 5);
    this.#held = { value, renewAt: performance.now() + lasts * 1000 };
    return fetched;
  }
}

async function ended(signal: AbortSignal): Promise<{ failed: Exchanged }> {
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  return { failed: { kind: 'notSent', why: 'timeout' } };
}

/** The token in an answer; undefined where there is none that a header can carry. */
export function readToken(
  { value, expiresIn }: TokenProfile,
  exchanged: Exchanged,
  now: Date,
): Fetched | undefined {
  if (exchanged.kind !== 'answer' || exchanged.status < 200 || exchanged.status > 299) return undefined;
  const document = parseAnswer(exchanged.text ?? '');
  const text = first(document, value, (found) => {
    const one = typeof found === 'string' ? found.trim() : readText(found);
    return one !== undefined && /^[\x21-\x7e]{1,8192}$/.test(one) ? one : undefined;
  });
  if (text === undefined) return undefined;
  const ends = typeof expiresIn === 'number' ? expiresIn : first(document, expiresIn, (found) => found);
  const life = typeof expiresIn === 'number' ? expiresIn : lifeOf(ends, now);
  return { value: text, seconds: Math.max(life, 0) };
}

/** Seconds as a number or in digits, or the time of the end. 0 where it is neither: it is then fetched for each call. */
function lifeOf(value: unknown, now: Date): number {
  const seconds = typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN;
  if (seconds < 1e9) return seconds;
  return ((readTime(value, false) ?? now.getTime()) - now.getTime()) / 1000;
}
