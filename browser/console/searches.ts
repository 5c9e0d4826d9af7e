/**
 * What was searched for since the sign-in. Addresses name a search by its number: its words may be a payer's e-mail, and browsers keep
 * addresses.
 */
export class Searches {
  readonly #words: string[] = [];

  /** Keeps the words of a search. Returns its number, for an address. */
  keep(words: string): string {
    return String(this.#words.push(words));
  }

  /** The words of a search; undefined if they are not known, as after a reload. */
  wordsOf(number: string | undefined): string | undefined {
    return number === undefined ? undefined : this.#words[Number(number) - 1];
  }
}
