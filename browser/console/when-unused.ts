/** What only a person does: the page's own calls and updates are none of these. */
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
const LOOK_EVERY_MS = 5_000;

/** Calls `leave` after `ms` without a person, also if the machine slept meanwhile. */
export function whenUnused(ms: number, leave: () => void): void {
  let lastSeen = Date.now();
  const look = (): boolean => {
    const isUnused = Date.now() - lastSeen >= ms;
    if (isUnused) leave();
    return isUnused;
  };
  setInterval(look, LOOK_EVERY_MS);
  // A person who comes back too late finds the page closed, and does not keep it open.
  const seen = (): void => void (look() || (lastSeen = Date.now()));
  for (const sign of SIGNS) addEventListener(sign, seen, { capture: true, passive: true });
}
