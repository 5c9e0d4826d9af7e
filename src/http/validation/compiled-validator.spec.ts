import 'reflect-metadata';
import { describe, expect, test } from '@jest/globals';
import { type ClassConstructor, Expose, Transform, Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  registerDecorator,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { compiledValidator } from './compiled-validator.js';
import { explainFaults } from './validate.js';

class Inner {
  @IsString() name: string;
}

class Outer {
  @IsString() @MaxLength(5) text: string;
  @IsOptional() @IsInt() count?: number;
  @IsOptional() @IsObject() @ValidateNested() @Type(() => Inner) inner?: Inner;
}

class Derived extends Outer {
  @IsBoolean() flag: boolean;
}

describe('compiledValidator', () => {
  test('builds instances of the class and of its nested classes, fields in the order of the class', () => {
    const built = compiledValidator(Outer)({ inner: { name: 'x' }, text: 'a' });
    expect(built).toBeInstanceOf(Outer);
    expect(built?.inner).toBeInstanceOf(Inner);
    expect(JSON.stringify(built)).toBe(
      JSON.stringify(compiledValidator(Outer)({ text: 'a', inner: { name: 'x' } })),
    );
  });

  test('leaves an optional null out', () => {
    expect(Object.keys(compiledValidator(Outer)({ text: 'a', count: null, inner: null }) ?? {})).toEqual([
      'text',
    ]);
  });

  test('knows inherited fields', () => {
    expect(compiledValidator(Derived)({ text: 'a', flag: true })).toBeInstanceOf(Derived);
    expect(compiledValidator(Derived)({ flag: true })).toBeNull();
  });

  test.each([[null], [undefined], ['text'], [1], [true], [[]], [[{ text: 'a' }]]])('refuses %j', (plain) => {
    expect(compiledValidator(Outer)(plain)).toBeNull();
  });

  test.each([
    ['hasOwnProperty'],
    ['isPrototypeOf'],
    ['toString'],
    ['valueOf'],
    ['__defineGetter__'],
    ['constructor'],
    ['__proto__'],
  ])('refuses the unknown field %s, which class-validator overlooks', (name) => {
    const plain = JSON.parse(`{"text":"a","${name}":1}`) as unknown;
    expect(compiledValidator(Outer)(plain)).toBeNull();
    expect(explainFaults(Outer, plain, '')).toHaveLength(1);
  });

  test('refuses a list in the place of an object', () => {
    const plain = { text: 'a', inner: [{ name: 'x' }] };
    expect(compiledValidator(Outer)(plain)).toBeNull();
    expect(explainFaults(Outer, plain, '')).toEqual([{ pointer: '/inner', message: 'must be an object' }]);
  });

  test('requires a nested object unless it is optional, also where no decorator says so', () => {
    class Strict {
      @ValidateNested() @Type(() => Inner) inner: Inner;
    }
    expect(compiledValidator(Strict)({ inner: { name: 'x' } })?.inner).toBeInstanceOf(Inner);
    for (const plain of [
      {},
      { inner: undefined },
      { inner: null },
      { inner: [] },
      { inner: [{ name: 'x' }] },
    ]) {
      expect(compiledValidator(Strict)(plain)).toBeNull();
      expect(explainFaults(Strict, plain, '')).toEqual([expect.objectContaining({ pointer: '/inner' })]);
    }
  });

  test('takes a class without fields for an empty object', () => {
    class Empty {}
    expect(compiledValidator(Empty)({})).toBeInstanceOf(Empty);
    expect(compiledValidator(Empty)({ a: 1 })).toBeNull();
  });
});

describe('what is not supported is refused when the class is first used', () => {
  const decorated = (...decorators: PropertyDecorator[]): ClassConstructor<object> => {
    class Dto {}
    for (const decorate of decorators) decorate(Dto.prototype, 'field');
    return Dto;
  };

  test.each<[string, ClassConstructor<object>]>([
    ['groups', decorated(IsString({ groups: ['a'] }))],
    ['validateIf', decorated(IsString({ validateIf: () => true }))],
    [
      'ValidateIf',
      decorated(
        ValidateIf(() => true),
        IsString(),
      ),
    ],
    [
      'nested lists',
      decorated(
        IsArray(),
        ValidateNested({ each: true }),
        Type(() => Inner),
      ),
    ],
    ['nested without Type', decorated(IsObject(), ValidateNested())],
    [
      'Transform',
      decorated(
        IsString(),
        Transform(() => 'other'),
      ),
    ],
    ['Expose under another name', decorated(IsString(), Expose({ name: 'other' }))],
    [
      'conversion by Type',
      decorated(
        IsInt(),
        Type(() => Number),
      ),
    ],
    [
      'asynchronous rules',
      decorated((target, propertyName) => {
        registerDecorator({
          target: target.constructor,
          propertyName: String(propertyName),
          async: true,
          validator: { validate: () => Promise.resolve(true) },
        });
      }),
    ],
  ])('%s', (_name, type) => {
    expect(() => compiledValidator(type)).toThrow('compiled validators do not know');
  });
});
