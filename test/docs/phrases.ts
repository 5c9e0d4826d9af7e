/** A phrase that reads badly, and how to say it instead. */
export interface Phrase {
  pattern: RegExp;
  better: string;
}

/**
 * Phrases that were once in these texts and stopped a reader: old words, unusual word order, and words that mean something
 * else. Add to the list what you mend. A phrase belongs here only if it is wrong wherever it stands.
 */
export const PHRASES: readonly Phrase[] = [
  { pattern: /\banew\b/i, better: 'again' },
  { pattern: /\bbut for\b/i, better: 'except' },
  { pattern: /\bblanks\b/i, better: 'spaces' },
  { pattern: /\b(?:mended|mends)\b/i, better: 'fixed, repairs' },
  { pattern: /\bany more(?=[.,;:)|"]| (?:and|or|when|after|is|are)\b|$)/i, better: 'no longer' },
  { pattern: /\bat last\b/i, better: 'in the end' },
  { pattern: /\band the like\b/i, better: 'and similar' },
  { pattern: /\b(?:that|which) is none\b/i, better: 'an invalid …, a wrong …' },
  { pattern: /\b(?:that|which) there (?:is|are)\b/i, better: 'existing' },
  { pattern: /, be (?:it|the)\b/i, better: 'whether … or …' },
  { pattern: /\ba further [A-Z]/, better: 'an additional …' },
  { pattern: /\bunless given\b/i, better: 'by default' },
  { pattern: /\bcalls? for production/i, better: 'brings production’s rules into force' },
  { pattern: /\bmakes? (?:the price|prices?) the merchant's\b/i, better: 'only the merchant sets the price' },
  { pattern: /\basked, outcome unknown\b/i, better: 'Sent to the gateway, no clear answer yet' },
  { pattern: /\blives? through\b/i, better: 'survives' },
  { pattern: /\b(?:said|told) once\b/i, better: 'logged once' },
  { pattern: /\bwanted end\b/i, better: 'expected outcome' },
  { pattern: /\bas it comes\b/i, better: 'out of the box' },
  { pattern: /\bgoes by the\b/i, better: 'uses the' },
  { pattern: /\bto be had\b|\bcan be had\b/i, better: 'available' },
  { pattern: /\bwell but\b/i, better: 'nothing wrong, but …' },
  {
    pattern:
      /, for (?:it|they|this|that|nobody|every \w+) (?:is|are|was|has|have|does|do|can|cannot|gets|must)\b/i,
    better: '…, because …',
  },
  {
    pattern: /(?:^|[.:|] +)Of (?:your|each|the|a|these|those) [^.,|]{3,60}\bonly\b/,
    better: 'the usual word order: "Only the status of your answer counts"',
  },
  { pattern: /\bhas not[.,;:)]|\bhave not[.,;:)]/i, better: 'does not have' },
  { pattern: /\bwhence\b|\bthither\b|\bthereof\b|\bwherein\b|\bwhereof\b/i, better: 'a word of today' },
  { pattern: /\bin vain\b/i, better: 'without success' },
  { pattern: /\bof whatever (?:currency|kind|length)\b/i, better: 'of any …' },
  { pattern: /\bmakes? the gateway be\b/i, better: 'makes Tillfront ask the gateway' },
  { pattern: /\bbe known of\b/i, better: 'notes on …' },
  { pattern: /\beach (?:\w+ ){1,3}for itself\b/i, better: 'separately for each …' },
  { pattern: /\bstands? for itself\b/i, better: 'is separate' },
  { pattern: /\bthe whole of\b/i, better: 'the whole …, all of …' },
  { pattern: /\bsigns that are no\b/i, better: 'characters other than' },
  { pattern: /\bis no (?:\w+ )?(?:file|field|proxy|duplicate|order|name)\b/i, better: 'is not a …' },
  { pattern: /\bat most so many\b/i, better: 'the most …' },
  { pattern: /\btakes the place of\b/i, better: 'replaces' },
  { pattern: /\bin plain(?:,| and| until)/i, better: 'unencrypted' },
  { pattern: /\bso (?:long|much|many) (?:after|later|ago)\b/i, better: 'this long after, that long ago' },
  { pattern: /\bno matter of\b/i, better: 'does not depend on' },
  { pattern: /\bgoes? on decrypting\b/i, better: 'still decrypts' },
  { pattern: /\bno person need\b/i, better: 'no longer needs attention' },
  { pattern: /\bcalls? for (?:it|them) alone\b/i, better: 'alone brings … into force' },
  { pattern: /\] into force\(/, better: '[the rules](…) into force: the link was torn' },
];

/** Where a text has such a phrase: `docs/kit.md:12: "anew" reads better as "again"`. */
export function badPhrases(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) =>
    PHRASES.flatMap(({ pattern, better }) => {
      const found = pattern.exec(line)?.[0].trim();
      return found === undefined ? [] : [`${path}:${index + 1}: "${found}" reads better as "${better}"`];
    }),
  );
}
