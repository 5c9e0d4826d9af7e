import { DateTime, IANAZone, type TokenParser } from 'luxon';

/** Runs of one letter, texts in quotes, and everything else that a pattern is made of. */
const PART = /([A-Za-z])\1*|'(?:[^']|'')*'|[^A-Za-z']+/g;

/** The fields that a pattern may have (Unicode TR 35), and how luxon writes them. */
const TOKENS: Readonly<Record<string, string>> = {
  ...{ y: 'y', yy: 'yy', yyyy: 'yyyy', M: 'M', MM: 'MM', MMM: 'MMM', MMMM: 'MMMM' },
  ...{ d: 'd', dd: 'dd', E: 'EEE' },
  ...{ H: 'H', HH: 'HH', h: 'h', hh: 'hh', a: 'a', m: 'm', mm: 'mm', s: 's', ss: 'ss', S: 'u' },
  ...{ X: 'ZZZ', XXX: 'ZZ', xx: 'ZZZ', Z: 'ZZZ' },
};

/** For the names of months and days. */
const ENGLISH = { zone: 'utc', locale: 'en-US' } as const;

/** What a clock shows, as if it were in UTC, or the moment itself. */
export interface Shown {
  at: number;
  isMoment: boolean;
}

/** Dates and times of one form, such as `dd/MM/yyyy HH:mm`. */
export class DatePattern {
  readonly #parser: TokenParser;
  /** Each text names its own offset from UTC. */
  private readonly isMoment: boolean;

  /** Throws where {@link patternFault} finds a fault. */
  constructor(pattern: string) {
    const read = readPattern(pattern);
    if (typeof read === 'string') throw new TypeError(`a pattern ${read}`);
    this.#parser = DateTime.buildFormatParser(read.format, ENGLISH);
    this.isMoment = ['x', 'X', 'Z'].some((letter) => read.letters.has(letter));
  }

  /** Undefined for any other form, and for a day or a time that does not exist. */
  read(text: string): Shown | undefined {
    const forms = this.isMoment ? [text, text.replace(/Z$/, '+00:00'), text.replace(/Z$/, '+0000')] : [text];
    for (const form of forms) {
      const found = DateTime.fromFormatParser(form, this.#parser, ENGLISH);
      if (found.isValid && found.year >= 1990 && found.year <= 2199)
        return { at: found.toMillis(), isMoment: this.isMoment };
    }
    return undefined;
  }
}

/** What is wrong with a Unicode pattern: it must name a day, each field once, and no field that cannot be read. */
export function patternFault(pattern: string): string | undefined {
  const read = readPattern(pattern);
  return typeof read === 'string' ? read : undefined;
}

function readPattern(pattern: string): { format: string; letters: ReadonlySet<string> } | string {
  const letters = new Set<string>();
  let format = '';
  if ((pattern.match(PART) ?? []).join('') !== pattern) return 'has a quote that is not closed';
  for (const [part, letter] of pattern.matchAll(PART)) {
    if (letter === undefined) {
      format += part.startsWith("'") && part !== "''" ? part : part.replace("''", "'");
      continue;
    }
    const token = TOKENS[/^S+$/.test(part) ? 'S' : /^E+$/.test(part) ? 'E' : part];
    if (token === undefined) return `has ${part}, which is no field that can be read`;
    if (letters.has(letter)) return `has ${letter} twice`;
    letters.add(letter);
    format += part === 'EEEE' ? 'EEEE' : token;
  }
  if (!['y', 'M', 'd'].every((letter) => letters.has(letter)))
    return 'must have the year, the month and the day';
  if (letters.has('h') !== letters.has('a') || (letters.has('h') && letters.has('H')))
    return 'must have H, or h and a';
  if (['x', 'X', 'Z'].filter((letter) => letters.has(letter)).length > 1) return 'has two offsets';
  return { format, letters };
}

/** The names of three letters that the IANA has. The engine takes others too, of which some mean several zones. */
const SHORT_ZONES = 'UTC GMT UCT CET EET MET WET EST MST HST PRC ROC ROK'.split(' ');

/** Whether this is the name of a time zone (IANA). */
export function isTimeZone(name: string): boolean {
  // An offset such as +01:00 would be valid too.
  return name.length <= 3 ? SHORT_ZONES.includes(name) : /^[A-Z]/i.test(name) && IANAZone.isValidZone(name);
}
