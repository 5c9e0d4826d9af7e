import { methodFields, START_OF, type MethodFields, type MethodName } from '../method-fields.js';
import { type Fault, faultLine } from './fault.js';
import { readProfile } from './load.js';
import { Rehearsal, type Rehearsed } from './rehearsal.js';
import { OPERATIONS, type OperationName, type Profile } from './schema.js';
import { requestLines } from './try.js';

/** What `tillfront profile check` says of a profile. */
export interface ProfileReport {
  readonly faults: readonly Fault[];
  /** What each method that the profile has asks the payer for. */
  readonly asks: Partial<Record<MethodName, MethodFields>>;
  readonly requests: readonly (Rehearsed | undefined)[];
  /** What is used and not `confirmed`. */
  readonly unconfirmed: readonly string[];
}

/** Checks the text of a profile: every fault with its place, what payers are asked for, and each request as it would be sent. */
export async function checkProfile(text: string): Promise<ProfileReport> {
  const { profile, faults } = readProfile(text);
  if (!profile || faults.length > 0) return { faults, asks: {}, requests: [], unconfirmed: [] };
  const methods = methodsOf(profile);
  const rehearsal = new Rehearsal(profile);
  const requests = await Promise.all(rehearsal.operations.map((operation) => rehearsal.requests(operation)));
  return {
    faults,
    asks: Object.fromEntries(methods.map((method) => [method, methodFields(profile, method)])),
    requests: requests.flat(),
    unconfirmed: unconfirmed(profile, methods),
  };
}

export function reportLines({ faults, asks, requests, unconfirmed: assumed }: ProfileReport): string[] {
  if (faults.length > 0) return faults.map(faultLine);
  return [
    ...Object.entries(asks).map(([method, fields]) => `${method} asks for ${askedLine(fields)}`),
    '',
    ...requests.flatMap((request) => (request ? [request.operation, ...requestLines(request)] : [])),
    '',
    assumed.length === 0 ? 'Everything is confirmed.' : `Not confirmed: ${assumed.join(', ')}`,
  ];
}

function askedLine({ payer, billing, card, device, optional, pin }: MethodFields): string {
  const brands = pin.brands.map((brand) => `pin (${brand})`);
  const all = [
    ...card,
    ...brands,
    ...payer,
    ...optional.map((name) => `${name} (optional)`),
    ...billing.map((name) => `billing ${name}`),
  ];
  const browser = device.length > 0 ? '; of the browser ' + device.join(', ') : '';
  return (all.length > 0 ? all.join(', ') : 'nothing') + browser;
}

/** The methods that a profile can offer. */
export function methodsOf({ operations }: Profile): MethodName[] {
  return (Object.keys(START_OF) as MethodName[]).filter(
    (method) => operations[START_OF[method]] !== undefined,
  );
}

/** What the enabled methods use of a profile and nobody has checked against the gateway. In live mode each stops the start. */
export function unconfirmed(profile: Profile, methods: readonly MethodName[]): string[] {
  const { operations, notification, confirmed = [] } = profile;
  const usedBy: Partial<Record<OperationName, readonly MethodName[]>> = {
    ...Object.fromEntries(Object.entries(START_OF).map(([method, name]) => [name, [method as MethodName]])),
    ...{
      validateOtp: ['card'],
      validatePin: ['card'],
      listUssdBanks: ['ussd'],
      transferUssdStatus: ['transfer', 'ussd'],
    },
  };
  const isUsed = (name: OperationName): boolean =>
    operations[name] !== undefined && (usedBy[name] ?? methods).some((method) => methods.includes(method));
  const used = [
    ...OPERATIONS.filter(isUsed),
    'answer' as const,
    ...(notification ? ['notification' as const] : []),
  ];
  return used.filter((name) => !confirmed.includes(name));
}
