import 'reflect-metadata';
import { expect, test } from '@jest/globals';
import { type ClassConstructor, plainToInstance, Type } from 'class-transformer';
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
  ValidateNested,
  validateSync,
} from 'class-validator';
import fc from 'fast-check';
import { compiledValidator } from './compiled-validator.js';
import { IsCardNumber, IsCurrency, IsDecimalAmount, IsDigits, IsPlainText } from './validators.js';
import { explainFaults } from './validate.js';

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
  IsCardNumber: () => IsCardNumber(),
  IsCurrency: () => IsCurrency(),
  MatchesEach: () => Matches(/^[A-Z]{3}$/, { each: true }),
  IsDecimalAmount: () => IsDecimalAmount(),
  IsDigits: () => IsDigits(1, 3),
  IsPlainText: () => IsPlainText(5),
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
  [['IsCardNumber'], '4111111111111111'],
  [['IsCurrency'], 'NGN'],
  [['IsDecimalAmount'], '1500.00'],
  [['IsDigits'], '12'],
  [['IsPlainText'], 'é😀'],
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

function makeClass({ fields }: ClassPlan): ClassConstructor<object> {
  class Dto {}
  for (const field of fields) {
    const optional = field.rules.includes('IsOptional');
    if (field.nested) {
      const nested = makeClass(field.nested);
      for (const decorate of [IsObject(), ValidateNested(), Type(() => nested)])
        decorate(Dto.prototype, field.name);
      if (optional) IsOptional()(Dto.prototype, field.name);
    } else {
      for (const rule of field.rules) rules[rule]?.()(Dto.prototype, field.name);
    }
  }
  return Dto;
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
        const validate = compiledValidator(type);
        for (const plain of values) {
          if (hasListForObject(plan, plain)) continue;
          const before = JSON.stringify(plain);
          const reference = plainToInstance(type, plain);
          const errors = validateSync(reference, { whitelist: true, forbidNonWhitelisted: true });
          const instance = validate(plain);
          expect(instance === null).toBe(errors.length > 0);
          expect(JSON.stringify(plain)).toBe(before);
          if (instance === null) {
            seen.refused++;
            expect(explainFaults(type, plain, '').length).toBeGreaterThan(0);
          } else {
            seen.accepted++;
            expect(explainFaults(type, plain, '')).toEqual([]);
            expect(instance).toStrictEqual(withoutOptionalNulls(plan, reference));
          }
        }
      },
    ),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 250) },
  );
  expect(seen.accepted).toBeGreaterThan(300);
  expect(seen.refused).toBeGreaterThan(300);
});
