import { expect, test } from '@jest/globals';
import type { GatewayAnswer } from '../gateway/gateway-result.js';
import { withoutCardNumber } from './echoed-card.js';

const number = '5060990580000217499';
const answer = (over: Partial<GatewayAnswer>): GatewayAnswer => ({
  meaning: 'redirect',
  amountRequired: false,
  transactionRef: 'TRX-1',
  redirectUrl: 'https://acs.example/',
  ...over,
});

test.each([
  ['transactionRef', number],
  ['transactionRef', `T${number}9`],
  ['redirectUrl', `https://acs.example/?pan=${number}`],
  ['redirectUrl', 'https://acs.example/?pan=5060%209905%208000%200217%20499'],
  ['accountName', '5060 9905 8000 0217 499'],
  ['ussdCode', `*123*${number}#`],
] as const)('%s that repeats the card number is dropped', (field, text) => {
  const clean = withoutCardNumber(answer({ [field]: text }), [number, 'Ada Obi']);
  expect(clean[field]).toBeUndefined();
});

test('an address goes with a form field that repeats it', () => {
  const clean = withoutCardNumber(answer({ redirectFields: { pan: number } }), [number]);
  expect(clean.redirectUrl).toBeUndefined();
});

test('what repeats nothing stays, whatever its digits', () => {
  const given = answer({ transactionRef: '5060990580000217490', redirectFields: { creq: 'x' } });
  expect(withoutCardNumber(given, [number, '111', 'Ada Obi'])).toEqual(given);
  expect(withoutCardNumber(given, [])).toBe(given);
});
