import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { getMetadataStorage, ValidationTypes } from 'class-validator';
import { holdsCardNumber } from '../card-numbers/holds-card-number.js';
import { holdsSecurityCode } from '../card-numbers/holds-security-code.js';
import { validationFailed, type ProblemFault } from './problems/problem.js';
import { readingOf } from './validation/typed-text.js';
import { isGiven, mayHoldCardNumber } from './validation/validators.js';

export type Dto<T extends object = object> = new () => T;

/** The value, or else all faults. */
export type Checked<T> =
  | { readonly value: T; readonly faults: readonly [] }
  | { readonly value?: undefined; readonly faults: readonly ProblemFault[] };

/** One decorator's own constraint, so that no rule is written twice. */
interface Rule {
  readonly name: string;
  readonly fits: (value: unknown, object: object) => boolean;
  readonly message: string;
}

interface Field {
  readonly name: string;
  readonly optional: boolean;
  /** Whether `null` is the same as leaving it out. */
  readonly nullable: boolean;
  readonly rules: readonly Rule[];
  readonly nested: Dto | undefined;
  readonly mayHoldCardNumber: boolean;
  /** Reads the value as people type it. */
  readonly read: (value: unknown) => unknown;
}

/**
 * Checks plain JSON against a DTO class by class-validator's own decorators, compiled once. It accepts what `validateSync` with
 * `whitelist` and `forbidNonWhitelisted` accepts, but: `null` for an optional field counts as left out, a nested object is
 * required unless optional, and never an array. In a `body`, which may be stored, a text that holds a card number is a fault.
 * Pointers begin with `at`, messages repeat no value.
 */
export function check<T extends object>(type: Dto<T>, plain: unknown, at = '', body = true): Checked<T> {
  const faults: ProblemFault[] = [];
  const value = build(type, plain, at, body, faults);
  return value !== undefined && faults.length === 0 ? { value: value as T, faults: [] } : { faults };
}

/** The same, or throws `validation-failed`. */
export function validated<T extends object>(type: Dto<T>, plain: unknown, at = '', body = true): T {
  const { value, faults } = check(type, plain, at, body);
  if (value === undefined) throw validationFailed(faults);
  return value;
}

const NO_DTO: ReadonlySet<unknown> = new Set([undefined, String, Number, Boolean, Array, Object, Buffer]);

/** Checks every body and query that is declared as a DTO class. Nothing is converted; no body is an empty object. */
export class DtoValidationPipe implements PipeTransform {
  transform(value: unknown, { metatype, type }: ArgumentMetadata): unknown {
    if (type === 'custom' || NO_DTO.has(metatype)) return value;
    return validated(metatype as Dto, value ?? {}, '', type === 'body');
  }
}

/** A pointer repeats an unknown name only if it has this form. Anything else could be data. */
const HARMLESS_NAME = /^[A-Za-z_][A-Za-z_-]{0,39}$/;

function build(type: Dto, plain: unknown, at: string, body: boolean, faults: ProblemFault[]): object {
  const instance = new type() as Record<string, unknown>;
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain)) {
    faults.push({ pointer: at, message: 'must be an object' });
    return instance;
  }
  const fields = fieldsOf(type);
  for (const name in plain)
    if (!fields.has(name))
      faults.push({
        pointer: HARMLESS_NAME.test(name) ? `${at}/${name}` : at,
        message: 'is not a known field',
      });
  for (const field of fields.values()) {
    const { name } = field;
    const given = (plain as Readonly<Record<string, unknown>>)[name];
    const value = given === undefined ? undefined : field.read(given);
    if (value === undefined ? field.optional : value === null && field.nullable) continue;
    if (field.nested && value !== undefined && value !== null) {
      instance[name] = build(field.nested, value, `${at}/${name}`, body, faults);
      continue;
    }
    if (value !== undefined) instance[name] = value;
    const message = faultOf(field, value, plain, body);
    if (message !== undefined) faults.push({ pointer: `${at}/${name}`, message });
  }
  return instance;
}

/** If a field breaks several rules, the one about its type is the most helpful. */
const FIRST = ['isObject', 'isArray', 'isString', 'isInt', 'isNumber', 'isBoolean'];

function faultOf(field: Field, value: unknown, object: object, body: boolean): string | undefined {
  const fits = field.rules.every((rule) => rule.fits(value, object));
  const broken = fits ? [] : field.rules.filter((rule) => !rule.fits(value, object));
  const isMissing = value === undefined || value === null;
  if (isMissing && (field.nested || broken.length > 0) && !(field.optional && !field.nullable))
    return 'is required';
  const [first] = broken;
  if (first)
    return (FIRST.map((name) => broken.find((rule) => rule.name === name)).find(Boolean) ?? first).message;
  return body && !field.mayHoldCardNumber ? cardDataIn(value) : undefined;
}

/** What of a card a text or the texts of an object hold. A key may say what its text is. */
function cardDataIn(value: unknown): string | undefined {
  if (typeof value === 'string') {
    if (holdsCardNumber(value)) return 'must hold no card number';
    return holdsSecurityCode(value) ? 'must hold no security code of a card' : undefined;
  }
  const items = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return items
    .map(([key, item]) => cardDataIn(item) ?? cardDataIn(typeof item === 'string' ? `${key}: ${item}` : key))
    .find((held) => held !== undefined);
}

const compiled = new WeakMap<Dto, ReadonlyMap<string, Field>>();

/** The fields of a DTO class. Throws for a decorator that is not supported. */
export function fieldsOf(type: Dto): ReadonlyMap<string, Field> {
  let fields = compiled.get(type);
  if (!fields) {
    const all = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
    const byName = Map.groupBy(all, ({ propertyName }) => propertyName);
    fields = new Map([...byName].map(([name, metadata]) => [name, compile(type, name, metadata)]));
    compiled.set(type, fields);
  }
  return fields;
}

const NO_RULES: readonly string[] = [
  ValidationTypes.CONDITIONAL_VALIDATION,
  ValidationTypes.NESTED_VALIDATION,
  ValidationTypes.WHITELIST,
];

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

function compile(type: Dto, name: string, all: readonly Metadata[]): Field {
  const unsupported = (what: string): never => {
    throw new Error(`${type.name}.${name} uses ${what}, which check does not support`);
  };
  if (name in Object.prototype) unsupported('a name that every object has');
  const conditions = all.filter((metadata) => metadata.type === ValidationTypes.CONDITIONAL_VALIDATION);
  const nullable = conditions.some((condition) => condition.name === 'isOptional');
  const others = conditions.filter((condition) => condition.name !== 'isOptional');
  if (others.some(({ constraints }) => (constraints as unknown[])[0] !== isGiven)) unsupported('ValidateIf');
  const isNested = all.some((metadata) => metadata.type === ValidationTypes.NESTED_VALIDATION);
  const nested = isNested
    ? (Reflect.getMetadata('design:type', type.prototype as object, name) as Dto)
    : undefined;
  if (isNested && (nested === undefined || nested.prototype === Object.prototype))
    unsupported('no class of its own');
  return {
    ...{ name, nullable, nested, optional: conditions.length > 0 },
    mayHoldCardNumber: mayHoldCardNumber(type, name),
    read: readingOf(type, name) ?? ((value) => value),
    rules: all.filter(({ type: kind }) => !NO_RULES.includes(kind)).flatMap(rulesOf),
  };
}

function rulesOf({ constraintCls, constraints, propertyName, each, name }: Metadata): Rule[] {
  return getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls as () => void)
    .map(({ instance }) => {
      const none = {};
      const about = {
        value: undefined as unknown,
        object: none,
        constraints,
        targetName: '',
        property: propertyName,
      };
      const fits = (value: unknown, object: object): boolean => {
        about.value = value;
        about.object = object;
        const fit = instance.validate(value, about) === true;
        // It may be a card number, which is kept nowhere.
        about.value = undefined;
        about.object = none;
        return fit;
      };
      const sentence = instance.defaultMessage?.(about) ?? 'is not valid';
      const told = sentence
        .replace(/^(?:each value in )?\$property /, each ? 'each value ' : '')
        .replaceAll(/\$constraint(\d)/g, (_, at: string) =>
          String((constraints as unknown[])[Number(at) - 1]),
        );
      return {
        name: name ?? '',
        message: told,
        fits: each
          ? (value, object) => (Array.isArray(value) ? value : [value]).every((one) => fits(one, object))
          : fits,
      };
    });
}
