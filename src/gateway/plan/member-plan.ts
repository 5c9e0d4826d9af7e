import {
  fieldText,
  operationFields,
  readField,
  REGIONAL_FIELDS,
  type CallFacts,
  type FieldName,
  type Writing,
} from '../requests/payment-fields.js';
import { findLists, makeLists, targetOf, writeAt } from '../requests/places.js';
import { compileJson } from '../templates/template.js';
import { isOperationKey, type JsonValue, type Profile } from '../profile/format.js';
import type { PlacedOperation } from './words.js';
import type { Pointer } from '../profile/pointer.js';

/** A body before encryption: the members sent in clear, and the members to encrypt. */
export interface RequestBody {
  readonly open: Record<string, unknown>;
  readonly sealed?: Record<string, unknown>;
}

type ReadMember = (facts: CallFacts, writing: Writing) => unknown;

/** One member of a body: its place and its value. */
export interface Member {
  readonly target: Pointer;
  readonly sealed: boolean;
  readonly value: ReadMember;
  /** The fields and kept values that it is made of. */
  readonly words: readonly string[];
  /** Whether it is left out where the payment lacks a field of its own choice. */
  readonly conditional?: true;
}

/** The fields that an operation sends, by their own names, unless they are omitted. */
export function sentFields(profile: Profile, { place, key, operation }: PlacedOperation): string[] {
  const own: readonly FieldName[] = place === 'operations' && isOperationKey(key) ? operationFields[key] : [];
  const omitted = new Set([
    ...(operation.omit ?? []),
    ...(place === 'operations' && key === 'payCard' ? profile.card.omit : []),
  ]);
  return [...new Set([...own, ...(operation.include ?? [])])].filter((name) => !omitted.has(name));
}

/**
 * The members of a body: the operation's fields, renamed and without the omitted ones, then the constants. A constant
 * replaces a field at the same place.
 */
export function planMembers(profile: Profile, placed: PlacedOperation): Member[] {
  const { rename = {}, constants = {} } = placed.operation;
  const emptyAs = placed.operation.emptyAs ?? (placed.key === 'payCard' ? profile.card.emptyAs : undefined);
  const isSealed = sealing(profile, placed.key);
  const members = new Map<string, Member>();
  const add = (
    name: string,
    wireName: string,
    member: Pick<Member, 'value' | 'words' | 'conditional'>,
  ): void => {
    const target = targetOf(wireName);
    members.set(JSON.stringify(target), { target, sealed: isSealed(name, wireName), ...member });
  };
  for (const name of sentFields(profile, placed)) {
    const empty = REGIONAL_FIELDS.has(name) ? emptyAs : undefined;
    const value: ReadMember = (facts, writing) => readField(name, facts, writing) ?? empty;
    add(name, rename[name] ?? name, { value, words: [name] });
  }
  for (const [name, constant] of Object.entries(constants)) add(name, name, compileConstant(constant));
  return [...members.values()];
}

/** Whether a member is encrypted: never, always, or if the scope names it by its seed name or the gateway's name. */
function sealing(profile: Profile, key: string): (name: string, wireName: string) => boolean {
  const { scheme, operations, scope } = profile.encryption;
  if (scheme === 'none' || !operations.includes(key)) return () => false;
  if (scope === 'body') return () => true;
  const named = new Set(scope);
  return (name, wireName) => named.has(name) || named.has(wireName);
}

/** A constant that is sent only where the payment has a field. */
export interface ConditionalConstant {
  readonly value: JsonValue;
  readonly when: string;
}

/** Whether a constant is a `{ value, when }`. */
export function isConditional(constant: JsonValue): constant is JsonValue & ConditionalConstant {
  return (
    typeof constant === 'object' &&
    constant !== null &&
    !Array.isArray(constant) &&
    Object.keys(constant).length === 2 &&
    'value' in constant &&
    'when' in constant &&
    typeof constant.when === 'string'
  );
}

function compileConstant(constant: JsonValue): Pick<Member, 'value' | 'words' | 'conditional'> {
  const { value, when } = isConditional(constant) ? constant : { value: constant, when: undefined };
  const { words, fill } = compileJson(value);
  const write: ReadMember = (facts, writing) => fill({ word: (name) => fieldText(name, facts, writing) });
  if (when === undefined) return { value: write, words };
  return {
    value: (facts, writing) => {
      const field = readField(when, facts, writing);
      return field === undefined || field === '' ? undefined : write(facts, writing);
    },
    words: [...words, when],
    conditional: true,
  };
}

/** Writes bodies of these members. */
export function bodyWriter(members: readonly Member[]): (facts: CallFacts, writing: Writing) => RequestBody {
  const { places } = findLists(members.map(({ target }) => target));
  return (facts, writing) => {
    const open: Record<string, unknown> = {};
    let sealed: Record<string, unknown> | undefined;
    for (const { target, sealed: isSealed, value } of members) {
      const written = value(facts, writing);
      if (written === undefined) continue;
      const body = isSealed ? (sealed ??= {}) : open;
      const [name] = target;
      if (target.length === 1 && name !== undefined) body[name] = written;
      else writeAt(body, target, written);
    }
    makeLists(open, places);
    if (sealed) makeLists(sealed, places);
    return sealed ? { open, sealed } : { open };
  };
}
