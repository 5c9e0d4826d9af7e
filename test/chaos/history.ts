/** What happened, in order, for whoever has to understand a failure. */
export class History {
  #notes: { at: number; who: string; what: string; times: number }[] = [];
  readonly #latest = new Map<string, { what: string; times: number }>();
  readonly #begun = performance.now();

  /** The same thing said by the same one again and again is noted once. */
  note(who: string, what: string): void {
    const latest = this.#latest.get(who);
    if (latest?.what === what) {
      latest.times += 1;
      return;
    }
    const note = { at: performance.now() - this.#begun, who, what, times: 1 };
    this.#latest.set(who, note);
    this.#notes.push(note);
  }

  /** Begins anew: a trial's history is its own. */
  clear(): void {
    this.#notes = [];
    this.#latest.clear();
  }

  text(): string {
    return this.#notes
      .map(({ at, who, what, times }) => {
        const again = times > 1 ? `  (${times} times)` : '';
        return `${at.toFixed(0).padStart(7)} ms  ${who.padEnd(12)} ${what}${again}`;
      })
      .join('\n');
  }
}
