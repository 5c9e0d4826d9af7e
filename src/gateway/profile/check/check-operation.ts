import { sentFields } from '../../plan/member-plan.js';
import { carriedIdentifiers } from '../../plan/operation-plan.js';
import { fieldsOf, keptNames, type PlacedOperation } from '../../plan/words.js';
import { operationFields, SECRET_FIELDS } from '../../requests/payment-fields.js';
import { CREDENTIAL_IN_PROFILE, isCredentialConstant } from '../credential-names.js';
import { isOperationKey, OPERATION_KEYS, type OperationProfile, type Profile } from '../format.js';
import { perhaps } from '../nearest.js';
import { checkHeaders } from './check-headers.js';
import { checkMembers, checkTargets, NOT_A_FIELD } from './check-members.js';
import { checkKeep } from './check-notification.js';
import { checkOutcome } from './check-outcome.js';
import { checkTemplate, type TemplateRules } from './check-template.js';
import { escapeStep, type Report } from './report.js';

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
