import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { scrub, scrubDocument, scrubLine, scrubValue } from './scrub.js';
import { isSecretName } from './secret-names.js';

/** Takes the gaps away, as somebody who reads a log would. */
const digitsOf = (text: string) => text.replaceAll(/%20|%2d|[ \u00a0+-]/gi, '');

const pan = fc.stringMatching(/^[1-9][0-9]{11,18}$/);
const gapped = fc
  .tuple(
    pan,
    fc.constantFrom('', ' ', '-', '\u00a0', '  ', '+', '%20', ' - '.slice(0, 2)),
    fc.integer({ min: 1, max: 6 }),
  )
  .map(([digits, gap, size]) => ({
    digits,
    text: digits.match(new RegExp(`.{1,${size}}`, 'g'))?.join(gap) ?? '',
  }));

describe('card numbers', () => {
  test('no run of 12 to 19 digits survives, plain, spaced or dashed, whatever stands around it', () => {
    fc.assert(
      fc.property(fc.string(), gapped, fc.string(), (before, card, after) => {
        expect(digitsOf(scrub(before + card.text + after))).not.toContain(card.digits);
      }),
      { numRuns: 2_000 },
    );
  });

  test('nor does one survive as a value, a name, a number or a deep member of a document', () => {
    fc.assert(
      fc.property(
        pan,
        fc.constantFrom(0, 1, 2, 3, 4),
        fc.integer({ min: 0, max: 100 }),
        (digits, place, depth) => {
          const leaf = [
            digits,
            { [digits]: 1 },
            Number(digits),
            [digits],
            JSON.stringify({ number: digits }),
          ][place];
          let document: unknown = leaf;
          for (let level = 0; level < depth; level++) document = { inner: document };
          const clean = scrubDocument(JSON.stringify(document));
          expect(clean).not.toContain(digits);
          expect(clean).not.toContain(digits.slice(0, 14));
          expect(() => JSON.parse(clean) as unknown).not.toThrow();
        },
      ),
    );
  });

  test('a run that escapes hide is found once the document is parsed', () => {
    const hidden = '{"n":"\\u0035060990580000217499","\\u0063vv":"111"}';
    expect(JSON.parse(scrubDocument(hidden))).toEqual({ n: '[redacted]', cvv: '[redacted]' });
  });

  test.each([
    '.',
    '\t',
    '_',
    '/',
    '%2E',
    '%2f',
    '%5F',
    '%09',
    '\\t',
    ' ',
    '-',
    '\u00a0',
    '%C2%A0',
    '\u2009',
    '\u2011',
  ])('a card number with %j between its groups is found', (gap) => {
    for (const [number, sizes] of [
      ['5060990580000217499', [4, 4, 4, 4, 3]],
      ['4111111111111111', [4, 4, 4, 4]],
      ['4111111111111111', [8, 8]],
      ['5555555555554444', [2, 2, 2, 2, 2, 2, 2, 2]],
      ['2223003122003222', [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]],
      ['378282246310005', [4, 6, 5]],
      ['30569309025904', [4, 6, 4]],
    ] as const) {
      let at = 0;
      const text = sizes.map((size) => number.slice(at, (at += size))).join(gap);
      for (const [before, after] of [
        ['', ''],
        ['card ', ' of Ada'],
        ['at 2026/11/22 ', '.'],
        ['10.0.0.1 ', ' 7.5'],
      ] as const) {
        const clean = scrub(before + text + after);
        expect(clean).toContain('[redacted]');
        expect(clean.replaceAll(/[^0-9]/g, '')).not.toContain(number);
      }
    }
  });

  test.each([
    'amount 1500.00 NGN for ORDER-1001_1',
    '2026-11-21T11:22:33.123Z',
    '2026-11-22T05:50:12.123',
    '2026-11-22 05:50:12.123456+01:00',
    '2026/11/22 05.50.12.123',
    '22.11.2026/05.50',
    '22_11_2026_05_50_12',
    'at 1732254612.123 for 0.123456 s',
    '192.168.100.200/24 and 255.255.255.255/32',
    '223.255.255.255.5060',
    'node 26.10.0 on linux 6.12.63 with 5.15.0_1053.58',
    'https://pay.example/v1/2026/11/22/1500.00/4000',
    '1500.00 450.00 5200.50 600.00 4.25',
    '4.5 6.7 5.1 4.9 5.5 6.1 4.4 5.0',
    '500.000.000.000,00',
    'backup_20261122_055012_123.tar',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    'pay_01JD9X5Y2Z3A4B5C6D7E8F9G0H',
    'MISSING_crt_file and ssl_crt_path',
    'mobile 0801 234 5678',
    '10.100.200.250 after 30000 ms',
    '4bf92f3577b34da6a3ce929d0e0e4736',
    '12345678-1234-1234-1234-12345678901a',
  ])('%s stays as it is', (text) => {
    expect(scrub(text)).toBe(text);
  });

  test('a name that only looks like an identifier hides nothing', () => {
    expect(scrub('12345678-1234-1234-1234-123456789012')).toBe('[redacted]');
    expect(scrub('x5060990580000217499a')).toBe('x[redacted]a');
  });
});

const token = fc.stringMatching(/^[A-Za-z0-9_-]{8,40}$/);
const plainText = fc.stringMatching(/^[ a-z.]{0,20}$/);

describe('credentials', () => {
  test.each<[string, (value: string) => string]>([
    ['a client token', (value) => `cst_${value}.${value}`],
    ['a return token', (value) => `#crt_${value}.${value}`],
    ['a client token in a fragment', (value) => `https://pay.example/checkout#cst_${value}.${value}`],
    ['a webhook secret', (value) => `whsec_${value}+/==`],
    ['a generated merchant key', (value) => `mk_test_${value}`],
    ['a bearer header', (value) => `Bearer ${value}`],
    ['a bearer header in another case', (value) => `authorization: bearer ${value}`],
    ['a header of another scheme', (value) => `Authorization: Custom id=x, key ${value}`],
    ['a cookie', (value) => `Cookie: a=b; session=${value}`],
    ['an api key header', (value) => `x-api-key: ${value}`],
    ['an access token', (value) => `{"access-token":"${value}"}`],
    ['headers in a flat list', (value) => `["Host","x","x-api-key","${value}"]`],
    ['JSON within JSON', (value) => JSON.stringify({ body: JSON.stringify({ cvv: value }) })],
    ['JSON twice within JSON', (value) => JSON.stringify(JSON.stringify(JSON.stringify({ otp: value })))],
    ['what util.inspect writes', (value) => `{ cvv: '${value}', x: 1 }`],
    ['a form', (value) => `a=1&card_pin=${value}&b=2`],
    ['a form within a URL', (value) => `next=%3Fotp%3D${value}`],
    ['XML', (value) => `<card><n:cvv type="x">${value}</n:cvv></card>`],
    ['a list', (value) => `{"otp":["${value}"]}`],
    ['a database address', (value) => `postgres://tillfront:${value}@db:5432/tillfront`],
    ['an encrypted card', (value) => `eyJ${value}.${value}.${value}.${value}.${value}`],
    ['a private key', (value) => `-----BEGIN PRIVATE KEY-----\n${value}\n-----END PRIVATE KEY-----`],
    ['a cut private key', (value) => `-----BEGIN RSA PRIVATE KEY-----\n${value}`],
    ['a notification address', (value) => `POST /v1/gateway/notifications/${value} 200`],
    ['a return address', (value) => `https://x.example/v1/payments/pay_1/return/${value}?a=b`],
  ])('%s does not survive', (_name, write) => {
    fc.assert(
      fc.property(plainText, token, plainText, (before, value, after) => {
        fc.pre(!`${before}${after}`.includes(value) && value !== 'redacted');
        expect(scrub(`${before} ${write(value)} ${after}`)).not.toContain(value);
      }),
    );
  });

  test.each([
    'cvv',
    'CVV2',
    'cvc',
    'pin',
    'otp',
    'card_pin',
    'cardPin',
    'cardNumber',
    'card-number',
    'nameOnCard',
    'pan',
    'pinBlock',
    'pin_block',
    'PINBLOCK',
    'encryptedPin',
    'encryptedpin',
    'encrypted_card',
    'encryptedCard',
    'cvn',
    'card_cvn',
    'cvc2',
    'CVN2',
    'cardSecurityCode',
    'card_verification_value',
    'cvvValue',
    'track2',
    'track1Data',
    'track_2_equivalent_data',
    'magneticStripe',
    'primaryAccountNumber',
    'oneTimePin',
    'otpCode',
    'card.pin',
    'card[cvv]',
  ])('the value of a member %s goes, as a text, in a document and as an object', (name) => {
    const document = { card: { [name]: 'Ada "x" O\\Hara' }, note: 'stays' };
    for (const clean of [scrub(JSON.stringify(document)), scrubDocument(JSON.stringify(document))]) {
      expect(clean).not.toMatch(/Ada|Hara/);
      expect(JSON.parse(clean)).toMatchObject({ note: 'stays' });
    }
    expect(scrubValue({ [name]: { deep: ['Ada'] } })).toEqual({ [name]: '[redacted]' });
    expect(scrubValue({ [name]: 111 })).toEqual({ [name]: '[redacted]' });
  });

  test('a member without a value stays null, which says that there was none', () => {
    expect(scrubValue({ pin: null })).toEqual({ pin: null });
  });

  test.each([
    'shipping',
    'company',
    'span',
    'keyboard',
    'otpAttempts',
    'pointer',
    'spin',
    'Japan',
    'code',
    'key',
    'tokenId',
    'pinCount',
    'trackingId',
    'track',
    'cardBrand',
    'expand',
    'PANEL',
    'lastFour',
  ])('a member %s is no secret', (name) => {
    expect(isSecretName(name)).toBe(false);
  });

  test('a problem that points at a card member stays readable', () => {
    const line = '{"errors":[{"pointer":"/card/cvv","message":"must be 3 digits"}]}';
    expect(scrubDocument(line)).toBe(line);
    expect(scrub(line)).toBe(line);
  });
});

describe('the scrubber itself', () => {
  test('the cheap test never lets something by that the rules take out', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'cvv',
        'otp',
        'pin',
        ':',
        '=',
        '"',
        '\\"',
        '111',
        ' ',
        'Bearer ',
        'cst_',
        '@',
        '://a:b@',
        ',',
        '>',
        '<',
      ),
      pan,
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        // The first line makes the whole suspicious, so every rule runs over the second.
        const forced = scrub(`whsec_x\n${text}`).replace('whsec_[redacted]\n', '');
        expect(scrub(text)).toBe(forced);
      }),
      { numRuns: 5_000 },
    );
  });

  test('a log line stays one line of JSON', () => {
    const line = '{"level":"info","n":5060990580000217499,"msg":"cvv=111 \\u0000"}\n';
    const clean = scrubLine(line);
    expect(clean.indexOf('\n')).toBe(clean.length - 1);
    expect(JSON.parse(clean)).toEqual({ level: 'info', n: '[redacted]', msg: 'cvv=[redacted] \u0000' });
  });

  test.each([
    ['a value that ends as a name', 'otp=cvv: 999'],
    ['a value that is a name', '"cvv":"cvv":"999"'],
    ['a value that never ends', `otp='"cvv":"999"`],
    ['an empty value before it', 'otp=""cvv":"999"'],
    ['a bearer that ends as a name', 'bearer cvv:"999"'],
    ['lists in lists', '{"cvv":[[["999"]]]}'],
    ['a quote within, within JSON', String.raw`{\"cvv\":\"1\\\"999\",\"x\":1}`],
    ['a form of lists', 'card[cvv]=999&card%5Bpin%5D=999'],
    ['a URL within', '%3Fcvv%3D%20otp%3D999'],
    ['what looks like a key’s first line', `-----BEGIN '"cvv":"999" PRIVATE KEY-----`],
    ['an element’s attributes', '<pin x="cvv:999" cvv="999">1</pin>'],
    ['an element at the beginning', '<pinBlock>999</pinBlock>'],
  ])('nothing hides behind %s', (_what, text) => {
    expect(scrub(text)).not.toContain('999');
  });

  test('a card number that a secret value begins with goes whole', () => {
    expect(scrub('cvv=50609905 80000217 499')).toBe('cvv=[redacted]');
  });

  test('what follows a value within JSON stays', () => {
    const line = JSON.stringify({ body: JSON.stringify({ cvv: 'a"b', note: 'stays' }), other: 'too' });
    expect(scrub(line)).toMatch(/stays.*too/);
    expect(scrub(line)).not.toContain('b\\');
  });

  test('a deep document is cut, not a crash', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(scrubDocument(deep).length).toBeLessThan(200);
  });

  test('a member called __proto__ pollutes nothing', () => {
    scrubDocument('{"__proto__":{"polluted":true}}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('a hostile text', () => {
  const HEADS = ['cvv "', 'otp:', 'bearer', 'authorization', '"', '<pin '];

  test.each([
    ' ',
    '\t',
    '1',
    '1 ',
    '1|',
    '123456789012|',
    '1.',
    '4.',
    '6/',
    '4\t',
    '4\\t',
    '4111.1111.1111.1111_',
    'eyJ',
    'eyJ-',
    'eyJa.',
    '0---',
    '-0--',
    ':',
    '=',
    '@',
    'a:@',
    '://a:',
    'cvv:',
    'cvv:\\',
    'cvv="',
    'cvv="\\',
    'cvv "(',
    'pin:[',
    'pin [',
    '"cvv":',
    '",',
    'cookie",',
    '\\',
    '\\"',
    '\\":',
    '%3D',
    '%20',
    'bearer ',
    '<cvv ',
    '<pin>',
    'card holder name ',
    'authorization:',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    'aaaaaaaa-',
    'cst_a ',
    '/return/ ',
  ])('of %j over and over costs at most 50 ms for 256 KiB', (piece) => {
    // The number at the end has all the digits looked at.
    const of = (head: string, length: number): string =>
      `${head + piece.repeat(Math.ceil(length / piece.length))} 5060990580000217499`;
    // A cost that grows faster than the text is far above the bound of a shorter one too.
    for (const [head, length, most] of [
      ['', 262_144, 50],
      ...HEADS.map((one) => [one, 65_536, 12.5] as const),
    ] as const) {
      const [text, eighth] = [of(head, length), of(head, length / 8)];
      // On a slow or busy machine it takes longer, but hardly more for each character than a short text does.
      expect(growsFaster(text, eighth, most)).toBe(false);
    }
  });
});

/**
 * Whether a text costs at least `most` milliseconds, and more than 16 times what an eighth of it does: eight times is linear, 64 times the
 * square. Eight readings of the eighth are set against one of the whole, by turns, and the least of each counts: what else the machine does
 * only ever adds to it.
 */
function growsFaster(text: string, eighth: string, most: number): boolean {
  let [whole, eighths] = [Infinity, Infinity];
  for (let round = 0; round < 20; round++) {
    whole = Math.min(whole, costMs(text, 1));
    if (whole < most) return false;
    eighths = Math.min(eighths, costMs(eighth, 8));
    if (round >= 4 && whole < 2 * eighths) return false;
  }
  return true;
}

/** What so many scrubbings of a text cost: the time that they take, or the CPU that they need, if its clock is fine enough to show it. */
function costMs(text: string, times: number): number {
  const began = performance.now();
  const before = process.threadCpuUsage();
  for (let each = 0; each < times; each++) scrubDocument(text);
  const { user, system } = process.threadCpuUsage(before);
  const wall = performance.now() - began;
  return Math.min(wall, (user + system) / 1_000 || wall);
}
