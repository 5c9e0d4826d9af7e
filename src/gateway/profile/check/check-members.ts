import { isConditional, sentFields } from '../../plan/member-plan.js';
import { findLists, targetOf } from '../../requests/places.js';
import type { JsonValue, OperationProfile, Profile } from '../format.js';
import type { PlacedOperation } from '../../plan/words.js';
import { CREDENTIAL_IN_PROFILE } from '../credential-names.js';
import { perhaps } from '../nearest.js';
import { parsePointer, PROTOTYPE_KEYS, type Pointer } from '../pointer.js';
import { isLiteralCredential } from './check-token.js';
import { checkJsonTemplate, type TemplateRules } from './check-template.js';
import { escapeStep, NOT_A_POINTER, type Report } from './report.js';

export const NOT_A_FIELD = 'is no field of this operation';

/** Reports faults of `rename` and `constants`. `fields`: what can be renamed; `rules`: what templates may hold. */
export function checkMembers(
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
export function checkTargets(profile: Profile, placed: PlacedOperation, place: string, report: Report): void {
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
