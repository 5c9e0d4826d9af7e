import { type ClassConstructor, plainToInstance } from 'class-transformer';
import { getMetadataStorage, ValidationTypes, type ValidationArguments } from 'class-validator';
import { mayHoldCardNumber, isGiven } from './validators.js';

/**
 * Checks plain JSON against a DTO class and builds the instance, or returns null. It accepts exactly what
 * `validateSync(plainToInstance(type, plain), { whitelist: true, forbidNonWhitelisted: true })` accepts, at about a
 * twentieth of the cost. Four differences are deliberate. An optional field that is `null` is left out of the instance, so
 * that no service ever sees null. A nested object is required unless it is optional. A nested object is never an array. No
 * unknown field is overlooked (class-validator misses `hasOwnProperty` and the like).
 */
export type CompiledValidator<T> = (plain: unknown) => T | null;

/** The fields of a DTO class, with the nested class of each field that is an object. */
export type DtoShape = ReadonlyMap<string, Pick<Field, 'name' | 'optional' | 'nested' | 'mayHoldCardNumber'>>;

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** The arguments are those of the whole instance: a check says in them what it is about. */
type Check = (value: unknown, about: ValidationArguments) => boolean;

interface Field {
  readonly name: string;
  /** Whether it may be left out. */
  readonly optional: boolean;
  /** Whether `null` is the same as leaving it out. */
  readonly nullable: boolean;
  readonly checks: readonly Check[];
  /** The class of a nested object. */
  readonly nested: ClassConstructor<object> | undefined;
  /** Whether it is marked with `MayHoldCardNumber`. */
  readonly mayHoldCardNumber: boolean;
}

const OPTIONAL = 'isOptional';

const compiled = new WeakMap<
  ClassConstructor<object>,
  { shape: DtoShape; validate: CompiledValidator<object> }
>();

/**
 * The validator of a DTO class, compiled once from the class's own decorators. Throws for a decorator that is not
 * supported.
 */
export function compiledValidator<T extends object>(type: ClassConstructor<T>): CompiledValidator<T> {
  return entry(type).validate as CompiledValidator<T>;
}

/** The fields of a DTO class. */
export function dtoShape(type: ClassConstructor<object>): DtoShape {
  return entry(type).shape;
}

function entry(type: ClassConstructor<object>): { shape: DtoShape; validate: CompiledValidator<object> } {
  let known = compiled.get(type);
  if (!known) {
    const fields = readFields(type);
    known = {
      shape: new Map(fields.map((field) => [field.name, field])),
      validate: (plain) => build(type, fields, plain),
    };
    compiled.set(type, known);
  }
  return known;
}

function build(type: ClassConstructor<object>, fields: readonly Field[], plain: unknown): object | null {
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain)) return null;
  const source = plain as Record<string, unknown>;
  const instance = new type() as Record<string, unknown>;
  let known = 0;
  for (const { name, optional, nullable, nested } of fields) {
    const value = source[name];
    if (value === undefined) {
      if (nested && !optional) return null;
      if (Object.hasOwn(source, name)) known++;
      continue;
    }
    known++;
    if (value === null && nullable) continue;
    if (nested) {
      const built = compiledValidator(nested)(value);
      if (built === null) return null;
      instance[name] = built;
    } else {
      instance[name] = value;
    }
  }
  if (Object.keys(source).length !== known) return null;
  // One object for all checks: decorators look at it while they check, and keep nothing of it.
  const about = { value: undefined, constraints: [], targetName: type.name, object: instance, property: '' };
  for (const { name, optional, checks } of fields) {
    const value = instance[name];
    if (value === undefined && optional) continue;
    for (const check of checks) if (!check(value, about)) return null;
  }
  return instance;
}

function readFields(type: ClassConstructor<object>): Field[] {
  const storage = getMetadataStorage();
  const byName = new Map<string, Metadata[]>();
  for (const metadata of storage.getTargetValidationMetadatas(type, '', false, false)) {
    byName.set(metadata.propertyName, [...(byName.get(metadata.propertyName) ?? []), metadata]);
  }
  return [...byName].map(([name, all]) => readField(type, name, all));
}

function readField(type: ClassConstructor<object>, name: string, all: readonly Metadata[]): Field {
  const unsupported = (what: string): never => {
    throw new Error(`${type.name}.${name} uses ${what}, which the compiled validators do not know`);
  };
  if (name in Object.prototype) unsupported('a name that every object has');
  const checks: Check[] = [];
  let optional = false;
  let nullable = false;
  let nested = false;
  for (const metadata of all) {
    if ((metadata.groups as string[] | undefined)?.length) unsupported('validation groups');
    if (metadata.validateIf) unsupported('validateIf');
    if (metadata.type === ValidationTypes.CONDITIONAL_VALIDATION) {
      const [condition] = (metadata.constraints ?? []) as unknown[];
      if (metadata.name === OPTIONAL) nullable = true;
      else if (condition !== isGiven) unsupported('ValidateIf');
      optional = true;
    } else if (metadata.type === ValidationTypes.NESTED_VALIDATION) {
      if (metadata.each) unsupported('ValidateNested for each of a list');
      nested = true;
    } else if (metadata.type === ValidationTypes.PROMISE_VALIDATION) {
      unsupported('ValidatePromise');
    } else if (metadata.type !== ValidationTypes.WHITELIST) {
      checks.push(...readChecks(metadata, unsupported));
    }
  }
  return {
    ...{ name, optional, nullable, checks },
    nested: probeType(type, name, nested, unsupported),
    mayHoldCardNumber: mayHoldCardNumber(type, name),
  };
}

/** Calls the decorator's own constraint, so that no rule is written twice and the two cannot differ. */
function readChecks(metadata: Metadata, unsupported: (what: string) => never): Check[] {
  return getMetadataStorage()
    .getTargetValidatorConstraints(metadata.constraintCls)
    .map((constraint): Check => {
      if (constraint.async) unsupported('an asynchronous validator');
      const validator = constraint.instance;
      const { constraints, propertyName } = metadata;
      const check: Check = (value, about) => {
        about.value = value;
        about.constraints = constraints;
        about.property = propertyName;
        return validator.validate(value, about) === true;
      };
      if (!metadata.each) return check;
      return (value, about) =>
        Array.isArray(value) ? value.every((item) => check(item, about)) : check(value, about);
    });
}

/**
 * Checks how class-transformer treats a field. Its nested class must be the one of `@Type`. Any other field must come out
 * unchanged, because otherwise `@Transform` and the like would be ignored silently.
 */
function probeType(
  type: ClassConstructor<object>,
  name: string,
  nested: boolean,
  unsupported: (what: string) => never,
): ClassConstructor<object> | undefined {
  const transform = (value: unknown): unknown =>
    (plainToInstance(type, { [name]: value }) as Record<string, unknown>)[name];
  if (!nested) {
    if (transform('probe') !== 'probe') unsupported('a class-transformer decorator');
    return undefined;
  }
  const probe = transform({});
  if (typeof probe !== 'object' || probe === null || probe.constructor === Object)
    unsupported('ValidateNested without Type');
  return probe.constructor as ClassConstructor<object>;
}
