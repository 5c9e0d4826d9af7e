import type { Random } from '../chaos/random.ts';
import { Charge, major, type Book, type SettledRow } from './book.ts';
import { BEGINNING } from './virtual-time.ts';

/** Writes the gateway's settlement reports, from its own books, and not always right. */

const HEADER = 'reference,transactionRef,type,amount,fee,currency,status,settledAt';

/**
 * What the reports make of a row of the book. `missing`: none has it. `late`: not the first that should. `wrong`: its amount is another one.
 * `corrected`: so in the first, and right in later ones. `twice`: the first has it twice.
 */
type Fate = 'true' | 'missing' | 'late' | 'wrong' | 'corrected' | 'twice';

export function lineOf({ ref, type, amount, at }: SettledRow): string {
  const time = new Date(BEGINNING + Math.floor(at)).toISOString();
  return [ref, `TRX-${ref}`, type, major(amount), '0.00', 'NGN', 'SETTLED', time].join(',');
}

export class ReportWriter {
  /** Of each line of a payment how often it is in the file that has it most often. */
  readonly lines = new Map<string, Map<string, number>>();
  /** Everything that was written, to be sent again. */
  readonly files: string[] = [];
  /** In how many files each row of the book could stand. */
  readonly #written = new Map<SettledRow, number>();
  #others = 0;

  private readonly book: Book;
  private readonly randomOf: (name: string) => Random;

  constructor(book: Book, random: (name: string) => Random) {
    this.book = book;
    this.randomOf = random;
  }

  /** The next file: what moved since the last one, and some of what moved before; at the end also what is late or to be corrected. */
  next(random: Random, now: number, isLast = false): string {
    const lines: string[] = [];
    if (!isLast && random.chance(0.4)) this.#begin(random, now);
    for (const row of this.book.all().flatMap(({ rows }) => rows)) {
      const times = this.#written.get(row) ?? 0;
      const isDue = isLast && times === 1 && ['late', 'corrected'].includes(this.#fateOf(row));
      if (times > 0 && !isDue && !random.chance(0.3)) continue;
      this.#written.set(row, times + 1);
      lines.push(...this.#linesOf(row, times === 0));
    }
    if (!isLast && random.chance(0.4)) lines.push(this.#invented(random, now));
    const counts = Map.groupBy(lines, (line) => line);
    for (const [line, { length }] of counts) {
      const ref = line.slice(0, line.indexOf(','));
      const known = this.lines.get(ref) ?? new Map<string, number>();
      this.lines.set(ref, known.set(line, Math.max(length, known.get(line) ?? 0)));
    }
    const file = [HEADER, ...lines, ''].join('\n');
    this.files.push(file);
    return file;
  }

  #linesOf(row: SettledRow, isNew: boolean): string[] {
    const line = lineOf(row);
    const wrong = lineOf({ ...row, amount: row.amount + 137n });
    switch (this.#fateOf(row)) {
      case 'missing':
        return [];
      case 'late':
        return isNew ? [] : [line];
      case 'wrong':
        return [wrong];
      case 'corrected':
        return isNew ? [wrong] : [line];
      case 'twice':
        return isNew ? [line, line] : [line];
      case 'true':
        return [line];
    }
  }

  #fateOf(row: SettledRow): Fate {
    // What reports say went back counts for a payment of which the store knows no more.
    if (row.type === 'REFUND' && this.book.find(row.ref)?.isForeign) return 'true';
    return this.randomOf(`settles ${lineOf(row)}`).weighted<Fate>([
      ['true', 70],
      ['missing', 5],
      ['late', 8],
      ['wrong', 5],
      ['corrected', 6],
      ['twice', 6],
    ]);
  }

  /** A payment that the store does not know: its shop had begun it before all that it remembers. */
  #begin(random: Random, now: number): void {
    const amount = BigInt(random.whole(3, 3_000) * 100);
    const charge = new Charge(`FORMER-${++this.#others}_1`, 'transfer', amount);
    charge.isForeign = true;
    this.book.begin(charge);
    charge.change(now, { state: 'captured', captured: amount });
    if (random.chance(0.3)) charge.change(now + 1, { refunded: amount / 3n });
  }

  /** Of a payment that never was, or a refund of one that is. */
  #invented(random: Random, now: number): string {
    const taken = this.book.all().filter((one) => one.everCaptured && !one.isForeign);
    if (taken.length > 0 && random.chance(0.5))
      return lineOf({ ref: random.pick(taken).ref, type: 'REFUND', amount: 777n, at: now });
    return lineOf({ ref: `NEVER-${++this.#others}_1`, type: 'PAYMENT', amount: 90_000n, at: now });
  }
}
