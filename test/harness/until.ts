/** The first and the longest pause between two looks: who waits long takes little of the machine. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [20, 150];

/** Waits until the condition holds. On failure it shows the condition's own text. */
export async function until(condition: () => boolean | Promise<boolean>, withinMs = 45_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  for (
    let pauseMs = FIRST_PAUSE_MS;
    !(await condition());
    pauseMs = Math.min(pauseMs * 1.2, LONGEST_PAUSE_MS)
  ) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
