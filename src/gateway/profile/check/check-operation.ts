import { sentFields, isConditional } from '../../plan/member-plan.js';
import { carriedIdentifiers } from '../../plan/operation-plan.js';
import { fieldsOf, keptNames, type PlacedOperation } from '../../plan/words.js';
import { operationFields, SECRET_FIELDS } from '../../requests/payment-fields.js';
import { CREDENTIAL_IN_PROFILE, isCredentialConstant } from '../credential-names.js';
import {
  isOperationKey,
  OPERATION_KEYS,
  type OperationProfile,
  type Profile,
  type JsonValue,
} from '../format.js';
import { perhaps } from '../nearest.js';
import { checkHeaders, isLiteralCredential } from './check-credentials.js';
import { checkKeep } from './check-notification.js';
import { checkOutcome } from './check-outcome.js';
import { checkTemplate, type TemplateRules, checkJsonTemplate } from './check-template.js';
import {
  escapeStep,
  type Report,
  NOT_A_POINTER,
  parsePointer,
  PROTOTYPE_KEYS,
  type Pointer,
} from '../pointer.js';
import { findLists, targetOf } from '../../requests/places.js';

/** Reports faults of one operation. */
export function checkOperation(profile: Profile, placed: PlacedOperation, report: Report): void {
  const { place: part, key, operation } = placed;
  const place = `/${part}/${escapeStep(key)}`;
  if (part === 'operations' && !isOperationKey(key) && key !== profile.encryption.operation) {
    report(
      place,
      `is no operation of this service, nor the one that encryption.operation names${perhaps(key, OPERATION_KEYS)}; a call before another stands in "extra"`,
    );
    return;
  }
  if (part === 'extra' && (isOperationKey(key) || Object.hasOwn(profile.operations, key))) {
    report(place, 'has the name of an operation; a call before another needs a name of its own');
  }
  for (const name of ['method', 'path', 'credentials'] as const) {
    if ((operation as Partial<OperationProfile>)[name] === undefined)
      report(`${place}/${name}`, 'is missing');
  }
  const words = new Set([...fieldsOf(profile, key, part), ...keptNames(profile)]);
  const own = new Set<string>(part === 'operations' && isOperationKey(key) ? operationFields[key] : []);
  const body: TemplateRules = { words, secrets: true };
  checkPath((operation as Partial<OperationProfile>).path, { words }, `${place}/path`, report);
  checkHeaders(operation.headers ?? {}, `${place}/headers`, { words }, report);
  checkNames(operation.omit ?? [], own, `${place}/omit`, report);
  checkNames(operation.include ?? [], words, `${place}/include`, report);
  checkMembers(operation, new Set([...own, ...(operation.include ?? [])]), body, place, report);
  checkTargets(profile, placed, place, report);
  checkEncoding(profile, placed, place, report);
  checkKeep(operation.keep ?? {}, `${place}/keep`, report);
  checkBefore(profile, operation, place, report);
  checkOutcome(operation.outcome ?? {}, `${place}/outcome`, { words }, report);
  if (isStatusQuery(placed) && !namesPayment(profile, placed)) report(place, NAMES_NO_PAYMENT);
}

const NAMES_NO_PAYMENT =
  'carries neither client_ref nor transactionRef nor a kept value, in its path, its query or its body: the success of another payment would count as this one’s';

function isStatusQuery({ place, key }: PlacedOperation): boolean {
  return place === 'operations' && (key === 'transactionStatus' || key === 'transferUssdStatus');
}

/** A template with a fault names whatever it will name once that is mended. */
function namesPayment(profile: Profile, placed: PlacedOperation): boolean {
  try {
    return carriedIdentifiers(profile, placed).length > 0;
  } catch {
    return true;
  }
}

/** Reports names that are no fields. */
export function checkNames(
  names: readonly string[],
  fields: ReadonlySet<string>,
  place: string,
  report: Report,
): void {
  for (const [index, name] of names.entries()) {
    if (!fields.has(name)) report(`${place}/${index}`, `${NOT_A_FIELD}${perhaps(name, fields)}`);
  }
}

function checkPath(path: string | undefined, rules: TemplateRules, place: string, report: Report): void {
  if (path === undefined) return;
  if (!path.startsWith('/')) report(place, 'must begin with a slash');
  if (!/^[\x21-\x7e]*$/.test(path) || /[{}#\\"<>^`|]/.test(path.replace(/\{[^{}]*\}/g, ''))) {
    return report(place, 'has a character that a path cannot have; percent-encode it');
  }
  for (const [name, value] of new URLSearchParams(path.split('?')[1] ?? '')) {
    const constant = value.replace(/\{[^{}]*\}/g, '');
    if (isCredentialConstant(name, constant)) report(place, `has a query that ${CREDENTIAL_IN_PROFILE}`);
  }
  checkTemplate(
    path,
    place,
    { ...rules, unknown: 'has a placeholder that this operation cannot fill in' },
    report,
  );
}

/** What a GET cannot send would be ignored, so it is refused. */
function checkEncoding(profile: Profile, placed: PlacedOperation, place: string, report: Report): void {
  const { method, encode, rename, constants, omit, include } = placed.operation;
  if (method !== 'GET') {
    if (encode === 'query') report(`${place}/encode`, 'writes a query, which only a GET has');
    return;
  }
  if (encode === 'query') {
    if (sentFields(profile, placed).some((name) => SECRET_FIELDS.has(name))) {
      report(`${place}/encode`, 'would write card secrets into an address; they may stand in a body only');
    }
    return;
  }
  if (encode !== undefined)
    report(`${place}/encode`, 'writes a body, and a GET has none: "query" is possible');
  for (const [name, value] of Object.entries({ rename, constants, omit, include })) {
    if (value !== undefined && Object.keys(value).length > 0) {
      report(
        `${place}/${name}`,
        'changes a body, and a GET has none: "encode": "query" sends fields in its address',
      );
    }
  }
}

function checkBefore(profile: Profile, { before }: OperationProfile, place: string, report: Report): void {
  if (before === undefined || Object.hasOwn(profile.extra, before)) return;
  report(`${place}/before`, `names nothing in "extra"${perhaps(before, Object.keys(profile.extra))}`);
}

const NOT_A_FIELD = 'is no field of this operation';

/** Reports faults of `rename` and `constants`. `fields`: what can be renamed; `rules`: what templates may hold. */
function checkMembers(
  operation: OperationProfile,
  fields: ReadonlySet<string>,
  rules: TemplateRules,
  place: string,
  report: Report,
): void {
  for (const [name, target] of Object.entries(operation.rename ?? {})) {
    const at = `${place}/rename/${escapeStep(name)}`;
    if (!fields.has(name)) {
      const known = rules.words.has(name) ? ': name it in "include" first' : perhaps(name, fields);
      report(at, `${NOT_A_FIELD}${known}`);
    }
    checkTarget(target, at, report);
  }
  for (const [name, constant] of Object.entries(operation.constants ?? {})) {
    const at = `${place}/constants/${escapeStep(name)}`;
    checkTarget(name, at, report);
    if (isLiteralCredential(name, constant)) report(at, CREDENTIAL_IN_PROFILE);
    checkConstant(constant, at, rules, report);
  }
}

function checkConstant(constant: JsonValue, place: string, rules: TemplateRules, report: Report): void {
  if (isConditional(constant)) {
    checkJsonTemplate(constant.value, `${place}/value`, rules, report);
    if (!rules.words.has(constant.when)) {
      report(`${place}/when`, `${NOT_A_FIELD}${perhaps(constant.when, rules.words)}`);
    }
    checkInside(constant.value, `${place}/value`, report);
    return;
  }
  checkJsonTemplate(constant, place, rules, report);
  checkInside(constant, place, report);
}

/** A condition deep in a constant would be sent as it is written. */
function checkInside(value: JsonValue, place: string, report: Report): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries<JsonValue>(value as Readonly<Record<string, JsonValue>>)) {
    const at = `${place}/${escapeStep(name)}`;
    if (isConditional(member)) {
      report(
        at,
        'has "value" and "when" inside another constant: give it a constant of its own, under a pointer',
      );
    } else checkInside(member, at, report);
  }
}

function checkTarget(nameOrPointer: string, place: string, report: Report): void {
  if (!isTarget(nameOrPointer)) report(place, NOT_A_POINTER);
  else if (/^\/(?:[0-9]+|-)$/.test(nameOrPointer)) report(place, NO_LIST);
}

function isTarget(nameOrPointer: string): boolean {
  if (nameOrPointer.startsWith('/')) return (parsePointer(nameOrPointer)?.length ?? 0) > 0;
  return nameOrPointer !== '' && !PROTOTYPE_KEYS.has(nameOrPointer);
}

const NO_LIST =
  'writes by an index that makes no list: the members of a list are written from 0 on, without a gap and without names beside them';

/** Each field needs a place of its own. Two fields must not share one, and none may lie inside another. */
function checkTargets(profile: Profile, placed: PlacedOperation, place: string, report: Report): void {
  const { rename = {}, constants = {} } = placed.operation;
  const renamed = sentFields(profile, placed).map((name) => ({
    at: `${place}/rename/${escapeStep(name)}`,
    target: targetOf(rename[name] ?? name),
  }));
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
  const all = [...renamed, ...added];
  for (const fault of new Set(findLists(all.map(({ target }) => target)).faults)) {
    for (const { at, target } of all) if (target === fault) report(at, NO_LIST);
  }
}

function overlap(one: Pointer, other: Pointer): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return short.every((step, index) => step === long[index]);
}
