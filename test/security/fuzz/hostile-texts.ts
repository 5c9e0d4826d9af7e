import { randomSource, type Random } from './random-source.js';

/** What readers look at: signs, names, the beginnings and ends of what they know. Texts that repeat these cost most. */
export const PIECES: readonly string[] = [
  ...' \t\n:=,;.&<>{}()[]"\'\\/@%+-_#?~*|!0149aAfJBxZ\u00a0\u0000\ufeffé٤',
  ...[
    'cvv',
    'pin',
    'otp',
    'pan',
    'card number',
    'card_pin',
    'cardNumber',
    'track2',
    'name on card',
    'cookie',
  ],
  ...[
    'authorization:',
    'x-api-key',
    'bearer ',
    'basic ',
    'cst_',
    'crt_',
    'whsec_',
    'mk_test_',
    'eyJ',
    'eyJa.',
  ],
  ...[
    '://',
    '://a:',
    'https://',
    '/return/',
    '/gateway/notifications/',
    '%3D',
    '%20',
    '%2D',
    '%5B',
    '%',
    '%25',
  ],
  ...[
    '\\"',
    '\\\\"',
    '\\t',
    '\\u0022',
    '\\u0000',
    '":"',
    '":',
    '",',
    '{"a":',
    '[',
    '[[',
    '{"',
    '"}',
    'null,',
  ],
  ...[
    '<cvv>',
    '<cvv ',
    '</',
    '<pin x=',
    '-----BEGIN ',
    '-----END ',
    'PRIVATE KEY-----',
    '4111',
    '4111.',
    '1 ',
  ],
  ...[
    '5060990580000217499',
    '12345678-',
    'abcdefab',
    'Ada',
    'Obi',
    'ada@',
    '+234',
    'a.',
    'a-',
    '--',
    '..',
    '~1',
  ],
  ...[
    'transactionRef=',
    'client_ref',
    'en-',
    'x-',
    'Africa/',
    '127.0.0.1:',
    '[::1]:',
    '::',
    '0:',
    ', GMT',
    'Mon, ',
  ],
];

export interface HostileText {
  readonly head: string;
  readonly unit: string;
  readonly tail: string;
}

/** So many of one seed, each the same again. */
export function* hostileTexts(seed: number, count: number): Generator<HostileText> {
  const random = randomSource(seed);
  for (let each = 0; each < count; each++) {
    yield { head: some(random, 3), unit: some(random, 5) || ':', tail: some(random, 3) };
  }
}

/** The text with its unit over and over, as long as said. */
export function ofLength({ head, unit, tail }: HostileText, length: number): string {
  return head + unit.repeat(Math.ceil(length / unit.length)) + tail;
}

function some(random: Random, most: number): string {
  let text = '';
  for (let left = random(most + 1); left > 0; left--) text += PIECES[random(PIECES.length)] ?? '';
  return text;
}
