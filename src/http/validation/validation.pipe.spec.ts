import 'reflect-metadata';
import { describe, expect, test } from '@jest/globals';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  ValidateNested,
} from 'class-validator';
import { Problem } from '../problems/problem.js';
import { validated, DtoValidationPipe } from './validate.js';
import { IsCardNumber, IsDigits, IsIntegerText } from './validators.js';

class CardDto {
  @IsCardNumber() number: string;
  @IsDigits(3, 4) cvv: string;
}

class PaymentDto {
  @IsObject() @ValidateNested() @Type(() => CardDto) card: CardDto;
  @IsOptional() @IsInt() colorDepth?: number;
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(2)
  @ArrayUnique()
  @IsIn(['card', 'ussd'], { each: true })
  methods?: string[];
}

class ListQuery {
  @IsOptional() @IsIntegerText(1, 100) limit?: string;
  @IsOptional() @IsString() cursor?: string;
}

class EmptyDto {}

const pipe = new DtoValidationPipe();

function faults(
  plain: unknown,
  metatype: new () => object = PaymentDto,
  type: 'body' | 'query' = 'body',
): unknown {
  try {
    pipe.transform(plain, { type, metatype });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    expect(error.code).toBe('validation-failed');
    return error.extra.errors;
  }
  return 'accepted';
}

const good = { card: { number: '4111111111111111', cvv: '111' } };

describe('a body', () => {
  test('that fits becomes an instance', () => {
    const dto = pipe.transform(good, { type: 'body', metatype: PaymentDto });
    expect(dto).toBeInstanceOf(PaymentDto);
    expect((dto as PaymentDto).card).toBeInstanceOf(CardDto);
  });

  test('that lacks everything is told what is required', () => {
    expect(faults({})).toEqual([{ pointer: '/card', message: 'is required' }]);
    expect(faults({ card: {} })).toEqual([
      { pointer: '/card/number', message: 'is required' },
      { pointer: '/card/cvv', message: 'is required' },
    ]);
    expect(faults({ card: null })).toEqual([{ pointer: '/card', message: 'is required' }]);
  });

  test('with several faults is told all of them', () => {
    expect(
      faults({
        card: { number: '4111', cvv: 111 },
        colorDepth: '24',
        methods: ['card', 'card', 'cash'],
        more: 1,
      }),
    ).toEqual([
      { pointer: '/card/number', message: 'must be a card number' },
      { pointer: '/card/cvv', message: 'must be 3 to 4 digits' },
      { pointer: '/colorDepth', message: 'must be an integer number' },
      { pointer: '/methods', message: 'each value must be one of the following values: card, ussd' },
      { pointer: '/more', message: 'is not a known field' },
    ]);
    expect(faults({ ...good, methods: ['card', 'card'] })).toEqual([
      { pointer: '/methods', message: 'must not hold the same value twice' },
    ]);
  });

  test.each([
    [{ card: 'x' }, '/card'],
    [{ card: [good.card] }, '/card'],
    [{ card: [] }, '/card'],
    [{ ...good, methods: 'card' }, '/methods'],
    [{ ...good, methods: { 0: 'card' } }, '/methods'],
  ])('%j is refused at the right place', (plain, pointer) => {
    expect(faults(plain)).toEqual([expect.objectContaining({ pointer })]);
  });

  test('with unknown fields inside is told where', () => {
    expect(faults({ card: { ...good.card, cvc: '1' } })).toEqual([
      { pointer: '/card/cvc', message: 'is not a known field' },
    ]);
  });

  test.each([['4111111111111111'], ['a b'], [''], ['x'.repeat(41)], ['a/b'], ['é'], ['hasOwnProperty1']])(
    'does not see the unknown name %j again',
    (name) => {
      expect(faults({ ...good, [name]: 1 })).toEqual([{ pointer: '', message: 'is not a known field' }]);
    },
  );

  test('is told at most 50 faults', () => {
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [
        `x${String.fromCharCode(97 + (at % 26)).repeat(1 + at / 26)}`,
        1,
      ]),
    );
    expect(faults({ ...good, ...many })).toHaveLength(50);
  });

  test.each([[null], ['text'], [1], [true], [[]], [[good]]])('%j is no object', (plain) => {
    expect(faults(plain)).toEqual([{ pointer: '', message: 'must be a JSON object' }]);
  });

  test('that is absent counts as empty', () => {
    expect(faults(undefined, EmptyDto)).toBe('accepted');
    expect(faults({}, EmptyDto)).toBe('accepted');
    expect(faults({ a: 1 }, EmptyDto)).toEqual([{ pointer: '/a', message: 'is not a known field' }]);
    expect(faults(undefined)).toEqual([{ pointer: '/card', message: 'is required' }]);
  });

  test('repeats nothing of itself in its refusal', () => {
    const text = JSON.stringify(
      faults({
        card: { number: '5060990580000217498', cvv: 'sesame', pin: '9876' },
        colorDepth: 47.11,
        methods: ['goats'],
      }),
    );
    for (const value of ['5060', 'sesame', '9876', '4711', 'goats']) expect(text).not.toContain(value);
  });
});

describe('a query', () => {
  test('of strings fits', () => {
    expect(faults({ limit: '50' }, ListQuery, 'query')).toBe('accepted');
    expect(faults(Object.assign(Object.create(null) as object, { limit: '50' }), ListQuery, 'query')).toBe(
      'accepted',
    );
  });

  test.each([
    [{ limit: '0' }, '/limit', 'must be a whole number from 1 to 100'],
    [{ limit: ['1', '2'] }, '/limit', 'must be a whole number from 1 to 100'],
    [{ cursor: ['a', 'b'] }, '/cursor', 'must be a string'],
    [{ page: '1' }, '/page', 'is not a known field'],
  ])('%j does not', (query, pointer, message) => {
    expect(faults(query, ListQuery, 'query')).toEqual([{ pointer, message }]);
  });
});

test.each([[String], [Number], [Boolean], [Array], [Object], [Buffer], [undefined]])(
  'a parameter declared as %p is passed on as it is',
  (metatype) => {
    const value = { any: 'thing' };
    expect(pipe.transform(value, { type: 'body', metatype })).toBe(value);
  },
);

test('what came encrypted is checked with pointers to where it belongs', () => {
  expect(validated(CardDto, good.card, '/card')).toBeInstanceOf(CardDto);
  expect(() => validated(CardDto, { number: '1', cvv: '111' }, '/card')).toThrow(
    expect.objectContaining({
      extra: { errors: [{ pointer: '/card/number', message: 'must be a card number' }] },
    }),
  );
});
