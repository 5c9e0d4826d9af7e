/** What only a person does: the page's own calls and updates are none of these. */
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
const LOOK_EVERY_MS = 5_000;

/** Calls `leave`, once, after `seconds` without a person, also if the machine slept meanwhile. */
export function whenUnused(seconds: number, leave: () => void): void {
  let lastSeen = Date.now();
  const closed = new AbortController();
  const look = (): boolean => {
    if (Date.now() - lastSeen < seconds * 1_000) return false;
    if (!closed.signal.aborted) leave();
    closed.abort();
    clearInterval(timer);
    return true;
  };
  // A person who comes back too late finds the page closed, and does not keep it open.
  const seen = ({ isTrusted }: Event): void => {
    if (isTrusted && !look()) lastSeen = Date.now();
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  const how = { capture: true, passive: true, signal: closed.signal };
  for (const sign of SIGNS) addEventListener(sign, seen, how);
  document.addEventListener('visibilitychange', look, how);
}
