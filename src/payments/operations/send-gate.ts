import type { KeptValues, SendGate } from '../../gateway/gateway.js';
import { MACHINE } from '../../store/clock/store-clock.js';

/**
 * An intent that was not sent within this time is never sent: after a takeover of its lease the payer may already have
 * been told something else.
 */
const SEND_WITHIN_MS = 5_000;

/** A moment by both clocks of this process. */
export interface Moment {
  /** Milliseconds of a clock that never jumps. It stands still while the machine sleeps. */
  ticks: number;
  /** The wall clock in milliseconds. It jumps when somebody sets it, and over the time that the machine slept. */
  wall: number;
}

/** The moment that it is now. */
export function thisMoment(): Moment {
  return { ticks: MACHINE.monotonic(), wall: MACHINE.wall() };
}

/**
 * Lets a request out only while its intent is fresh. After a call before the call the time begins anew, once `prepared` has
 * committed what that brought and confirmed that the payment is still held.
 *
 * Both clocks must say that it is fresh. A machine that slept for an hour shows no time passed but by its wall clock, and
 * another replica may have ended the payment meanwhile. Where only the wall clock was set, nothing is lost: nothing was
 * sent, and the payer tries again.
 */
export function sendGate(intendedAt: Moment, prepared: (kept: KeptValues) => Promise<boolean>): SendGate {
  let since = intendedAt;
  return {
    beforeSend: () => isFresh(since, thisMoment()),
    afterPreparation: async (kept) => {
      // Before the write: its answer may be read long after the payment was seen to be held.
      const asked = thisMoment();
      const mayGo = await prepared(kept);
      since = asked;
      return mayGo;
    },
  };
}

function isFresh(since: Moment, now: Moment): boolean {
  return now.ticks - since.ticks <= SEND_WITHIN_MS && Math.abs(now.wall - since.wall) <= SEND_WITHIN_MS;
}
