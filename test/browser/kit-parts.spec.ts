import { describe, expect, test } from '@jest/globals';
import cardTypes from 'credit-card-type';
import { codes } from 'currency-codes';
import { compactDecrypt, exportJWK, generateKeyPair } from 'jose';
import { readFile, readdir } from 'node:fs/promises';
import { brandOf, isCardNumber } from '../../browser/checkout/card-brands.js';
import { countries, likelyCountry } from '../../browser/checkout/countries.js';
import { digitsOf, grouped, isPhone } from '../../browser/checkout/digits.js';
import { expiryText, isPast, parseExpiry } from '../../browser/checkout/expiry.js';
import { formatAmount } from '../../browser/checkout/money.js';
import { appearanceIn } from '../../browser/element/appearance.js';
import { ServiceClock } from '../../browser/kit/service-clock.js';
import { frameStartIn } from '../../browser/element/frame-messages.js';
import { encryptCard } from '../../browser/kit/card-encryption.js';
import { deviceLanguage, emvColorDepth } from '../../browser/kit/device-data.js';
import { pause } from '../../browser/kit/keep-trying.js';
import { waitForNews } from '../../browser/kit/wait-for-news.js';
import { followRedirect } from '../../browser/kit/follow-redirect.js';
import { IdempotencyKeys } from '../../browser/kit/idempotency-keys.js';
import type { Payment } from '../../browser/kit/types.js';
import { TEST_CARDS } from '../../sandbox/bank/test-cards.ts';

/** The kit's parts that need no browser. */

describe('an encrypted card', () => {
  const card = {
    number: '5060 9905-8000 0217 499',
    expiryMonth: '12',
    expiryYear: '2030',
    cvv: '111',
    pin: '1111',
    nameOnCard: 'Ọmọ́tọ́lá ÅŞ',
  };

  test('is a JWE that another library opens, bound to its session and time', async () => {
    const { publicKey, privateKey } = await generateKeyPair('RSA-OAEP-256', { extractable: true });
    const { n = '', e = '' } = await exportJWK(publicKey);
    const sealed = await encryptCard(card, {
      key: { kid: 'k1', n, e },
      sessionId: 'cs_1',
      issuedAt: 1_800_000_000,
    });
    const { plaintext, protectedHeader } = await compactDecrypt(sealed, privateKey);
    expect(JSON.parse(new TextDecoder().decode(plaintext))).toEqual({
      ...card,
      number: '5060990580000217499',
    });
    expect(protectedHeader).toEqual({
      alg: 'RSA-OAEP-256',
      enc: 'A256GCM',
      kid: 'k1',
      sid: 'cs_1',
      iat: 1_800_000_000,
    });
  });

  test('leaves out a PIN that there is not, and everything that is no card', async () => {
    const { publicKey, privateKey } = await generateKeyPair('RSA-OAEP-256', { extractable: true });
    const { n = '', e = '' } = await exportJWK(publicKey);
    const { pin, ...rest } = { ...card, note: 'mine' };
    void pin;
    const sealed = await encryptCard(rest, { key: { kid: 'k1', n, e }, sessionId: 'cs_1', issuedAt: 1 });
    const { plaintext } = await compactDecrypt(sealed, privateKey);
    expect(Object.keys(JSON.parse(new TextDecoder().decode(plaintext)) as object)).toEqual([
      'number',
      'expiryMonth',
      'expiryYear',
      'cvv',
      'nameOnCard',
    ]);
  });

  test('is never the same twice', async () => {
    const { publicKey } = await generateKeyPair('RSA-OAEP-256', { extractable: true });
    const { n = '', e = '' } = await exportJWK(publicKey);
    const seal = (): Promise<string> =>
      encryptCard(card, { key: { kid: 'k1', n, e }, sessionId: 'cs_1', issuedAt: 1 });
    const [one, other] = [(await seal()).split('.'), (await seal()).split('.')];
    for (const part of [1, 2, 3, 4]) expect(one[part]).not.toBe(other[part]);
  });
});

describe('idempotency keys', () => {
  function storage(): Storage & { values: Map<string, string> } {
    const values = new Map<string, string>();
    return {
      values,
      getItem: (name: string) => values.get(name) ?? null,
      setItem: (name: string, value: string) => void values.set(name, value),
      removeItem: (name: string) => void values.delete(name),
    } as unknown as Storage & { values: Map<string, string> };
  }

  test('stay until the answer, also across a reload, and are new after it', () => {
    const kept = storage();
    const first = new IdempotencyKeys('cs_1', kept).take('card');
    expect(first.resumed).toBe(false);
    const reloaded = new IdempotencyKeys('cs_1', kept);
    expect(reloaded.take('card')).toEqual({ key: first.key, resumed: true });
    reloaded.settle('card', first.key);
    const next = reloaded.take('card');
    expect(next.resumed).toBe(false);
    expect(next.key).not.toBe(first.key);
  });

  test('are each session’s and each operation’s own', () => {
    const kept = storage();
    const keys = new IdempotencyKeys('cs_1', kept);
    const all = [keys.take('card'), keys.take('wallet'), new IdempotencyKeys('cs_2', kept).take('card')];
    expect(new Set(all.map(({ key }) => key)).size).toBe(3);
    expect(all.every(({ key }) => /^[0-9a-f]{32}$/.test(key))).toBe(true);
  });

  test('an old answer does not settle a newer call', () => {
    const keys = new IdempotencyKeys('cs_1', storage());
    const { key } = keys.take('card');
    keys.settle('card', 'another');
    expect(keys.take('card')).toEqual({ key, resumed: true });
  });

  test('work without any storage, or with one that is full', () => {
    const full = {
      ...storage(),
      setItem: () => {
        throw new Error('full');
      },
    };
    const keys = new IdempotencyKeys('cs_1', full);
    const { key } = keys.take('card');
    expect(keys.take('card').key).toBe(key);
  });
});

describe('device data', () => {
  test.each([
    [1, 1],
    [24, 24],
    [30, 24],
    [32, 32],
    [48, 48],
    [64, 48],
    [0, 24],
  ])('a depth of %d is told as %d', (depth, told) => {
    expect(emvColorDepth(depth)).toBe(told);
  });

  test.each([
    [['en-NG'], 'en-NG'],
    [['zh-Hans-CN', 'en'], 'zh-CN'],
    [['sr-Latn-RS'], 'sr-RS'],
    [['de-CH-1996'], 'de-CH'],
    [['', 'fr'], 'fr'],
    [[], 'en'],
    [['not a language tag'], 'en'],
    [['en_US'], 'en'],
    [['en-US@posix'], 'en'],
  ])('the languages %j are told as %s', (languages, told) => {
    expect(deviceLanguage(languages)).toBe(told);
  });
});

describe('card brands', () => {
  test.each(TEST_CARDS.map(({ number, brand }) => [number, brand]))('%s is %s', (number, brand) => {
    expect(brandOf(number).id).toBe(brand === 'amex' ? 'american-express' : brand);
    expect(isCardNumber(number)).toBe(true);
    const wrong = number.slice(0, -1) + String((Number(number.at(-1)) + 1) % 10);
    expect(isCardNumber(wrong)).toBe(false);
  });

  test('agree with the list that the service checks against', () => {
    for (const brand of ['visa', 'mastercard', 'american-express', 'verve']) {
      const info = cardTypes.getTypeInfo(brand);
      for (const pattern of info.patterns) {
        for (const prefix of Array.isArray(pattern) ? pattern : [pattern]) {
          expect([prefix, brandOf(String(prefix).padEnd(16, '0')).id]).toEqual([prefix, brand]);
        }
      }
      const mine = brandOf(String([info.patterns[0]].flat(2)[0]).padEnd(16, '0'));
      expect([...mine.lengths]).toEqual(expect.arrayContaining(info.lengths));
      expect(mine.securityCodeLength).toBe(info.code.size);
    }
  });

  test.each(['', '5', '50', '506', '6500', '9999'])('%j is not called Verve too early', (digits) => {
    expect(brandOf(digits).id).not.toBe('verve');
  });
});

describe('what is typed', () => {
  test.each([
    ['1', '1'],
    ['5', '05'],
    ['12', '12'],
    ['123', '12 / 3'],
    ['1230', '12 / 30'],
    ['122030', '12 / 2030'],
    ['530', '05 / 30'],
    ['1/28', '01 / 28'],
    ['1 / 28', '01 / 28'],
    ['1/', '01'],
    ['1-2028', '01 / 2028'],
    ['1.28', '01 / 28'],
    ['١/٢٨', '01 / 28'],
    ['12/', '12'],
    ['12 / 28', '12 / 28'],
    ['01 / 28', '01 / 28'],
    // A year may come first, in whole or while it is typed.
    ['2031-12', '12 / 31'],
    ['203112', '12 / 31'],
    ['12/2031', '12 / 2031'],
    ['2', '2'],
    ['2031', '2031'],
    ['228', '02 / 28'],
  ])('%s as an expiry date reads %s', (digits, text) => {
    expect(expiryText(digits)).toBe(text);
  });

  test.each([
    ['1230', { month: '12', year: '2030' }],
    ['2031-12', { month: '12', year: '2031' }],
    ['203112', { month: '12', year: '2031' }],
    ['12/2031', { month: '12', year: '2031' }],
    ['012031', { month: '01', year: '2031' }],
    ['1330', undefined],
    ['0030', undefined],
    ['12', undefined],
    ['121999', undefined],
  ])('%s is the date %j', (digits, date) => {
    expect(parseExpiry(digits)).toEqual(date);
  });

  test('a card is good to the end of its month, everywhere on earth', () => {
    const november = { month: '11', year: '2026' };
    expect(isPast(november, Date.parse('2026-11-30T23:59:59Z'))).toBe(false);
    expect(isPast(november, Date.parse('2026-12-01T11:59:59Z'))).toBe(false);
    expect(isPast(november, Date.parse('2026-12-01T12:00:00Z'))).toBe(true);
    expect(isPast({ month: '12', year: '2026' }, Date.parse('2026-12-31T23:00:00Z'))).toBe(false);
  });

  test('no card is called expired where nobody knows the time', () => {
    expect(isPast({ month: '01', year: '2020' }, undefined)).toBe(false);
  });

  test('digits of other scripts are digits', () => {
    expect(digitsOf('٤١١١ १२३४ 5678')).toBe('411112345678');
    expect(digitsOf('a1-b2')).toBe('12');
  });

  test('numbers are grouped as their brand prints them', () => {
    expect(grouped('4111111111111111', [4, 8, 12])).toBe('4111 1111 1111 1111');
    expect(grouped('370000000000101', [4, 10])).toBe('3700 000000 00101');
  });
});

describe('a telephone number', () => {
  test.each([
    '+234 801 234 5678',
    '08012345678',
    '\u202a0801 234-5678\u202c',
    '(0801) 234.5678',
    '٠٨٠١٢٣٤٥٦٧٨',
    '00234 801 2345678',
  ])('may be %j', (text) => expect(isPhone(text)).toBe(true));

  test.each(['', '12345', '1234567890123456', 'ada@example.com', '0801 CALL ME'])('is not %j', (text) => {
    expect(isPhone(text)).toBe(false);
  });
});

describe('how a shop wants the element to look', () => {
  const look = { accent: '#0b6b55', radius: '4px', fontSize: '18px', dark: true };
  test.each([
    [JSON.stringify(look), look],
    ['accent: #0b6b55; radius: 4px; font-size: 18px; dark: true', look],
    ['accent: rgb(1 2 3);', { accent: 'rgb(1 2 3)' }],
    ['{"accent": 7, "dark": "perhaps", "other": "x"}', {}],
    ['dark: false', { dark: false }],
    ['', {}],
    ['null', {}],
  ])('%s', (text, expected) => {
    expect(appearanceIn(text)).toEqual(expected);
  });
});

describe('the service’s clock', () => {
  const noon = 'Mon, 23 Nov 2026 12:00:00 GMT';
  const at = (counted: number, ...heard: [date: string | null, counted: number][]): number | undefined => {
    const clock = new ServiceClock();
    for (const [date, counter] of heard) clock.hear(date, counter);
    return clock.now(counted);
  };

  test('is not known before an answer has told it', () => {
    expect(at(5)).toBeUndefined();
    expect(at(5, [null, 1], ['yesterday', 2])).toBeUndefined();
  });

  test('goes on by itself, and hears nothing of the device’s own', () => {
    expect(at(61_000, [noon, 1_000])).toBe(Date.parse('2026-11-23T12:01:00.500Z'));
  });

  test('does not waver by the seconds in which answers are counted', () => {
    const second = 'Mon, 23 Nov 2026 12:00:11 GMT';
    expect(at(12_000, [noon, 1_000], [second, 11_000])).toBe(at(12_000, [noon, 1_000]));
  });

  test('is mended by the next answer after a device has slept', () => {
    const later = 'Mon, 23 Nov 2026 15:00:00 GMT';
    expect(at(2_000, [noon, 1_000], [later, 2_000])).toBe(Date.parse('2026-11-23T15:00:00.500Z'));
  });
});

describe('amounts', () => {
  test.each([
    ['1500.00', 'NGN', 'en-US', '₦1,500.00'],
    ['1500.00', 'NGN', 'en-NG', '₦1,500.00'],
    ['12345678901234.99', 'NGN', 'en-US', '₦12,345,678,901,234.99'],
    ['1500', 'JPY', 'en-US', '¥1,500'],
    ['1.234', 'KWD', 'en-US', 'KWD 1.234'],
    ['5.00', 'IQD', 'en-US', 'IQD 5.00'],
    ['5.00', 'USD', 'en-US', '$5.00'],
    ['5.00', 'CAD', 'en-US', 'CA$5.00'],
    ['5.00', 'AUD', 'en-US', 'A$5.00'],
    ['5.00', 'MXN', 'en-US', 'MX$5.00'],
    ['5.00', 'USD', 'en-NG', 'US$5.00'],
    ['5.00', 'GHS', 'en-US', 'GH₵5.00'],
    ['5.00', 'INR', 'fr-FR', '5,00 ₹'],
  ])('%s %s in %s is %s', (amount, currency, locale, text) => {
    expect(formatAmount(amount, currency, locale).replace(/[\u00a0\u202f]/g, ' ')).toBe(text);
  });

  test.each([
    'en',
    'en-CA',
    'en-NG',
    'fr',
    'fr-CA',
    'fr-SN',
    'ar',
    'ar-EG',
    'pt',
    'pt-BR',
    'es',
    'es-MX',
    'sw',
    'ha',
  ])('no two currencies look the same in %s', (locale) => {
    const shown = codes().map((currency) => formatAmount('1.00', currency, locale));
    expect(shown.filter((text, index) => shown.indexOf(text) !== index)).toEqual([]);
  });

  test('an unknown currency is still shown', () => {
    expect(formatAmount('1.00', 'not one', 'en')).toBe('not one 1.00');
  });
});

describe('countries', () => {
  test('are all there, by their three letters', () => {
    const all = countries('en');
    expect(all).toHaveLength(249);
    expect(all.find(({ code }) => code === 'NGA')?.name).toBe('Nigeria');
    expect(countries('fr').find(({ code }) => code === 'DEU')?.name).toBe('Allemagne');
  });

  test.each([
    ['en-US', 'NGN', 'NGA'],
    ['en-GH', 'USD', 'GHA'],
    ['en', 'USD', undefined],
    ['fr-SN', 'XOF', 'SEN'],
  ])('in %s with %s the likeliest is %s', (locale, currency, country) => {
    expect(likelyCountry(locale, currency)).toBe(country);
  });
});

describe('messages', () => {
  const folder = new URL('../../browser/messages/', import.meta.url);
  const read = async (name: string): Promise<Record<string, string>> =>
    JSON.parse(await readFile(new URL(name, folder), 'utf8')) as Record<string, string>;

  test('every language has the same texts with the same gaps as English', async () => {
    const english = await read('en.json');
    const others = (await readdir(folder)).filter((name) => name !== 'en.json');
    expect(others.sort()).toEqual(['ar.json', 'es.json', 'fr.json', 'ha.json', 'pt.json', 'sw.json']);
    const gaps = (text: string | undefined): string[] => (text?.match(/\{\w+\}/g) ?? []).sort();
    for (const name of others) {
      const texts = await read(name);
      expect(Object.keys(texts)).toEqual(Object.keys(english));
      for (const key of Object.keys(english))
        expect([key, gaps(texts[key])]).toEqual([key, gaps(english[key])]);
      // Only names and forms may read as in English.
      const mayBeSame = new Set(['method.ussd', 'card.expiryFormat']);
      const untranslated = Object.keys(english).filter(
        (key) => !texts[key]?.trim() || (texts[key] === english[key] && !mayBeSame.has(key)),
      );
      expect([name, untranslated]).toEqual([name, []]);
    }
  });
});

describe('the way to a bank', () => {
  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'http://bank.example/3ds',
    'http://localhost.example/3ds',
    'ftp://bank.example',
  ])('is never %s', (url) => {
    expect(() => followRedirect({ type: 'redirect', url, method: 'GET' })).toThrow(TypeError);
  });
});

test('a frame takes only a whole start', () => {
  const start = {
    tillfront: 'start',
    clientToken: 'cst_1',
    payment: null,
    appearance: { accent: '#123456', dark: true },
    colorScheme: 'normal',
  };
  expect(frameStartIn(start)).toEqual(start);
  for (const wrong of [
    null,
    'start',
    {},
    [],
    { ...start, tillfront: 'x' },
    { ...start, clientToken: 7 },
    { ...start, appearance: { accent: {} } },
    { ...start, appearance: null },
  ]) {
    expect(frameStartIn(wrong)).toBeUndefined();
  }
});

describe('a pause', () => {
  test('that is stopped, before or while it lasts, does not end as if it were over', async () => {
    await expect(pause(60_000, AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
    const stop = new AbortController();
    const waiting = pause(60_000, stop.signal);
    stop.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
  });
});

describe('waiting for a payment', () => {
  const payment = {
    id: 'pay_1',
    status: 'processing',
    nextAction: null,
    attentionReasons: [],
  } as unknown as Payment;

  test('asks again only after the seconds that the service names', async () => {
    const asked: number[] = [];
    const read = (query: string): Promise<{ body: Payment; retryAfterSeconds: number | undefined }> => {
      asked.push(performance.now());
      const paid = { ...payment, status: 'succeeded' } as Payment;
      if (asked.length === 3) return Promise.resolve({ body: paid, retryAfterSeconds: undefined });
      return Promise.resolve({ body: payment, retryAfterSeconds: query === '' ? undefined : 3 });
    };
    const news = await waitForNews(read, payment, {}, undefined);
    expect(news.status).toBe('succeeded');
    // Timers may fire a millisecond early.
    expect((asked[2] ?? 0) - (asked[1] ?? 0)).toBeGreaterThan(2_900);
  });

  test('also beyond a result, for money that comes late', async () => {
    const failed = { ...payment, status: 'failed' } as Payment;
    const answers = [failed, failed, { ...payment, status: 'succeeded' } as Payment];
    const read = (): Promise<{ body: Payment; retryAfterSeconds: undefined }> =>
      Promise.resolve({ body: answers.shift() ?? failed, retryAfterSeconds: undefined });
    expect((await waitForNews(read, failed, { late: true }, undefined)).status).toBe('succeeded');
    expect(answers).toEqual([]);
    expect(await waitForNews(read, failed, {}, undefined)).toBe(failed);
  });

  test('until another amount than the one owed has come', async () => {
    const waits = { ...payment, status: 'requires_action', nextAction: { type: 'transfer' } };
    const answers = [waits, { ...waits, attentionReasons: ['differs'] }] as unknown as Payment[];
    const read = (): Promise<{ body: Payment; retryAfterSeconds: undefined }> =>
      Promise.resolve({ body: answers.shift() as Payment, retryAfterSeconds: undefined });
    const news = await waitForNews(read, waits as unknown as Payment, {}, undefined);
    expect(news.attentionReasons).toEqual(['differs']);
  });

  test('and no longer than the caller waits', async () => {
    const began = performance.now();
    const read = (): Promise<{ body: Payment; retryAfterSeconds: number }> =>
      Promise.resolve({ body: payment, retryAfterSeconds: 600 });
    expect(await waitForNews(read, payment, { timeoutMs: 500 }, undefined)).toBe(payment);
    expect(performance.now() - began).toBeLessThan(60_000);
  });
});
