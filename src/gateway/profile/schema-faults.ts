import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { escapeStep, type ProfileProblem, parsePointer, readPointer } from './pointer.js';
import { perhaps } from './nearest.js';
import { profileSchema } from './format.js';
import type { Schema } from './schema.js';

/** More faults than a person reads at once. */
const MAX_FAULTS = 100;

const OPTIONS = { allErrors: true, strictRequired: false, allowUnionTypes: true, verbose: true };

let compiled: ValidateFunction | undefined;

/** Compiled once: it takes longer than all the rest of a start's look at a profile. */
function validator(): ValidateFunction {
  compiled ??= new Ajv2020(OPTIONS).compile(profileSchema);
  return compiled;
}

/** What of a document has another form than a schema says. */
export function formFaults(form: Schema<unknown>, document: unknown): ProfileProblem[] {
  const validate = new Ajv2020(OPTIONS).compile(form);
  return validate(document) ? [] : (validate.errors ?? []).map(problemOf);
}

/**
 * What of a document has the wrong form. Malformed parts are removed from it, so that the rest can still be checked;
 * `unusable` where that is not enough.
 */
export function takeMalformed(document: unknown): { faults: ProfileProblem[]; unusable: boolean } {
  const validate = validator();
  if (validate(document)) return { faults: [], unusable: false };
  // "None of the forms fits" is enough. Why each of them does not fit would only be noise.
  const errors = (validate.errors ?? []).filter(({ schemaPath }) => !/\/(?:oneOf|anyOf)\//.test(schemaPath));
  const faults = errors.slice(0, MAX_FAULTS).map(problemOf);
  if (errors.length > MAX_FAULTS) return { faults, unusable: true };
  removeAll(
    document,
    faults.map(({ place }) => place),
  );
  return { faults, unusable: !removeWhatFollows(document, validate) };
}

/** A list that has lost its only member may be too short now, and so on. Whether the rest has its form then. */
function removeWhatFollows(document: unknown, validate: ValidateFunction): boolean {
  for (let tries = 0; tries < 3; tries++) {
    if (validate(document)) return true;
    removeAll(
      document,
      (validate.errors ?? []).map(({ instancePath }) => instancePath),
    );
  }
  return validate(document);
}

/** Removes the parts at these places, all at once: what is removed from a list must not move its neighbours before. */
function removeAll(document: unknown, places: readonly string[]): void {
  const lists = new Set<unknown[]>();
  for (const place of places) {
    const pointer = parsePointer(place) ?? [];
    const parent = readPointer(document, pointer.slice(0, -1));
    const last = pointer.at(-1);
    if (typeof parent !== 'object' || parent === null || last === undefined) continue;
    Reflect.deleteProperty(parent, last);
    if (Array.isArray(parent)) lists.add(parent);
  }
  // `filter` passes over what is no longer there.
  for (const list of lists) list.splice(0, list.length, ...list.filter(() => true));
}

/** Explains a schema error in plain words and without values from the file. */
function problemOf(error: ErrorObject): ProfileProblem {
  const place = error.instancePath;
  const params = error.params as Readonly<Record<string, unknown>>;
  const at = (step: unknown): string => `${place}/${escapeStep(String(step))}`;
  switch (error.keyword) {
    case 'additionalProperties': {
      const name = String(params['additionalProperty']);
      const { properties = {} } = (error.parentSchema ?? {}) as { properties?: object };
      return { place: at(name), message: `is an unknown key${perhaps(name, Object.keys(properties))}` };
    }
    case 'required':
      return { place: at(params['missingProperty']), message: 'is missing' };
    case 'enum': {
      const allowed = (params['allowedValues'] as unknown[]).map(String);
      const meant = typeof error.data === 'string' ? perhaps(error.data, allowed) : '';
      return { place, message: `must be one of ${allowed.join(', ')}${meant}` };
    }
    case 'const':
      return { place, message: `must be ${JSON.stringify(params['allowedValue'])}` };
    case 'pattern':
      return { place, message: patternMessage(error) };
    case 'propertyNames':
      return { place: at(params['propertyName']), message: 'is a name that cannot stand here' };
    case 'oneOf':
    case 'anyOf':
      return { place, message: 'must be exactly one of the forms that are possible here' };
    default:
      return { place, message: error.message ?? 'is not valid' };
  }
}

/** A pattern is no help to a person; its schema says what is meant. */
function patternMessage({ parentSchema }: ErrorObject): string {
  const { $comment } = (parentSchema ?? {}) as { $comment?: string };
  return $comment === undefined ? 'has a form that is not possible here' : `must be ${$comment}`;
}
