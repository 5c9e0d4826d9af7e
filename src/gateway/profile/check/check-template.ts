import { basicSides, CREDENTIAL_WORDS } from '../../plan/words.js';
import { SECRET_FIELDS } from '../../requests/payment-fields.js';
import { looksIntoAnswer, parseTemplate, wordsIn } from '../../templates/template.js';
import type { JsonValue } from '../format.js';
import { perhaps } from '../nearest.js';
import { escapeStep, type Report } from '../pointer.js';

/** What a template at one place may hold. */
export interface TemplateRules {
  /** The words that are possible. */
  readonly words: ReadonlySet<string>;
  /** Whether card number, cvv, PIN and one-time code may stand there. Only in bodies and in what is encrypted. */
  readonly secrets?: boolean;
  /** Whether `{basic:…}` may stand there. */
  readonly basic?: boolean;
  /** Whether it may look into an answer or a notification. */
  readonly pointers?: boolean;
  /** How a fault of a word begins. */
  readonly unknown?: string;
}

const UNKNOWN = 'has a word that is unknown here';

/** Reports what is wrong with a template. The text itself is never repeated. */
export function checkTemplate(text: string, place: string, rules: TemplateRules, report: Report): void {
  const template = parseTemplate(text);
  if (typeof template === 'string') return report(place, template);
  if (!rules.pointers && looksIntoAnswer(template)) {
    report(place, 'has a pointer, which looks into an answer, and here there is none');
  }
  for (const word of new Set(wordsIn(template))) checkWord(word, place, rules, report);
}

function checkWord(word: string, place: string, rules: TemplateRules, report: Report): void {
  if (rules.words.has(word)) {
    if (SECRET_FIELDS.has(word) && !rules.secrets) {
      report(
        place,
        `${rules.unknown ?? UNKNOWN}: card secrets may stand in bodies and encryption.plaintext only`,
      );
    }
    return;
  }
  if (rules.basic && basicSides(word)) return;
  const ofCredentials = (CREDENTIAL_WORDS as readonly string[]).includes(word) || word.startsWith('basic:');
  if (ofCredentials && !rules.basic) {
    return report(
      place,
      'has a word of credentials: it may stand in a set of "credentials" and in "token" only',
    );
  }
  const possible = [...rules.words].filter((name) => rules.secrets === true || !SECRET_FIELDS.has(name));
  const list = possible.length === 0 ? 'none is possible' : `possible are ${possible.map(braced).join(', ')}`;
  report(place, `${rules.unknown ?? UNKNOWN}${perhaps(word, possible)}; ${list}`);
}

function braced(word: string): string {
  return `{${word}}`;
}

/** The same for every text in a JSON value. */
export function checkJsonTemplate(
  value: JsonValue,
  place: string,
  rules: TemplateRules,
  report: Report,
): void {
  if (typeof value === 'string') return checkTemplate(value, place, rules, report);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries<JsonValue>(value as Readonly<Record<string, JsonValue>>)) {
    checkJsonTemplate(member, `${place}/${escapeStep(name)}`, rules, report);
  }
}
