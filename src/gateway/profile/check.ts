import { foldCase } from '../answers/answer-values.js';
import { CREDENTIAL_IN_PROFILE, isCredentialConstant, isCredentialHeader } from './credential-names.js';
import { checkEncryption } from '../encryption/settings.js';
import { linearPattern } from '../answers/linear-pattern.js';
import {
  carriedIdentifiers,
  omittedFields,
  operationFields,
  PATH_FIELDS,
  targetOf,
} from '../requests/operation-fields.js';
import { parsePointer, PROTOTYPE_KEYS, type Pointer } from './pointer.js';
import {
  MEANING_NAMES,
  OPERATION_KEYS,
  OUTCOME_POINTER_KEYS,
  type OperationKey,
  type OwnOutcomeProfile,
  type Profile,
} from './format.js';

/** What is wrong in a profile, and where. It never repeats a value from the file. */
export interface ProfileProblem {
  /** A JSON pointer into the profile, `/operations/payCard/path`; empty for the file itself. */
  readonly place: string;
  readonly message: string;
}

export type Report = (place: string, message: string) => void;

const NOT_A_POINTER = 'is not a JSON pointer (RFC 6901)';
const NOT_A_FIELD = 'is no field of this operation';

const NAMES_NO_PAYMENT =
  'carries neither client_ref nor transactionRef, in its path or its body: the success of another payment would count as this one’s';

/** Headers that the service or its transport sets itself. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
]);

/** Finds what a JSON schema cannot check: pointers, templates, regular expressions, and names that must match. */
export function findProfileProblems(profile: Profile): ProfileProblem[] {
  const problems: ProfileProblem[] = [];
  const report: Report = (place, message) => void problems.push({ place, message });
  for (const key of Object.keys(profile.operations)) checkOperation(profile, key, report);
  checkOmitted(profile.card.omit, fieldNames('payCard'), '/card/omit', report);
  for (const key of ['list', 'code', 'name'] as const) {
    if (!parsePointer(profile.ussdBanks[key])) report(`/ussdBanks/${key}`, NOT_A_POINTER);
  }
  checkOutcome(profile.outcome, '/outcome', report);
  for (const [index, name] of profile.notification.reference.entries()) {
    if (name.startsWith('/') && !parsePointer(name))
      report(`/notification/reference/${index}`, NOT_A_POINTER);
  }
  for (const [name, value] of Object.entries(profile.encryption.siblings ?? {})) {
    if (isCredentialConstant(name, value)) {
      report(`/encryption/siblings/${escapeStep(name)}`, CREDENTIAL_IN_PROFILE);
    }
  }
  checkEncryption(profile, report);
  return problems;
}

function checkOperation(profile: Profile, key: string, report: Report): void {
  const place = `/operations/${escapeStep(key)}`;
  const operation = profile.operations[key];
  if (operation === undefined) return;
  if (!isOperationKey(key) && key !== profile.encryption.operation) {
    report(place, 'is no operation of this service, nor the one that encryption.operation names');
    return;
  }
  for (const name of ['method', 'path', 'credentials'] as const) {
    if (operation[name] === undefined) report(`${place}/${name}`, 'is missing');
  }
  const fields = fieldNames(key);
  if (operation.path !== undefined) checkPath(operation.path, fields, `${place}/path`, report);
  checkHeaders(operation.headers ?? {}, `${place}/headers`, report);
  checkOmitted(operation.omit ?? [], fields, `${place}/omit`, report);
  for (const [name, target] of Object.entries(operation.rename ?? {})) {
    const at = `${place}/rename/${escapeStep(name)}`;
    if (!fields.has(name)) report(at, NOT_A_FIELD);
    if (!isTarget(target)) report(at, NOT_A_POINTER);
  }
  for (const [name, value] of Object.entries(operation.constants ?? {})) {
    const at = `${place}/constants/${escapeStep(name)}`;
    if (!isTarget(name)) report(at, NOT_A_POINTER);
    if (isCredentialConstant(name, value)) report(at, CREDENTIAL_IN_PROFILE);
  }
  checkTargets(profile, key, fields, place, report);
  checkOutcome(operation.outcome ?? {}, `${place}/outcome`, report);
  if (isStatusQuery(key) && operation.path !== undefined && carriedIdentifiers(profile, key).length === 0) {
    report(place, NAMES_NO_PAYMENT);
  }
}

function isStatusQuery(key: string): key is OperationKey {
  return key === 'transactionStatus' || key === 'transferUssdStatus';
}

function checkPath(path: string, fields: ReadonlySet<string>, place: string, report: Report): void {
  if (!path.startsWith('/')) report(place, 'must begin with a slash');
  const names = [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '');
  if (!/^[\x21-\x7e]*$/.test(path) || /[{}#\\"<>^`|]/.test(path.replace(/\{[^{}]*\}/g, ''))) {
    report(place, 'has a character that a path cannot have; percent-encode it');
  }
  for (const [name, value] of new URLSearchParams(path.split('?')[1] ?? '')) {
    const constant = value.replace(/\{[^{}]*\}/g, '');
    if (isCredentialConstant(name, constant)) report(place, `has a query that ${CREDENTIAL_IN_PROFILE}`);
  }
  for (const name of names) {
    if (!(PATH_FIELDS as readonly string[]).includes(name) || !fields.has(name)) {
      report(place, 'has a placeholder that this operation cannot fill in');
    }
  }
}

function checkHeaders(headers: Readonly<Record<string, string>>, place: string, report: Report): void {
  for (const [name, value] of Object.entries(headers)) {
    const at = `${place}/${escapeStep(name)}`;
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) report(at, 'is no name of a header');
    if (isCredentialHeader(name)) report(at, CREDENTIAL_IN_PROFILE);
    if (RESERVED_HEADERS.has(name.toLowerCase())) report(at, 'is a header that a profile cannot set');
    if (!/^[\x20-\x7e]*$/.test(value)) report(at, 'has a character that a header cannot have');
  }
}

/** Each field needs a place of its own. Two fields must not share one, and none may lie inside another. */
function checkTargets(
  profile: Profile,
  key: string,
  fields: ReadonlySet<string>,
  place: string,
  report: Report,
): void {
  const { rename = {}, constants = {} } = profile.operations[key] ?? {};
  const omitted = omittedFields(profile, key);
  const renamed = [...fields]
    .filter((name) => !omitted.has(name))
    .map((name) => ({ at: `${place}/rename/${escapeStep(name)}`, target: targetOf(rename[name] ?? name) }));
  const added = Object.keys(constants).map((name) => ({
    at: `${place}/constants/${escapeStep(name)}`,
    target: targetOf(name),
  }));
  for (const [index, one] of renamed.entries()) {
    for (const other of renamed.slice(index + 1)) {
      if (overlap(one.target, other.target)) report(other.at, 'goes to the same place as another field');
    }
  }
  for (const [index, one] of added.entries()) {
    const inside = [...renamed, ...added.slice(0, index)].some(
      ({ target }) => target.length !== one.target.length && overlap(target, one.target),
    );
    if (inside) report(one.at, 'stands inside another field, or another field inside it');
  }
}

function overlap(one: Pointer, other: Pointer): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return short.every((step, index) => step === long[index]);
}

function checkOutcome(outcome: OwnOutcomeProfile, place: string, report: Report): void {
  for (const key of OUTCOME_POINTER_KEYS) {
    for (const [index, pointer] of (outcome[key] ?? []).entries()) {
      if (!parsePointer(pointer)) report(`${place}/${key}/${index}`, NOT_A_POINTER);
    }
  }
  for (const [index, condition] of (outcome.require ?? []).entries()) {
    const at = `${place}/require/${index}`;
    if (!parsePointer(condition.pointer)) report(`${at}/pointer`, NOT_A_POINTER);
    if ('matches' in condition) {
      const pattern = linearPattern(condition.matches);
      if (typeof pattern === 'string') report(`${at}/matches`, pattern);
    }
  }
  if (outcome.amountOptional === false && outcome.amountUnit === 'ignore') {
    report(`${place}/amountOptional`, 'asks for an amount that amountUnit says to ignore');
  }
  checkMeanings(outcome.meanings ?? {}, `${place}/meanings`, report);
}

/** A value with two meanings would be decided by chance. */
function checkMeanings(
  meanings: NonNullable<OwnOutcomeProfile['meanings']>,
  place: string,
  report: Report,
): void {
  const seen = new Map<string, string>();
  for (const name of MEANING_NAMES) {
    for (const [index, value] of (meanings[name] ?? []).entries()) {
      const word = foldCase(value);
      const earlier = seen.get(word);
      if (earlier !== undefined && earlier !== name) {
        report(`${place}/${name}/${index}`, `is listed under ${earlier} too`);
      }
      seen.set(word, name);
    }
  }
}

function checkOmitted(
  names: readonly string[],
  fields: ReadonlySet<string>,
  place: string,
  report: Report,
): void {
  for (const [index, name] of names.entries())
    if (!fields.has(name)) report(`${place}/${index}`, NOT_A_FIELD);
}

function fieldNames(key: string): ReadonlySet<string> {
  return new Set(isOperationKey(key) ? Object.keys(operationFields[key]) : []);
}

function isOperationKey(key: string): key is OperationKey {
  return (OPERATION_KEYS as readonly string[]).includes(key);
}

function isTarget(nameOrPointer: string): boolean {
  if (nameOrPointer.startsWith('/')) return (parsePointer(nameOrPointer)?.length ?? 0) > 0;
  return nameOrPointer !== '' && !PROTOTYPE_KEYS.has(nameOrPointer);
}

/** One step of a JSON pointer. */
function escapeStep(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
