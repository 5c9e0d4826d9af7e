/** Parts of a text to be removed, in order and without overlaps. */
export class Cuts {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  /** An empty list. Most texts need no other, so it is created once; nothing may be added to it. */
  static readonly none = new Cuts();

  get some(): boolean {
    return this.#starts.length > 0;
  }

  /** Adds the part from `start` to `end`, exclusive. A part that touches the previous ones is merged with them. */
  add(start: number, end: number): void {
    let from = start;
    let to = end;
    for (let last = this.#starts.length - 1; last >= 0 && (this.#ends[last] as number) >= from; last--) {
      from = Math.min(from, this.#starts.pop() as number);
      to = Math.max(to, this.#ends.pop() as number);
    }
    this.#starts.push(from);
    this.#ends.push(to);
  }

  /** Merges these parts with others. */
  with(others: Cuts): Cuts {
    if (!others.some) return this;
    if (!this.some) return others;
    const both = new Cuts();
    for (let mine = 0, its = 0; mine < this.#starts.length || its < others.#starts.length;) {
      const next = this.#starts[mine] ?? Infinity;
      const other = others.#starts[its] ?? Infinity;
      if (next <= other) both.add(next, this.#ends[mine++] as number);
      else both.add(other, others.#ends[its++] as number);
    }
    return both;
  }

  /** The text with every part replaced by `instead`. */
  takeOutOf(text: string, instead: string): string {
    let clean = '';
    let at = 0;
    this.#starts.forEach((start, index) => {
      clean += text.slice(at, start) + instead;
      at = this.#ends[index] as number;
    });
    return clean + text.slice(at);
  }
}
