import { describe, expect, test } from '@jest/globals';
import { validateSync } from 'class-validator';
import {
  IsCardNumber,
  IsCountryAlpha3,
  IsCurrency,
  IsDecimalAmount,
  IsDigits,
  IsEmailAddress,
  IsIntegerText,
  IsLanguageTag,
  IsPhone,
  IsPlainText,
} from './validators.js';

/** What no rule takes: everything that is no string, and strings of the wrong shape. */
const NEVER: unknown[] = [undefined, null, true, {}, [], ['NGN'], '', ' ', '\u0000', 'x'.repeat(5_000)];

const cases: [name: string, decorator: PropertyDecorator, good: unknown[], bad: unknown[]][] = [
  [
    'IsCardNumber',
    IsCardNumber(),
    [
      '5060990580000217499', // Verve, 19 digits
      '507850785078507812',
      '6500020000000000', // Verve, by a range that looks like Discover's
      '650002000000000000',
      '4111111111111111',
      '5399838383838381',
      '2223003122003222',
      '378282246310005',
      '6304000000000000', // Maestro
      '9792030000000000',
      '900000000001',
    ],
    [
      '4111111111111112',
      '411111111111111',
      '37828224631000',
      '5060990580000217490',
      '50609905800002175', // 17 digits
      '4111 1111 1111 1111',
      '4111-1111-1111-1111',
      '41111111111111111111',
      '٤١١١١١١١١١١١١١١١',
      '4111111111111111\n',
      4111111111111111,
    ],
  ],
  [
    'IsEmailAddress',
    IsEmailAddress(),
    [
      'ada@example.com',
      "o'neil+tag@sub.example.co",
      'a@xn--bcher-kva.example',
      `${'a'.repeat(64)}@example.com`,
    ],
    [
      'ada',
      '@example.com',
      'ada@',
      'ada@example',
      'ada@localhost',
      'ada@@example.com',
      'a da@example.com',
      '.ada@example.com',
      'ada..obi@example.com',
      'ada.@example.com',
      'ada@[127.0.0.1]',
      'ada@127.0.0.1',
      'ada@-example.com',
      'ada@example-.com',
      'ada@example..com',
      'adä@example.com',
      'ada@example.com\n',
      'ada@example.com, b@example.com',
      `${'a'.repeat(65)}@example.com`,
      `a@${'b.'.repeat(130)}com`,
    ],
  ],
  [
    'IsPhone',
    IsPhone(),
    ['+2348012345678', '08012345678', '123456', '+123456789012345', '630400000000', '+378282246310005'],
    [
      '12345',
      '1234567890123456',
      '378282246310005',
      '++2348012345678',
      '+234 801 234 5678',
      '0801-234-5678',
      '+٢٣٤٨٠١٢٣٤٥',
      '08012345678\n',
    ],
  ],
  [
    'IsCountryAlpha3',
    IsCountryAlpha3(),
    ['NGA', 'DEU', 'USA'],
    ['NG', 'nga', 'XXX', '566', 'NGAA', 'toString'],
  ],
  ['IsCurrency', IsCurrency(), ['NGN', 'USD', 'JPY'], ['ngn', 'XYZ', '566', '₦', 'toString']],
  [
    'IsLanguageTag',
    IsLanguageTag(),
    ['en', 'en-NG', 'zh-Hant-TW', 'de-DE-1996', 'sl-rozaj-biske', 'en-u-ca-gregory'],
    ['e', 'en_NG', 'en-', 'english language', '*', 'en-NG;q=0.9', `en-${'abcdefgh-'.repeat(4)}x`, 'en\n'],
  ],
  [
    'IsPlainText(10)',
    IsPlainText(10),
    ['Ada Obi', 'Ọlájídé', '李', '1 Marina', 'x'.repeat(10), 'O’Neil', '👩‍💻'],
    ['x'.repeat(11), '   ', '\u00a0', '\u202e', '\ud800'],
  ],
  ['IsDigits(3, 4)', IsDigits(3, 4), ['111', '0000'], ['11', '11111', '11a', '١١١', '1 1', '111\n', 111]],
  ['IsDigits(2, 2)', IsDigits(2, 2), ['01'], ['1', '001']],
  [
    'IsIntegerText(0, 30)',
    IsIntegerText(0, 30),
    ['0', '7', '30'],
    ['31', '-1', '+1', '01', '1.0', '1e1', '0x1', '٣', '3\n', 7, ['7']],
  ],
  [
    'IsDecimalAmount',
    IsDecimalAmount(),
    ['1500.00', '1500', '0.01', '999999999999.99', '1.234'],
    [
      '0',
      '0.00',
      '-1',
      '+1',
      '01',
      '1.',
      '.5',
      '1e3',
      '1,000',
      '1.23456',
      '1000000000000',
      '١',
      '1500.00\n',
      1500,
    ],
  ],
];

describe.each(cases)('%s', (_name, decorator, good, bad) => {
  class Probe {
    value: unknown;
  }
  decorator(Probe.prototype, 'value');

  const faults = (value: unknown): string[] =>
    validateSync(Object.assign(new Probe(), { value })).flatMap((error) =>
      Object.values(error.constraints ?? {}),
    );

  test.each(good.map((value) => [value]))('takes %j', (value) => {
    expect(faults(value)).toEqual([]);
  });

  test.each([...bad, ...NEVER].map((value) => [value]))('refuses %j', (value) => {
    const [message, ...more] = faults(value);
    expect(message).toMatch(/^value must be /);
    expect(more).toEqual([]);
    if (typeof value === 'string' && value.length > 5) expect(message).not.toContain(value);
  });
});
