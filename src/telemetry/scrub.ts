import { SECRET_NAME, isSecretName } from './secret-names.js';

/** What stands where something was taken out. */
const REDACTED = '[redacted]';

/** Deeper content is cut: nothing that is logged is so deep, and recursion must not end in a RangeError. */
const MAX_DEPTH = 64;

/** What may stand between the digits of a card number: up to two blanks or dashes, or their forms in a URL. */
const GAP = '(?:[ \\u00a0+-]|%20|%2[Dd]){0,2}';

const MIN_DIGITS = 12;

const CARD_DIGITS = `[0-9](?:${GAP}[0-9]){${MIN_DIGITS - 1},}`;

/**
 * A UUID or a trace id: by chance one has many digits in a row, and it must stay findable. The look for a letter ends with the
 * identifier: one that went on would take the square of a hostile text's length.
 */
const IDENTIFIER =
  '(?<![0-9A-Za-z])(?=[0-9-]{0,35}[a-f])(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32})(?![0-9A-Za-z])';

const identifierOrDigits = new RegExp(`(?<identifier>${IDENTIFIER})|${CARD_DIGITS}`, 'g');

/** What may follow a member's name: a quote, maybe an escaped one, then a colon or an equals sign (`%3D` in a URL). */
const AFTER_NAME = `(?:\\\\*["'])?(?:\\s*[:=]|%3[Dd])`;

/** A quoted value up to its own closing quote, or a bare one. The first group is the quote. */
const VALUE = (group: number): string =>
  `(?:(\\\\*["'])(?:(?!\\${group})(?:\\\\[^]|[^\\\\]))*|[^\\s"',;&<>{}()\\[\\]\\\\]+)`;

/** A member and its value in JSON (also in JSON within a JSON string), in a form or as `util.inspect` writes it. */
const member = new RegExp(`(${SECRET_NAME}${AFTER_NAME}\\s*(?:[\\[{(]\\s*)?)${VALUE(2)}`, 'gi');

/** An entry of a flat list of headers: `"x-api-key", "…"`. */
const listedHeader = new RegExp(
  `(["'](?:x-)?(?:api-key|access-token|notification-secret|(?:proxy-)?authorization|(?:set-)?cookie)\\\\*["'],\\s*)${VALUE(2)}`,
  'gi',
);

const element = new RegExp(`(<(?:[a-z0-9]+:)?${SECRET_NAME}(?:\\s[^<>]*)?>)[^<]*`, 'gi');

/** Credentials that show by their own form, whatever name they come under. */
const credentials: readonly (readonly [RegExp, string])[] = [
  [/(\b(?:authorization|cookie)\s*:\s*)[^\s"'\\][^\r\n"'\\]*/gi, `$1${REDACTED}`],
  [/(\b(?:bearer|basic)(?:\s+|%20|\+))[^\s"'\\,;&<>]+/gi, `$1${REDACTED}`],
  [/cst_[A-Za-z0-9._~%-]+/gi, `cst_${REDACTED}`],
  [/whsec_[A-Za-z0-9+/=_%-]+/gi, `whsec_${REDACTED}`],
  [/(mk_(?:test|live|read)_)[A-Za-z0-9_-]+/gi, `$1${REDACTED}`],
  [/(-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----)[^]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g, `$1${REDACTED}`],
  [/(:\/\/[^\s:@/"'\\]*:)[^\s@/"'\\]+@/g, `$1${REDACTED}@`],
  [/(\/gateway\/notifications\/|\/return\/)[^\s/?#"'\\,;&<>]+/g, `$1${REDACTED}`],
];

/** Whatever a JWT or JWE could be a part of. It always matches whole runs, so that no text is looked at more than once. */
const TOKEN_SIGNS = /[A-Za-z0-9_.-]+/g;
/** What the header of every such token begins with: `{"` in base64url. */
const TOKEN_HEAD = 'eyJ';

/** A run of signs up to the JWT or JWE in it: a head, and at least two dots behind it. */
function withoutToken(run: string): string {
  const head = run.indexOf(TOKEN_HEAD);
  if (head < 0) return run;
  const dot = run.indexOf('.', head + TOKEN_HEAD.length + 1);
  return dot < 0 || !run.includes('.', dot + 1) ? run : run.slice(0, head) + REDACTED;
}

/*
 * Whether any rule could apply. Most texts hold nothing of the kind and leave here, so this must stay cheap and must never miss
 * what a rule would take out. Three expressions are faster than their union.
 */
const maybeDigits = new RegExp(`[0-9](?:${GAP}[0-9]){${MIN_DIGITS - 1}}`);
const maybeMember = new RegExp(`${SECRET_NAME}(?:${AFTER_NAME}|\\\\*["'],|[\\s>])`, 'i');
const maybeCredential =
  /cst_|whsec_|mk_(?:test|live|read)_|eyJ|PRIVATE KEY|bearer|basic|:[^\s@/"'\\]+@|\/notifications\/|\/return\//i;

function isSuspicious(text: string): boolean {
  return maybeDigits.test(text) || maybeMember.test(text) || maybeCredential.test(text);
}

/**
 * Takes out of a text what must never be seen: runs of 12 or more digits (card numbers, plain, spaced or dashed), tokens, keys,
 * and the values of members that are named like a card's secrets. A net below careful code, not a substitute for it.
 */
export function scrub(text: string): string {
  return isSuspicious(text) ? replaceAll(text) : text;
}

function replaceAll(text: string): string {
  let clean = text;
  for (const [pattern, replacement] of credentials) clean = clean.replace(pattern, replacement);
  clean = clean.replace(TOKEN_SIGNS, withoutToken);
  clean = clean
    .replace(element, `$1${REDACTED}`)
    .replace(listedHeader, `$1$2${REDACTED}`)
    .replace(member, `$1$2${REDACTED}`);
  return clean.replace(identifierOrDigits, (match, identifier: string | undefined) => identifier ?? REDACTED);
}

/**
 * Scrubs a document of any kind. JSON is parsed first, so that escapes hide nothing and the result is JSON again;
 * anything else is scrubbed as the text that it is.
 */
export function scrubDocument(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return scrub(text);
  }
  return JSON.stringify(scrubValue(value));
}

/** The same for a parsed value: strings are scrubbed, numbers of 12 or more digits and members with a secret's name go whole. */
export function scrubValue(value: unknown): unknown {
  return walk(value, MAX_DEPTH);
}

/** One line of the log, which is a JSON object: unchanged unless something in it is suspicious, and JSON in any case. */
export function scrubLine(line: string): string {
  if (!isSuspicious(line)) return line;
  return `${scrubDocument(line)}\n`;
}

function walk(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return scrub(value);
  if (typeof value === 'number' || typeof value === 'bigint')
    return maybeDigits.test(String(value)) ? REDACTED : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return REDACTED;
  if (Array.isArray(value)) return walkList(value, depth);
  // fromEntries defines members, so a `__proto__` in the content stays an ordinary member.
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]): [string, unknown] => [
      scrub(name),
      isSecretName(name) && inner !== null ? REDACTED : walk(inner, depth - 1),
    ]),
  );
}

function walkList(list: readonly unknown[], depth: number): unknown[] {
  return list.map((entry, index) => {
    // A flat list of headers holds each name before its value.
    const before: unknown = list[index - 1];
    if (typeof before === 'string' && typeof entry === 'string' && isSecretName(before)) return REDACTED;
    return walk(entry, depth - 1);
  });
}
