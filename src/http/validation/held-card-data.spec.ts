import 'reflect-metadata';
import { describe, expect, test } from '@jest/globals';
import { Type } from 'class-transformer';
import { Allow, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { Problem } from '../problems/problem.js';
import { validated, validatedQuery } from './validate.js';
import { IsPhone, IsPlainText, MayHoldCardNumber } from './validators.js';

class PersonDto {
  @IsOptional() @IsPlainText(100) name?: string;
  @IsOptional() @IsPhone() phone?: string;
}

class NoteDto {
  @IsOptional() @IsString() note?: string;
  @IsOptional() @IsString() @MayHoldCardNumber() sealed?: string;
  @IsOptional() @IsString({ each: true }) tags?: string[];
  @IsOptional() @IsObject() metadata?: Record<string, string>;
  @IsOptional() @Allow() anything?: unknown;
  @IsOptional() @ValidateNested() @Type(() => PersonDto) person?: PersonDto;
}

const CARD = '4111 1111-1111 1111';

function faults(body: unknown): unknown {
  try {
    validated(NoteDto, body);
  } catch (error) {
    if (error instanceof Problem && error.code === 'validation-failed') {
      expect(JSON.stringify(error.extra)).not.toMatch(/4111|123/);
      return error.extra.errors;
    }
    throw error;
  }
  return [];
}

describe('a card number is refused wherever it stands', () => {
  test.each([
    ['/note', { note: `paid with ${CARD}` }],
    ['/tags', { tags: ['fine', CARD] }],
    ['/metadata', { metadata: { card: CARD } }],
    ['/metadata', { metadata: { '4111111111111111': 'x' } }],
    ['/anything', { anything: [{ deep: { 1: CARD } }] }],
    ['/person/name', { person: { name: CARD } }],
  ])('%s', (pointer, body) => {
    expect(faults(body)).toEqual([{ pointer, message: 'must hold no card number' }]);
  });

  test('together with what else does not fit', () => {
    expect(faults({ note: CARD, tags: 3, person: { phone: 'x' } })).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ pointer: '/tags' }),
        expect.objectContaining({ pointer: '/person/phone' }),
        { pointer: '/note', message: 'must hold no card number' },
      ]),
    );
  });
});

test('a security code is refused with its name, and the name alone is not', () => {
  const message = 'must hold no security code of a card';
  expect(faults({ note: 'cvv 123' })).toEqual([{ pointer: '/note', message }]);
  expect(faults({ metadata: { cvv: '123' } })).toEqual([{ pointer: '/metadata', message }]);
  expect(faults({ note: 'cvv was wrong', metadata: { shelf: '123' } })).toEqual([]);
});

test('a phone number, what is marked and a query are not searched', () => {
  expect(faults({ person: { phone: '630400000000' }, sealed: CARD })).toEqual([]);
  expect(validatedQuery(NoteDto, { note: CARD })).toMatchObject({ note: CARD });
});
