/** Parts of a text that are to be taken out, in their order and apart from each other. */
export class Cuts {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  /** No part at all. Most texts need no more, so it is made once; nothing is to be added to it. */
  static readonly none = new Cuts();

  get some(): boolean {
    return this.#starts.length > 0;
  }

  /** Adds the part from `start` to `end`, exclusive. One that touches those before it becomes one with them. */
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

  /** These and others as one. */
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

  /** The text with `instead` in the place of each part. */
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
