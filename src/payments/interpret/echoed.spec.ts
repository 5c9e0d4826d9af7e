import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { GatewayAnswer } from '../../gateway/gateway-result.js';
import { EchoFinder, withoutEchoes } from './echoed.js';

const number = '5060990580000217499';
const secrets = [number, '111', '4821', '703115', 'Ada Obi', 'ada@home.example'];
const answer = (over: Partial<GatewayAnswer>): GatewayAnswer => ({
  meaning: 'redirect',
  amountRequired: false,
  transactionRef: 'TRX-1',
  redirectUrl: 'https://acs.example/',
  ...over,
});
const clean = (over: Partial<GatewayAnswer>) =>
  withoutEchoes(answer(over), new EchoFinder(secrets), 'ORDER-111');

const base64 = (text: string) => Buffer.from(text).toString('base64');

test.each([
  ['transactionRef', number],
  ['transactionRef', `T${number}9`],
  ['transactionRef', 'TRX-111'],
  ['transactionRef', 'pin:4821'],
  ['status', 'ADA OBI'],
  ['redirectUrl', `https://acs.example/?pan=${number}`],
  ['redirectUrl', 'https://acs.example/?pan=5060%209905%208000%200217%20499'],
  ['redirectUrl', 'https://acs.example/?pan=5060.9905.8000.0217.499'],
  ['redirectUrl', 'https://acs.example/?cvv=111'],
  ['redirectUrl', 'https://acs.example/?cvv=%31%31%31&x=1'],
  ['redirectUrl', 'https://acs.example/?next=%2Fa%253Fcvv%253D111'],
  ['redirectUrl', 'https://acs.example/otp/703115'],
  ['redirectUrl', 'https://acs.example/?name=Ada+Obi'],
  ['redirectUrl', 'https://acs.example/ada-obi'],
  ['redirectUrl', 'https://acs.example/?to=ada%40home.example'],
  ['redirectUrl', `https://acs.example/?v=${base64('111')}`],
  ['redirectUrl', `https://acs.example/?v=${encodeURIComponent(base64('Ada Obi'))}`],
  ['redirectUrl', `https://acs.example/?creq=${base64(JSON.stringify({ cvv: '111', id: 'x' }))}`],
  ['redirectUrl', `https://acs.example/?v=${Buffer.from('703115').toString('hex')}`],
  ['accountName', '5060 9905 8000 0217 499'],
  ['accountNumber', '4821'],
  ['bankName', 'Bank of Ada Obi'],
  ['ussdCode', `*123*${number}#`],
  ['ussdCode', '*123*4821#'],
] as const)('%s that repeats a secret is dropped: %s', (field, text) => {
  expect(clean({ [field]: text })[field]).toBeUndefined();
});

test.each([[{ pan: number }], [{ x: 'cvv=111' }], [{ '4821': 'x' }], [{ PaReq: base64('<a>703115</a>') }]])(
  'an address goes with a form field that repeats one',
  (redirectFields) => {
    const { redirectUrl, redirectFields: fields } = clean({ redirectFields });
    expect([redirectUrl, fields]).toEqual([undefined, undefined]);
  },
);

test.each([
  ['transactionRef', '5060990580000217490'],
  ['transactionRef', '1115543'],
  ['transactionRef', 'TRX111A'],
  ['redirectUrl', 'https://mobile.example/1110/x4821y?adaobi=1'],
  ['redirectUrl', 'https://acs.example/?amount=1500.00&ref=ORDER-1001_1'],
  ['bankName', 'Obituary Bank'],
  ['reference', 'ORDER-111_1'],
] as const)('%s that only looks so stays: %s', (field, text) => {
  const given = answer({ [field]: text, redirectFields: { creq: base64('{"id":"1112"}') } });
  expect(withoutEchoes(given, new EchoFinder(secrets), 'ORDER-111')).toEqual(given);
});

test('a reference or currency that repeats one stays another than the payment’s', () => {
  expect(clean({ reference: 'ORDER-9_111', currency: '111' })).toMatchObject({
    reference: '…',
    currency: '…',
  });
});

test('without secrets nothing is looked at', () => {
  const given = answer({});
  expect(withoutEchoes(given, new EchoFinder([' ']), 'ORDER-1')).toBe(given);
});

describe('the finder', () => {
  const wrap = fc.constantFrom<(text: string) => string>(
    (text) => text,
    encodeURIComponent,
    (text) => encodeURIComponent(encodeURIComponent(text)),
    (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    (text) => text.toUpperCase(),
    (text) => base64(`{"value":"${text}"}`),
    (text) => Buffer.from(`{"value":"${text}"}`).toString('base64url'),
  );
  const around = fc.constantFrom('', ' ', '/', '=', '&', '"', '?cvv=', '<', ':', ',', '#', '(', ' \u00e9 ');

  test('finds a secret that stands alone, in whatever form', () => {
    fc.assert(
      fc.property(fc.constantFrom(...secrets), wrap, around, around, (secret, form, before, after) => {
        expect(new EchoFinder(secrets).isIn(before + form(secret) + after)).toBe(true);
      }),
    );
  });

  test('finds no short one within a word or number', () => {
    const sign = fc.stringMatching(/^[A-Za-z0-9]{1,6}$/);
    fc.assert(
      fc.property(fc.constantFrom('111', '4821', '703115', 'Obi'), sign, sign, (secret, before, after) => {
        fc.pre(!(before + after).toLowerCase().includes(secret.toLowerCase()));
        const text = before + secret + after;
        fc.pre(text.toLowerCase().indexOf(secret.toLowerCase()) === before.length);
        expect(new EchoFinder([secret]).isIn(text)).toBe(false);
      }),
    );
  });

  test.each(['%', '%25', 'A', '1', '1 ', 'ada obi', 'Ada', '111', ' ', 'a/', '%31', '=', '506099'])(
    'takes no longer than its text, %j over and over',
    (unit) => {
      const finder = new EchoFinder([...secrets, '1111 1111', 'aaaaaaaa']);
      const before = process.threadCpuUsage();
      finder.isIn(unit.repeat(262_144 / unit.length));
      const { user, system } = process.threadCpuUsage(before);
      expect((user + system) / 1_000).toBeLessThan(1_000);
    },
  );
});
