/** Waits until the condition holds. On failure it shows the condition's own text. */
export async function until(condition: () => boolean | Promise<boolean>, withinMs = 45_000): Promise<void> {
  for (const deadline = Date.now() + withinMs; !(await condition());) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
