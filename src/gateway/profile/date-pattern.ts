import { DateTime, IANAZone, type TokenParser } from 'luxon';

/** Runs of one letter, texts in quotes, and everything else that stands in a pattern. */
const PART = /([A-Za-z])\1*|'(?:[^']|'')*'|[^A-Za-z']+/g;

/** The fields that a pattern may have (Unicode TR 35), and how the library writes them. */
const TOKENS: Readonly<Record<string, string>> = {
  ...{ y: 'y', yy: 'yy', yyyy: 'yyyy', u: 'y', uuuu: 'yyyy' },
  ...{ M: 'M', MM: 'MM', MMM: 'MMM', MMMM: 'MMMM' },
  ...{ d: 'd', dd: 'dd' },
  ...{ E: 'EEE', EE: 'EEE', EEE: 'EEE', EEEE: 'EEEE' },
  ...{ H: 'H', HH: 'HH', h: 'h', hh: 'hh', m: 'm', mm: 'mm', s: 's', ss: 'ss', a: 'a' },
  ...{
    S: 'u',
    SS: 'u',
    SSS: 'SSS',
    SSSS: 'u',
    SSSSS: 'u',
    SSSSSS: 'u',
    SSSSSSS: 'u',
    SSSSSSSS: 'u',
    SSSSSSSSS: 'u',
  },
  ...{ x: 'ZZZ', xx: 'ZZZ', xxx: 'ZZ', X: 'ZZZ', XX: 'ZZZ', XXX: 'ZZ', Z: 'ZZZ', ZZZZZ: 'ZZ' },
};

/** In an English month's or day's name, and beside the hour. */
const ENGLISH = { zone: 'utc', locale: 'en-US' } as const;
const FIRST_YEAR = 1990;
const LAST_YEAR = 2199;

/** Dates and times of one form, such as `dd/MM/yyyy HH:mm`. */
export class DatePattern {
  readonly #parser: TokenParser;
  /** Whether it has no hour: each text means a whole day. */
  readonly isDay: boolean;
  /** Whether each text names its own offset from UTC. */
  readonly hasOffset: boolean;
  /** Whether it may say `Z` in place of an offset. */
  readonly #hasZulu: boolean;

  private constructor(library: string, letters: ReadonlySet<string>) {
    this.#parser = DateTime.buildFormatParser(library, ENGLISH);
    this.isDay = !letters.has('H') && !letters.has('h');
    this.#hasZulu = letters.has('X') || letters.has('Z');
    this.hasOffset = this.#hasZulu || letters.has('x');
  }

  /** Reads a Unicode pattern. A text says what is wrong with it: it must name a day, each field once, and no field that is not known. */
  static of(pattern: string): DatePattern | string {
    const seen = new Set<string>();
    let library = '';
    if ((pattern.match(PART) ?? []).join('') !== pattern) return 'has a quote that is not closed';
    for (const [part, first] of pattern.matchAll(PART)) {
      const letter = first === 'u' ? 'y' : first;
      if (letter === undefined) {
        library += literal(part);
        continue;
      }
      const token = TOKENS[part];
      if (token === undefined) return `has ${part}, which is no field that can be read`;
      if (seen.has(letter)) return `has ${letter} twice`;
      seen.add(letter);
      library += token;
    }
    if (!seen.has('y') || !seen.has('M') || !seen.has('d'))
      return 'must have the year (yyyy), the month (MM) and the day (dd)';
    if (seen.has('h') !== seen.has('a')) return 'must have h and a together, or H';
    if (seen.has('h') && seen.has('H')) return 'must have h and a together, or H';
    if (['x', 'X', 'Z'].filter((letter) => seen.has(letter)).length > 1) return 'has two offsets';
    return new DatePattern(library, seen);
  }

  /**
   * What the clock shows, in milliseconds as if it were in UTC; the moment itself where the text names its offset. Undefined for any other
   * form, and for a day or a time that does not exist.
   */
  read(text: string): number | undefined {
    const plain = this.#hasZulu ? text.replace(/Z$/, '+00:00') : text;
    let found = DateTime.fromFormatParser(plain, this.#parser, ENGLISH);
    if (!found.isValid && plain !== text)
      found = DateTime.fromFormatParser(text.replace(/Z$/, '+0000'), this.#parser, ENGLISH);
    return found.isValid && isUsual(found.year) ? found.toMillis() : undefined;
  }
}

/** Text that the library takes as it is. */
function literal(part: string): string {
  if (!part.startsWith("'")) return part;
  return part === "''" ? "'" : `'${part.slice(1, -1).replaceAll("''", "'")}'`;
}

/** Whether anything is settled in such a year. */
export function isUsual(year: number): boolean {
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}

/** The names of three letters that the IANA has. The engine takes others too, of which some mean several zones. */
const SHORT_ZONES = [
  'UTC',
  'GMT',
  'UCT',
  'CET',
  'EET',
  'MET',
  'WET',
  'EST',
  'MST',
  'HST',
  'PRC',
  'ROC',
  'ROK',
];

/** Whether this is the name of a time zone (IANA). */
export function isTimeZone(name: string): boolean {
  if (name.length <= 3 && !SHORT_ZONES.includes(name)) return false;
  return IANAZone.isValidZone(name);
}
