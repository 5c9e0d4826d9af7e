import 'reflect-metadata';
import { describe, expect, test } from '@jest/globals';
import { plainToInstance, Type } from 'class-transformer';
import {
  Allow,
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  Equals,
  IsArray,
  IsBoolean,
  IsDefined,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  validateSync,
} from 'class-validator';
import fc from 'fast-check';
import { check, DtoValidationPipe, fieldsOf, type Dto } from './check.js';
import { Problem } from './problems/problem.js';
import { IsCurrency, IsDecimalAmount, IsDigits, Omittable } from './validation/validators.js';

/** A rule that looks at another field, as a confirmation would. Null counts as absent to it: an optional null is left out. */
const SameAs = (other: string): PropertyDecorator =>
  ValidateBy({
    name: 'sameAs',
    constraints: [other],
    validator: {
      validate: (value, context) =>
        (value ?? undefined) ===
        ((context?.object as Record<string, unknown> | undefined)?.[String(context?.constraints[0])] ??
          undefined),
    },
  });

const rules: Record<string, () => PropertyDecorator> = {
  IsString: () => IsString(),
  IsOptional: () => IsOptional(),
  IsDefined: () => IsDefined(),
  IsNotEmpty: () => IsNotEmpty(),
  Length: () => Length(2, 4),
  MinLength: () => MinLength(2),
  MaxLength: () => MaxLength(3),
  Matches: () => Matches(/^[a-c]+$/),
  IsIn: () => IsIn(['a', 'b', 1, null]),
  IsInEach: () => IsIn(['a', 'b'], { each: true }),
  IsStringEach: () => IsString({ each: true }),
  Equals: () => Equals('a'),
  IsInt: () => IsInt(),
  IsNumber: () => IsNumber(),
  Min: () => Min(1),
  Max: () => Max(30),
  IsBoolean: () => IsBoolean(),
  IsObject: () => IsObject(),
  IsArray: () => IsArray(),
  ArrayMinSize: () => ArrayMinSize(1),
  ArrayMaxSize: () => ArrayMaxSize(2),
  ArrayUnique: () => ArrayUnique(),
  Allow: () => Allow(),
  SameAs: () => SameAs('a'),
  IsCurrency: () => IsCurrency(),
  MatchesEach: () => Matches(/^[A-Z]{3}$/, { each: true }),
  IsDecimalAmount: () => IsDecimalAmount(),
  IsDigits: () => IsDigits(1, 3),
};

interface FieldPlan {
  name: string;
  rules: string[];
  /** A value that the rules take. */
  good: unknown;
  nested: ClassPlan | undefined;
}

interface ClassPlan {
  fields: FieldPlan[];
}

/** Rules that go together, each with a value that they take; or any three, which mostly take nothing. */
const bundles: [rules: string[], good: unknown][] = [
  [['IsString'], 'abc'],
  [['IsString', 'MaxLength'], 'ab'],
  [['IsString', 'Length', 'Matches'], 'abc'],
  [['IsNotEmpty', 'MinLength'], 'é😀'],
  [['IsIn'], 1],
  [['IsIn'], null],
  [['Equals', 'SameAs'], 'a'],
  [['SameAs'], 'a'],
  [['IsInt', 'Min', 'Max'], 24],
  [['IsNumber', 'Max'], 1.5],
  [['IsBoolean'], false],
  [['IsObject'], { a: 'a' }],
  [
    ['IsArray', 'ArrayMaxSize', 'ArrayUnique'],
    ['a', 1],
  ],
  [
    ['IsArray', 'IsInEach'],
    ['a', 'b'],
  ],
  [['IsStringEach'], 'not a list'],
  [['MatchesEach', 'ArrayMinSize'], ['NGN']],
  [['Allow'], [[]]],
  [['IsDefined'], {}],
  [['IsCurrency'], 'NGN'],
  [['IsDecimalAmount'], '1500.00'],
  [['IsDigits'], '12'],
];

const fieldRules = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom(...bundles), fc.boolean())
      .map(([[names, good], optional]) => ({ rules: optional ? [...names, 'IsOptional'] : names, good })),
  },
  {
    weight: 1,
    arbitrary: fc
      .uniqueArray(fc.constantFrom(...Object.keys(rules)), { minLength: 1, maxLength: 3 })
      .map((names) => ({ rules: names, good: 'a' })),
  },
);

const { classPlan } = fc.letrec<{ classPlan: ClassPlan }>((tie) => ({
  classPlan: fc
    .uniqueArray(
      fc
        .tuple(
          fc.constantFrom('a', 'b', 'c', 'd'),
          fieldRules,
          fc.oneof(
            { maxDepth: 2 },
            { weight: 4, arbitrary: fc.constant(undefined) },
            { weight: 1, arbitrary: tie('classPlan') },
          ),
        )
        .map(([name, chosen, nested]): FieldPlan => ({ name, ...chosen, nested })),
      { selector: (field) => field.name, minLength: 1, maxLength: 4 },
    )
    .map((fields) => ({ fields })),
}));

function makeClass({ fields }: ClassPlan): Dto {
  class Made {}
  for (const field of fields) {
    const optional = field.rules.includes('IsOptional');
    if (field.nested) {
      const nested = makeClass(field.nested);
      for (const decorate of [IsObject(), ValidateNested(), Type(() => nested)])
        decorate(Made.prototype, field.name);
      Reflect.defineMetadata('design:type', nested, Made.prototype, field.name);
      if (optional) IsOptional()(Made.prototype, field.name);
    } else {
      for (const rule of field.rules) rules[rule]?.()(Made.prototype, field.name);
    }
  }
  return Made;
}

const leaf = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'a',
      'ab',
      'abc',
      'b',
      'NGN',
      '12',
      '1500.00',
      '4111111111111111',
      '',
      ' ',
      'é😀',
      '\ufe0f\ufe0fab',
    ),
  },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(0, 1, 24, 30, 31, 1.5, -1, 1e308) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(true, false, null) },
  { weight: 2, arbitrary: fc.array(fc.constantFrom<unknown>('a', 'b', 'NGN', 1, null), { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>({}, { a: 'a' }, [[]], [{}]) },
);

const mostly = fc.oneof(
  { weight: 12, arbitrary: fc.constant(true) },
  { weight: 1, arbitrary: fc.constant(false) },
);

const unknownField = fc.oneof(
  { weight: 9, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom('x', 'a', 'name'), leaf) },
);

/** A value that has the shape of the plan, more or less. */
function valueFor(plan: ClassPlan): fc.Arbitrary<unknown> {
  const members = plan.fields.map((field) => {
    const fitting = field.nested ? valueFor(field.nested) : fc.constant(field.good);
    const value = fc.oneof({ weight: 9, arbitrary: fitting }, { weight: 1, arbitrary: leaf });
    return fc.tuple(mostly, value).map(([present, it]) => (present ? { [field.name]: it } : {}));
  });
  return fc.tuple(unknownField, ...members).map((parts) => Object.assign({}, ...parts) as unknown);
}

/** Whether an object is a list where an object with fields belongs: the one shape that class-validator takes and we do not. */
function hasListForObject(plan: ClassPlan, plain: unknown): boolean {
  const record = plain as Record<string, unknown>;
  return plan.fields.some(
    ({ name, nested }) =>
      nested !== undefined &&
      (Array.isArray(record[name]) ||
        (typeof record[name] === 'object' &&
          record[name] !== null &&
          hasListForObject(nested, record[name]))),
  );
}

/** class-transformer keeps an optional null; we leave it out. */
function withoutOptionalNulls(plan: ClassPlan, instance: object): object {
  const record = instance as Record<string, unknown>;
  for (const { name, nested, rules: names } of plan.fields) {
    const value = record[name];
    if (value === null && names.includes('IsOptional')) delete record[name];
    else if (nested && typeof value === 'object' && value !== null) withoutOptionalNulls(nested, value);
  }
  return instance;
}

test('accepts and refuses exactly what class-validator does, and builds the same instance', () => {
  const seen = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(
      classPlan.chain((plan) =>
        fc.tuple(fc.constant(plan), fc.array(valueFor(plan), { minLength: 5, maxLength: 20 })),
      ),
      ([plan, values]) => {
        const type = makeClass(plan);
        for (const plain of values) {
          if (hasListForObject(plan, plain)) continue;
          const before = JSON.stringify(plain);
          const reference = plainToInstance(type, plain);
          const errors = validateSync(reference, { whitelist: true, forbidNonWhitelisted: true });
          const { value, faults } = check(type, plain, '', false);
          expect(faults.length > 0).toBe(errors.length > 0);
          expect(JSON.stringify(plain)).toBe(before);
          if (value === undefined) {
            seen.refused++;
          } else {
            seen.accepted++;
            expect(value).toStrictEqual(withoutOptionalNulls(plan, reference));
          }
        }
      },
    ),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 250) },
  );
  expect(seen.accepted).toBeGreaterThan(300);
  expect(seen.refused).toBeGreaterThan(300);
});

class Inner {
  @IsDigits(3, 4) code: string;
}

class Outer {
  @IsString() @MaxLength(5) name: string;
  @Omittable() @IsDecimalAmount() amount?: string;
  @IsOptional() @IsIn(['a'], { each: true }) words?: string[];
  @IsOptional() @IsObject() @ValidateNested() inner?: Inner;
  @IsOptional() @IsObject() notes?: Record<string, string>;
}

const faultsOf = (plain: unknown): Record<string, string> =>
  Object.fromEntries(check(Outer, plain).faults.map(({ pointer, message }) => [pointer, message]));

describe('all faults are told at once, by pointer, without a value', () => {
  test('of fields that do not fit, are missing or unknown', () => {
    expect(
      faultsOf({ name: 'abcdef', amount: null, words: ['b'], inner: { code: 1 }, extra: 1, '4111 1111': 1 }),
    ).toEqual({
      '/extra': 'is not a known field',
      '': 'is not a known field',
      '/name': 'must be shorter than or equal to 5 characters',
      '/amount': 'must be a decimal string above zero, such as 1500.00',
      '/words': 'each value must be one of the following values: a',
      '/inner/code': 'must be 3 to 4 digits',
    });
    expect(faultsOf({ inner: {} })).toEqual({ '/name': 'is required', '/inner/code': 'is required' });
    expect(faultsOf({ name: 'a', inner: [] })).toEqual({ '/inner': 'must be an object' });
    expect(faultsOf([])).toEqual({ '': 'must be an object' });
    expect(faultsOf(JSON.parse('{"name":"a","constructor":1,"toString":1}'))).toEqual({
      '/constructor': 'is not a known field',
      '/toString': 'is not a known field',
    });
  });

  test('of a card number in whatever may be stored', () => {
    const number = '4111 1111 1111 1111';
    expect(faultsOf({ name: 'a', notes: { [number]: 'a' } })).toEqual({
      '/notes': 'must hold no card number',
    });
    expect(faultsOf({ name: 'a', notes: { a: `x ${number}` } })).toEqual({
      '/notes': 'must hold no card number',
    });
    expect(check(Outer, { name: 'a', notes: { a: number } }, '', false).faults).toEqual([]);
  });

  test('null for an optional field is the same as leaving it out', () => {
    expect(check(Outer, { name: 'a', words: null, inner: null }).value).toStrictEqual(
      Object.assign(new Outer(), { name: 'a' }),
    );
  });
});

test('the pipe takes no body as an empty one, and refuses with validation-failed', () => {
  const pipe = new DtoValidationPipe();
  expect(() => pipe.transform(undefined, { type: 'body', metatype: Outer })).toThrow(Problem);
  expect(pipe.transform({ name: 'a' }, { type: 'query', metatype: Outer })).toBeInstanceOf(Outer);
  expect(pipe.transform('x', { type: 'param', metatype: String })).toBe('x');
});

test('a decorator that is not supported is found when its class is first read', () => {
  class Odd {
    @ValidateIf(() => true) @IsString() a: string;
  }
  expect(() => fieldsOf(Odd)).toThrow('Odd.a uses ValidateIf');
});
