import { foldCase } from '../../answers/answer-values.js';
import { linearPattern } from '../../answers/linear-pattern.js';
import { MEANING_NAMES, OUTCOME_POINTER_KEYS, type OwnOutcomeProfile } from '../format.js';
import { parsePointer, escapeStep, NOT_A_POINTER, type Report } from '../pointer.js';
import { checkTemplate, type TemplateRules } from './check-template.js';

/** Reports faults in how answers are read. `rules`: what a redirect's templates may hold. */
export function checkOutcome(
  outcome: OwnOutcomeProfile,
  place: string,
  rules: TemplateRules,
  report: Report,
): void {
  for (const key of OUTCOME_POINTER_KEYS) {
    for (const [index, pointer] of (outcome[key] ?? []).entries()) {
      if (!parsePointer(pointer)) report(`${place}/${key}/${index}`, NOT_A_POINTER);
    }
  }
  checkRedirect(outcome, place, { ...rules, pointers: true }, report);
  for (const [index, condition] of (outcome.require ?? []).entries()) {
    const at = `${place}/require/${index}`;
    if (!parsePointer(condition.pointer)) report(`${at}/pointer`, NOT_A_POINTER);
    if ('matches' in condition) {
      const pattern = linearPattern(condition.matches);
      if (typeof pattern === 'string') report(`${at}/matches`, pattern);
    }
  }
  if (outcome.amountOptional === false && outcome.amountUnit === 'ignore') {
    report(`${place}/amountOptional`, 'asks for an amount that amountUnit says to ignore');
  }
  checkWords(MEANING_NAMES, outcome.meanings ?? {}, `${place}/meanings`, report);
}

function checkRedirect(
  outcome: OwnOutcomeProfile,
  place: string,
  rules: TemplateRules,
  report: Report,
): void {
  eachText(outcome.redirectUrl, `${place}/redirectUrl`, (text, at) => {
    checkSource(text, at, rules, report);
    if (
      !text.startsWith('/') &&
      !/^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/]|\{)/.test(text)
    ) {
      report(at, 'is neither a pointer nor the template of an https address');
    }
  });
  eachText(outcome.redirectMethod, `${place}/redirectMethod`, (text, at) => {
    if (text.startsWith('/')) checkSource(text, at, rules, report);
    else if (!/^(?:GET|POST)$/i.test(text)) report(at, 'is neither a pointer nor GET or POST');
  });
  const { redirectFields: fields = [] } = outcome;
  if (Array.isArray(fields)) {
    for (const [index, pointer] of (fields as readonly string[]).entries()) {
      if (!parsePointer(pointer)) report(`${place}/redirectFields/${index}`, NOT_A_POINTER);
    }
    return;
  }
  for (const [name, text] of Object.entries(fields as Readonly<Record<string, string>>)) {
    checkSource(text, `${place}/redirectFields/${escapeStep(name)}`, rules, report);
  }
}

function eachText(
  texts: string | readonly string[] | undefined,
  place: string,
  look: (text: string, at: string) => void,
): void {
  if (texts === undefined) return;
  if (typeof texts === 'string') return look(texts, place);
  for (const [index, text] of texts.entries()) look(text, `${place}/${index}`);
}

/** A pointer, or a template. */
function checkSource(text: string, place: string, rules: TemplateRules, report: Report): void {
  if (!text.startsWith('/') && text !== '') checkTemplate(text, place, rules, report);
  else if (!parsePointer(text)) report(place, NOT_A_POINTER);
}

/** A value with two meanings would be decided by chance. */
export function checkWords<Name extends string>(
  names: readonly Name[],
  words: Partial<Readonly<Record<Name, readonly string[]>>>,
  place: string,
  report: Report,
  fold: (text: string) => string = foldCase,
): void {
  const seen = new Map<string, string>();
  for (const name of names) {
    for (const [index, value] of (words[name] ?? []).entries()) {
      const word = fold(value);
      const earlier = seen.get(word);
      if (earlier !== undefined && earlier !== name) {
        report(`${place}/${name}/${index}`, `is listed under ${earlier} too`);
      }
      seen.set(word, name);
    }
  }
}
