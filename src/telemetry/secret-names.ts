/**
 * A space in a name stands for a dash, an underscore, a dot, a space or nothing: `card pin` is `card_pin`, `card.pin` and
 * `cardPin`.
 */
const BLANK = ' ';

const after = (words: readonly string[], ends: readonly string[]): string[] =>
  words.flatMap((word) => ends.map((end) => word + end));

/** Suffixes that a name may have: `pinBlock`, `cvv_value`, `trackData`. */
const VALUE_WORDS = ['', ' code', ' value', ' data', ' block', ' number'];

/** Other words end in these (`spin`, `Japan`), so they count only at the beginning of a word. */
const SHORT: readonly string[] = after(
  [
    '',
    'card ',
    'transaction ',
    'payer ',
    'user ',
    'customer ',
    'debit ',
    'atm ',
    'encrypted ',
    'enc ',
    'new ',
  ],
  [...after(['pin', 'pan', 'csc'], VALUE_WORDS), 'pin blk'],
);

/** Names that mean a secret anywhere. */
const LONG: readonly string[] = [
  ...after(['cvv', 'cvv2', 'cvc', 'cvc2', 'cvn', 'cvn2', 'cvd', 'cvd2', 'cav2'], VALUE_WORDS),
  ...after(['otp'], ['', ' code', ' value']),
  ...after(['time ', 'security '], ['code', 'password', 'passcode', 'pin']),
  ...after(['card verification '], ['code', 'value', 'number']),
  ...after(['card '], ['no', 'num', 'number', 'holder', 'holder name']),
  'primary account number',
  'name on card',
  ...after(['encrypted card', 'enc card'], ['', ' data', ' number', ' details']),
  ...after(['track', 'track 1', 'track 2', 'track 3'], [' data']),
  ...['track 1', 'track 2', 'track 3', 'track 2 equivalent data'],
  ...after(['mag stripe', 'magnetic stripe'], ['', ' data']),
  ...['password', 'passwd', 'passcode', 'passphrase'],
  ...after(['secret'], ['', ' key']),
  ...['api key', 'private key', 'encryption key'],
  ...after(['access', 'client', 'refresh', 'return'], [' token']),
  ...['authorization', 'cookie'],
];

/** Character classes: letters without case, digits, and one class for everything that a space stands for. */
const SEPARATOR = 36;
const CLASSES = 37;
const NO_CLASS = 255;
const classes = new Uint8Array(128).fill(NO_CLASS);
for (let letter = 0; letter < 26; letter++) classes[0x41 + letter] = classes[0x61 + letter] = letter;
for (let digit = 0; digit < 10; digit++) classes[0x30 + digit] = 26 + digit;
for (const sign of '-_. ') classes[sign.charCodeAt(0)] = SEPARATOR;

const classOf = (code: number): number => (code < 128 ? (classes[code] as number) : NO_CLASS);

const ENDS_SHORT = 1;
const ENDS_LONG = 2;

/**
 * The names, read backwards, as a state table: the next state by the class of a character. 0 is no state. It has its size from
 * the beginning: one that grows, number by number, is slow to make at each start.
 */
const MOST_STATES = 8192;
const nextStates = new Uint16Array(MOST_STATES * CLASSES);
const ends = new Uint8Array(MOST_STATES);
let states = 1;

function add(name: string, end: number): void {
  let state = 0;
  for (let at = name.length - 1; at >= 0; at--) {
    const slot = state * CLASSES + classOf(name.charCodeAt(at));
    if (nextStates[slot] === 0) nextStates[slot] = states++;
    state = nextStates[slot] as number;
  }
  if (states > MOST_STATES)
    throw new RangeError('There are more names of secrets than the table has room for.');
  ends[state] = (ends[state] as number) | end;
}

/** Every spelling of a name, with each space as a separator and as nothing. */
function waysToWrite(name: string): string[] {
  const blank = name.indexOf(BLANK);
  if (blank < 0) return [name];
  const rest = waysToWrite(name.slice(blank + 1));
  return rest.flatMap((end) => [`${name.slice(0, blank)}-${end}`, name.slice(0, blank) + end]);
}

for (const name of SHORT) for (const written of waysToWrite(name)) add(written, ENDS_SHORT);
for (const name of LONG) for (const written of waysToWrite(name)) add(written, ENDS_LONG);

const TABLE = nextStates.slice(0, states * CLASSES);
const ENDS = ends.slice(0, states);

/**
 * Whether a secret's name may end here, judged by its last two characters. That is enough to exclude most names. A
 * backslash or a bracket, which may stand between a name and its quote, excludes nothing.
 */
export function mayEndSecretName(text: string, end: number): boolean {
  const code = text.charCodeAt(end - 1);
  if (code === 0x5c || code === 0x5d) return true;
  const last = classOf(code);
  const state = last === NO_CLASS ? 0 : (TABLE[last] as number);
  if (state === 0) return false;
  if (end < 2) return true;
  const kind = classOf(text.charCodeAt(end - 2));
  return kind !== NO_CLASS && TABLE[state * CLASSES + kind] !== 0;
}

/**
 * Where the secret's name that ends at `end` (exclusive) begins, whatever stands before it; -1 where there is none. It
 * reads no more characters than the longest name has.
 */
export function secretNameBefore(text: string, end: number): number {
  let state = 0;
  for (let at = end - 1; at >= 0; at--) {
    const kind = classOf(text.charCodeAt(at));
    if (kind === NO_CLASS) return -1;
    state = TABLE[state * CLASSES + kind] as number;
    if (state === 0) return -1;
    const found = ENDS[state] as number;
    if (found !== 0 && ((found & ENDS_LONG) !== 0 || beginsWord(text, at))) return at;
  }
  return -1;
}

/** Whether a member with this name holds a secret: `cvv`, `card_pin`, `payerOtp`, `X-Api-Key`, `card[cvv]`. */
export function isSecretName(name: string): boolean {
  return secretNameBefore(name, name.endsWith(']') ? name.length - 1 : name.length) >= 0;
}

/**
 * Whether a word begins here: at the start of the text, after a character that is neither letter nor digit (also escaped in
 * a URL), or at a capital that follows no capital.
 */
function beginsWord(text: string, at: number): boolean {
  if (at === 0 || text.charCodeAt(at - 3) === 0x25) return true;
  const before = text.charCodeAt(at - 1);
  const kind = classOf(before);
  if (kind === NO_CLASS || kind === SEPARATOR) return true;
  const first = text.charCodeAt(at);
  const capital = first >= 0x41 && first <= 0x5a;
  return capital && !(before >= 0x41 && before <= 0x5a);
}
