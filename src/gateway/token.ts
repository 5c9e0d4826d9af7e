import { parseAnswer, readText, readTime } from './answer/values.js';
import { readPointer } from './profile/pointer.js';
import type { TokenProfile } from './profile/schema.js';
import type { Limits } from './transport/adapter.js';
import type { Exchanged } from './transport/transport.js';

/** Renewed so long before its end, or at four fifths of a shorter life. */
const RENEW_AHEAD_SECONDS = 60;
/** Nothing lives longer without being fetched anew. */
const MAX_SECONDS = 30 * 86_400;

/** How an attempt to fetch a token ended. */
export type Fetched = { readonly value: string; readonly seconds: number } | { readonly failed: Exchanged };

/** A token for one call; a cached one may have ended meanwhile. */
type Handed = { readonly value: string; readonly isCached: boolean } | { readonly failed: Exchanged };

/**
 * The one token of the process: fetched by one caller at a time for all, renewed ahead of its end, and dropped when the gateway refuses
 * it. Times are of a monotonic clock in milliseconds.
 */
export class TokenKeeper {
  #held: { readonly value: string; readonly renewAt: number; readonly endsAt: number } | undefined;
  #fetching: Promise<Fetched> | undefined;

  constructor(
    private readonly fetch: () => Promise<Fetched>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** A token that will last. The fetch goes on for the others when one caller's time is over. */
  async get({ signal, mayBegin }: Limits): Promise<Handed> {
    if (this.#held && this.now() < this.#held.renewAt) return { value: this.#held.value, isCached: true };
    if (!mayBegin()) return { failed: { kind: 'notSent', why: 'abandoned' } };
    this.#fetching ??= this.#renew().finally(() => (this.#fetching = undefined));
    const fetched = await Promise.race([this.#fetching, ended(signal)]);
    if ('value' in fetched) return { value: fetched.value, isCached: false };
    // A renewal that fails costs nothing while the old one lasts.
    const old = this.#held;
    return old && this.now() < old.endsAt ? { value: old.value, isCached: true } : fetched;
  }

  /** The gateway has refused this one. A newer one stays. */
  drop(value: string): void {
    if (this.#held?.value === value) this.#held = undefined;
  }

  async #renew(): Promise<Fetched> {
    const fetched = await this.fetch();
    if ('value' in fetched) {
      const { value, seconds } = fetched;
      const ahead = Math.min(RENEW_AHEAD_SECONDS, seconds / 5);
      this.#held = {
        value,
        renewAt: this.now() + (seconds - ahead) * 1000,
        endsAt: this.now() + seconds * 1000,
      };
    }
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
  const found = readPointer(document, value);
  const text = typeof found === 'string' && found.length <= 8192 ? found.trim() : readText(found);
  if (text === undefined || !/^[\x21-\x7e]+$/.test(text)) return undefined;
  const life = typeof expiresIn === 'number' ? expiresIn : lifeOf(readPointer(document, expiresIn), now);
  return { value: text, seconds: Math.min(Math.max(life, 0), MAX_SECONDS) };
}

/** Seconds as a number or in digits, or the time of the end. 0 where it is neither: it is then fetched for each call. */
function lifeOf(value: unknown, now: Date): number {
  const number = typeof value === 'string' && /^[0-9]+(?:\.[0-9]+)?$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && number < 1e9) return number;
  const at = readTime(value, false);
  return at === undefined ? 0 : (at - now.getTime()) / 1000;
}
