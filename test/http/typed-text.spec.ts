import { describe, expect, test } from '@jest/globals';
import { CreateSessionDto } from '../../src/checkout/create-session.dto.js';
import { PayCardDto } from '../../src/methods/cards/pay-card.dto.js';
import { RefundRequestDto } from '../../src/payments/api/requests.dto.js';
import { Problem } from '../../src/http/problems/problem.js';
import { oneLine, typedEmail, typedPhone } from '../../src/http/validation/typed-text.js';
import { validated } from '../../src/http/check.js';

describe('a text on one line', () => {
  test.each([
    ['12 Marina\nFlat 4', '12 Marina Flat 4'],
    ['12 Marina\r\nFlat 4', '12 Marina Flat 4'],
    ['12 Marina \n\n Flat 4', '12 Marina Flat 4'],
    ['12 Marina\u2028Flat\u20294', '12 Marina Flat 4'],
    ['12\tMarina', '12 Marina'],
    ['a\u0000b\u007fc\u0085d\u001b[31m', 'a b c d [31m'],
    ['  Ada  Obi ', 'Ada  Obi'],
    ['\u00a0Ada\u3000', 'Ada'],
    // Marks of direction, width and variation.
    ['\u200eAda\u200f \u202aObi\u202c\u202e\u2066\u2069', 'Ada Obi'],
    ['\ufeffA\u200bd\u00ada\u2060', 'Ada'],
    ['❤\ufe0f', '❤'],
    // Half of a character that a shop has cut off.
    ['Ada \ud83d', 'Ada'],
    // What joins letters and emoji.
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['ക്\u200d', 'ക്'],
    ['👩\u200d💻 👩🏽\u200d💻', '👩\u200d💻 👩🏽\u200d💻'],
    ['A1\u200d\u200c2', 'A12'],
  ])('%j is %j', (typed, read) => {
    expect(oneLine(typed)).toBe(read);
  });

  test.each(['Ọlájídé', '李小龍', 'Ἀριστοτέλης', 'Обі', 'عبد الله', 'O’Neil', '🎁', 'e\u0301', '1 Marina'])(
    '%s stays as it is',
    (text) => {
      expect(oneLine(text)).toBe(text);
      expect(oneLine(oneLine(` ${text}\n`))).toBe(text);
    },
  );
});

describe('a telephone number', () => {
  test.each([
    ['+234 801 234 5678', '+2348012345678'],
    ['+234\u00a0801\u2009234\u202f5678', '+2348012345678'],
    ['0801.234.5678', '08012345678'],
    ['0801-234\u20115678', '08012345678'],
    ['0801–234—5678\u22121', '080123456781'],
    ['+44 (0)20 7946 0958', '+4402079460958'],
    ['[0801] 234/5678', '08012345678'],
    ['00234 801 234 5678', '002348012345678'],
    ['08012345678', '08012345678'],
    ['\u202a+2348012345678\u202c', '+2348012345678'],
    ['\u200e0801\u200b2345678', '08012345678'],
    ['+٢٣٤٨٠١٢٣٤٥٦٧٨', '+2348012345678'],
    ['۰۸۰۱۲۳۴۵۶۷۸', '08012345678'],
    ['०८०१२३४५६७८', '08012345678'],
    ['＋２３４８０１２３４５６７８', '+2348012345678'],
    ['𝟎𝟖𝟎𝟏𝟗', '08019'],
    ['0801\t234\n5678', '08012345678'],
  ])('%j is %s', (typed, read) => {
    expect(typedPhone(typed)).toBe(read);
  });

  test.each(['call me', '0801 234 5678 ext', '12+34567', '++2348012345678'])('%j is none', (typed) => {
    expect(faults({ payer: { phone: typed } })).toEqual([
      '/payer/phone must be a phone number of 6 to 15 digits',
    ]);
  });

  test.each([
    ['12 34 5', 1],
    ['12 34 56', 0],
    ['+123 456 789 012 345', 0],
    ['+1234 5678 9012 3456', 1],
    // A card number, which would be stored.
    ['3782 822463 10005', 1],
  ])('%s has %i faults', (phone, count) => {
    expect(faults({ payer: { phone } })).toHaveLength(count);
  });
});

test.each([
  ['ada@müller.example', 'ada@xn--mller-kva.example'],
  ['ada@ΠΑΡΆΔΕΙΓΜΑ.example', 'ada@xn--hxajbheg2az3al.example'],
  ['ada@例え。example', 'ada@xn--r8jz45g.example'],
  [' Ada.Obi@Example.com\n', 'Ada.Obi@Example.com'],
  ['ada@\u200bexample.com', 'ada@example.com'],
])('the e-mail %j is sent as %s', (typed, sent) => {
  expect(typedEmail(typed)).toBe(sent);
  expect(session({ payer: { email: typed } }).payer?.email).toBe(sent);
});

test.each(['ada', 'ada@mü ller.example', '@müller.example', 'ada@１２７.0.0.1'])(
  '%j is no e-mail',
  (email) => {
    expect(faults({ payer: { email } })).toEqual(['/payer/email must be an e-mail address']);
  },
);

describe('a session', () => {
  test('is taken as people type it', () => {
    const read = session({
      payer: { firstName: '\u200fAda\n', lastName: ' ', phone: '', email: null },
      billing: { street: '12 Marina\r\nFlat 4', city: '', country: ' nga' },
      metadata: { note: 'two\nlines', empty: '' },
      locale: 'en_NG',
    });
    expect(read.payer).toEqual({ firstName: 'Ada' });
    expect(read.billing).toEqual({ street: '12 Marina Flat 4', country: 'NGA' });
    expect(read).toMatchObject({ metadata: { note: 'two lines', empty: '' }, locale: 'en-NG' });
  });

  test('is not refused for a language that nobody knows', () => {
    expect(session({ locale: 'english language' }).locale).toBeUndefined();
  });

  test.each(['ZWG', 'XCG', 'NGN'])('may be in %s', (currency) => {
    expect(session({ currency }).currency).toBe(currency);
  });

  test.each([
    { payer: { firstName: 'Ada 5060 9905 8000 0217 499' } },
    { payer: { lastName: '4111\u200b111111111111' } },
    { billing: { street: '4111-1111-1111-1111' } },
    { billing: { city: '٤١١١١١١١١١١١١١١١' } },
    { metadata: { note: 'card ４１１１１１１１１１１１１１１１' } },
    { metadata: { note: '4111\n1111\n1111\n1111' } },
  ])('is refused with a card number in a text, which is not repeated: %j', (texts) => {
    const found = faults(texts);
    expect(found).toEqual([
      expect.stringMatching(/^\/(?:payer|billing|metadata)\S* must hold no card number$/),
    ]);
    expect(found.join()).not.toMatch(/4111|5060/);
  });
});

test('a reason is taken as people type it, and an empty one is none', () => {
  expect(validated(RefundRequestDto, { reason: 'sold\tout\n' })).toEqual({ reason: 'sold out' });
  expect(validated(RefundRequestDto, { reason: ' \u200b' })).toEqual({});
});

test('a name on a card is taken as people type it, and device data as it comes', () => {
  const device = {
    ...{ javaEnabled: false, language: 'x y', screenHeight: -1, screenWidth: 1920.5, colorDepth: 12 },
    ...{ timeZone: 'Mars/Olympus', userAgent: ' strange\u0007 ' },
  };
  const card = { number: '4111111111111111', nameOnCard: 'ADA\u00a0OBI\u200e\n' };
  const read = validated(PayCardDto, { card, device });
  expect(read.card?.nameOnCard).toBe('ADA\u00a0OBI');
  expect({ ...read.device }).toEqual(device);
  expect(() => validated(PayCardDto, { card, device: { colorDepth: '24' } })).toThrow(Problem);
});

function session(members: object): CreateSessionDto {
  return validated(CreateSessionDto, { reference: 'O-1', amount: '1.00', currency: 'NGN', ...members });
}

/** Each fault with its pointer. */
function faults(members: object): string[] {
  try {
    session(members);
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return (error.extra.errors ?? []).map(({ pointer, message }) => `${pointer} ${message}`);
  }
}
