import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { EchoFinder } from './echoed.js';
import { cleanMessage } from './payer-message.js';

test.each([
  ['nothing to remove', 'Card declined by issuer', [], 'Card declined by issuer'],
  ['a card number', 'Card 5060990580000217499 declined', [], 'Card … declined'],
  ['a card number with blanks', 'Card 5060 9905 8000 0217 499 declined', [], 'Card … declined'],
  ['a card number with dashes', '5060-9905-8000-0217-499', [], '…'],
  ['a telephone number', 'Call +2348012345678', [], 'Call +…'],
  ['a short code stays', 'Code 91: try 3 times', [], 'Code 91: try 3 times'],
  ['a name, whatever its case', 'ADA may not pay', ['Ada'], '… may not pay'],
  ['a name inside a word', 'Adamant mobile', ['Ada', 'Obi'], 'Adamant mobile'],
  ['a cvv inside a number', 'Order 1115543, cvv=111', ['111'], 'Order …, cvv=…'],
  ['a long value inside a word', 'xAdaobi-Obixx', ['Adaobi-Obi'], 'x…xx'],
  [
    'an e-mail address whole',
    'ada1234567@example.com is blocked',
    ['ada1234567@example.com'],
    '… is blocked',
  ],
  ['the longer value first', 'ada@example.com', ['Ada', 'ada@example.com'], '…'],
  ['a two-letter name where it stands alone', 'Al Obi: approval denied', ['Al'], '… Obi: approval denied'],
  ['a value of signs', 'a+b (c) [d] $', ['a+b', '(c)', '[d]', '$'], '… … … …'],
  ['a value that is blank', 'Card declined', ['', '  '], 'Card declined'],
  ['control characters and direction marks', 'a\u0000b\u202ec\nd', [], 'a b c d'],
  // These letters change their length with their case.
  ['letters that grow in lower case', 'İİİİİİ ada', ['ada'], 'İİİİİİ …'],
])('%s', (_name, message, sent, clean) => {
  expect(cleanMessage(message, sent)).toBe(clean);
});

test('no message stays none', () => {
  expect(cleanMessage(undefined, ['Ada'])).toBeUndefined();
});

test('is cut to one sentence', () => {
  expect(cleanMessage('x'.repeat(5_000), [])).toHaveLength(300);
});

test('ends, and leaves nothing of what was sent, whatever the texts are', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 30 });
  fc.assert(
    fc.property(
      text,
      text,
      text,
      fc.stringMatching(/^[A-Za-z0-9@.+-]{8,20}$/),
      (before, after, other, value) => {
        const clean = cleanMessage(`${before}${value}${after}`, [value, other]) ?? '';
        expect(clean.toLowerCase()).not.toContain(value.toLowerCase());
        expect(clean).not.toMatch(/\d{7}/);
      },
    ),
  );
});

test.each(['cvv MTEx', 'code %31%31%31', 'A D A %41da%20Obi', 'name ada_obi'])(
  'a message that repeats a secret in another form goes whole: %s',
  (message) => {
    expect(cleanMessage(message, [], new EchoFinder(['111', 'Ada Obi']))).toBeUndefined();
  },
);

test('a secret that stands alone is taken out, and the rest stays', () => {
  expect(cleanMessage('Wrong cvv 111 for ADA OBI', [], new EchoFinder(['111', 'Ada Obi']))).toBe(
    'Wrong cvv … for …',
  );
});
