import { compileOutcome, type OutcomeReader } from '../answers/outcome-reader.js';
import { parsePointer } from '../profile/pointer.js';
import {
  INITIATING_OPERATIONS,
  isOperationKey,
  type BodyEncoding,
  type OperationKey,
  type OperationProfile,
  type Profile,
} from '../profile/format.js';
import { encodeQuery } from '../requests/encode.js';
import {
  fieldText,
  IDENTIFIERS,
  operationFields,
  PAYER_FIELDS,
  type CallFacts,
  type Writing,
} from '../requests/payment-fields.js';
import {
  compileTemplate,
  fillTemplate,
  fillWhole,
  wordsIn,
  type Template,
  type TemplateValues,
} from '../templates/template.js';
import { headersOf, signingOf, keptNames, type PlacedOperation, headerText } from './words.js';
import type { KeepPlan } from '../answers/answer-values.js';
import { bodyWriter, planMembers, type Member, type RequestBody } from './member-plan.js';

/** One operation of a profile, compiled once at the start. It can be called any number of times. */
export interface OperationPlan {
  readonly key: string;
  readonly method: OperationProfile['method'];
  /** Name of the set of credentials; undefined where none are sent. */
  readonly credentials: string | undefined;
  readonly encode: BodyEncoding;
  /** Writes the request, before encryption and credentials. Undefined where the payment lacks what it needs. */
  readonly compose: (facts: CallFacts) => ComposedRequest | undefined;
  /** What the payment lacks, so that the request is not written: words of its path, or everything that would name the payment. */
  readonly lacks: (facts: CallFacts) => readonly string[];
  /** Looks up a word of a template that is filled in later: the plain text of an encryption, an address in an answer. */
  readonly word: (facts: CallFacts) => TemplateValues['word'];
  readonly reader: OutcomeReader;
  /** HTTP statuses whose body's listed words count. */
  readonly readStatuses: ReadonlySet<number>;
  readonly keep: readonly KeepPlan[];
  /** Whether the call or the one before it names the payer, whose data is read only then. */
  readonly namesPayer: boolean;
  /** The call that is made first. */
  readonly before: OperationPlan | undefined;
}

/** A request before encryption and credentials. */
export interface ComposedRequest {
  /** Below the base address, with a leading slash, percent-encoded. */
  readonly path: string;
  /** With lower-case names. The same object each time where nothing is filled in. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for a method that has none. */
  readonly body: RequestBody | undefined;
}

/** Compiles an operation. The profile must have been checked. */
export function planOperation(profile: Profile, placed: PlacedOperation): OperationPlan {
  const { key, operation } = placed;
  const writing: Writing = { amountUnit: operation.amountUnit ?? 'major', card: profile.card };
  const before = operation.before === undefined ? undefined : profile.extra[operation.before];
  const startsPayment = placed.place === 'operations' && INITIATING_OPERATIONS.has(key);
  const first =
    before && operation.before !== undefined
      ? planOperation(profile, { place: 'extra', key: operation.before, operation: before })
      : undefined;
  return {
    key,
    method: operation.method,
    credentials: credentialSet(operation),
    encode: operation.encode ?? 'json',
    ...planRequest(profile, placed, writing),
    word: (facts) => (name) => fieldText(name, facts, writing),
    reader: compileOutcome(profile.outcome, operation.outcome, { startsPayment, declines: profile.declines }),
    readStatuses: new Set(
      startsPayment ? [] : (operation.outcome?.readStatuses ?? profile.outcome.readStatuses ?? []),
    ),
    keep: planKeep(operation.keep),
    namesPayer:
      first?.namesPayer === true || wordsUsed(profile, placed).some((word) => PAYER_FIELDS.has(word)),
    before: first,
  };
}

/** Every word of an operation's request, its credentials and its encryption. */
function wordsUsed(profile: Profile, placed: PlacedOperation): string[] {
  return [
    ...wordsOfTemplates(profile, placed),
    ...planMembers(profile, placed).flatMap(({ words }) => words),
  ];
}

function wordsOfTemplates(profile: Profile, { operation, key }: PlacedOperation): string[] {
  const set = profile.credentials[credentialSet(operation) ?? ''] ?? {};
  const { scheme, plaintext, operations } = profile.encryption;
  const isEncrypted = scheme !== 'none' && operations.includes(key);
  const templates = [
    ...[operation.path, ...Object.values(operation.headers ?? {})],
    ...headersOf(set).map(([, text]) => text),
    ...[signingOf(set)?.over ?? '', isEncrypted ? (plaintext ?? '') : ''],
  ];
  return templates.flatMap((text) => wordsIn(compileTemplate(text)));
}

/**
 * The words that an operation and the call before it send: with `always`, without what is sent only where the payment has it. Empty where
 * the gateway lacks the operation.
 */
export function wordsSent(profile: Profile, key: OperationKey, { always = false } = {}): ReadonlySet<string> {
  const operation = profile.operations[key];
  if (!operation) return new Set();
  const { before } = operation;
  const first = before === undefined ? undefined : profile.extra[before];
  const calls: PlacedOperation[] = [{ place: 'operations', key, operation }];
  if (before !== undefined && first) calls.push({ place: 'extra', key: before, operation: first });
  return new Set(
    calls.flatMap((placed) => [
      ...wordsOfTemplates(profile, placed),
      ...membersSent(profile, placed).flatMap(({ words, conditional }) =>
        always && conditional ? [] : words,
      ),
    ]),
  );
}

/** The members of a request. A GET has none but in its query. */
function membersSent(profile: Profile, placed: PlacedOperation): Member[] {
  const { method, encode } = placed.operation;
  return method === 'GET' && encode !== 'query' ? [] : planMembers(profile, placed);
}

/** Compiles what is kept of an answer. */
export function planKeep(keep: OperationProfile['keep'] = {}): KeepPlan[] {
  return Object.entries(keep).map(([name, text]) => {
    const pointer = parsePointer(text);
    if (pointer === undefined) throw new TypeError('keep has an invalid pointer');
    return { name, pointer };
  });
}

function credentialSet({ credentials }: OperationProfile): string | undefined {
  if (typeof credentials === 'string') return credentials;
  return credentials ? 'default' : undefined;
}

function planRequest(
  profile: Profile,
  placed: PlacedOperation,
  writing: Writing,
): Pick<OperationPlan, 'compose' | 'lacks'> {
  const { method, path, headers = {}, encode } = placed.operation;
  const members = planMembers(profile, placed);
  const isQuery = encode === 'query';
  const hasBody = method !== 'GET';
  const writeBody = bodyWriter(members);
  const pathTemplate = compileTemplate(path);
  const writeHeaders = planHeaders(headers);
  const identifiers = carriedIdentifiers(profile, placed);
  const names = identifiers.length > 0 || !isAboutPayment(placed) ? identifiers : ABOUT_A_PAYMENT;
  const pathWords = wordsIn(pathTemplate);
  const lacks: OperationPlan['lacks'] = (facts) => {
    const isEmpty = (name: string): boolean => !fieldText(name, facts, writing);
    return names.length > 0 && identifiers.every(isEmpty) ? names : pathWords.filter(isEmpty);
  };
  const compose: OperationPlan['compose'] = (facts) => {
    if (lacks(facts).length > 0) return undefined;
    const word = (name: string): string | undefined => fieldText(name, facts, writing);
    const place = fillWhole(pathTemplate, { word }, encodeURIComponent) ?? '';
    const body = hasBody || isQuery ? writeBody(facts, writing) : undefined;
    return {
      path: isQuery && body ? withQuery(place, encodeQuery(body.open)) : place,
      headers: writeHeaders.write({ word }),
      body: hasBody ? body : undefined,
    };
  };
  return { compose, lacks };
}

/** What a call about a payment that the gateway has would have to carry. */
const ABOUT_A_PAYMENT = ['client_ref', 'transactionRef'] as const;

/** Whether an operation is about a payment that the gateway has: it has given that a transaction reference. */
function isAboutPayment({ place, key }: PlacedOperation): boolean {
  return place === 'operations' && isOperationKey(key) && operationFields[key].includes('transactionRef');
}

/** The references and kept values that a request of an operation carries, in its path, its query or its body. */
export function carriedIdentifiers(profile: Profile, placed: PlacedOperation): string[] {
  const { path, headers = {} } = placed.operation;
  return identifiersIn(profile, [
    ...[path, ...Object.values(headers)].flatMap((text) => wordsIn(compileTemplate(text))),
    ...membersSent(profile, placed).flatMap(({ words }) => words),
  ]);
}

function withQuery(path: string, query: string): string {
  if (query === '') return path;
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

/** The references and kept values among the words of a call. Where all of them are empty nobody could tell what it is about. */
function identifiersIn(profile: Profile, words: readonly string[]): string[] {
  const kept = keptNames(profile);
  return [...new Set(words)].filter((word) => IDENTIFIERS.has(word) || kept.has(word));
}

interface HeaderPlan {
  readonly words: readonly string[];
  readonly write: (values: TemplateValues) => Readonly<Record<string, string>>;
}

/** Names are lower-cased, so that a profile's header replaces the service's own. An empty one is left out. */
export function planHeaders(headers: Readonly<Record<string, string>>): HeaderPlan {
  const templates: [name: string, template: Template][] = Object.entries(headers).map(([name, text]) => [
    name.toLowerCase(),
    compileTemplate(text),
  ]);
  const words = templates.flatMap(([, template]) => wordsIn(template));
  const write = (values: TemplateValues): Record<string, string> => {
    const written: Record<string, string> = {};
    for (const [name, template] of templates) {
      const text = headerText(fillTemplate(template, values));
      if (text !== '' || wordsIn(template).length === 0) written[name] = text;
    }
    return written;
  };
  if (words.length > 0) return { words, write };
  const constant = write({ word: () => undefined });
  return { words, write: () => constant };
}

/** A profile, compiled once at the start: every operation that the gateway has, by key. */
export type ProfilePlan = ReadonlyMap<string, OperationPlan>;

/** Compiles a profile. It must have been checked. */
export function planProfile(profile: Profile): ProfilePlan {
  const plans = new Map<string, OperationPlan>();
  for (const [key, operation] of Object.entries(profile.operations)) {
    if (operation) plans.set(key, planOperation(profile, { place: 'operations', key, operation }));
  }
  return plans;
}
