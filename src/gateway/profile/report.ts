import { methodFields, methodsOf, type MethodFields, type MethodName } from '../method-fields.js';
import { type Fault, faultLine } from './fault.js';
import { readProfile } from './load.js';
import { Rehearsal, requestLines, type Rehearsed } from './rehearsal.js';
import { OPERATIONS } from './schema.js';
import { unconfirmed } from './unconfirmed.js';

/** What `tillfront profile check` says of a profile. */
interface ProfileReport {
  readonly faults: readonly Fault[];
  /** What each method that the profile has asks the payer for. */
  readonly asks: Partial<Record<MethodName, MethodFields>>;
  readonly requests: readonly (Rehearsed | undefined)[];
  /** Operations that the profile lacks. */
  readonly absent: readonly string[];
  /** What is used and not `confirmed`. */
  readonly unconfirmed: readonly string[];
}

/** Checks the text of a profile: every fault with its place, what payers are asked for, and each request as it would be sent. */
export async function checkProfile(text: string): Promise<ProfileReport> {
  const { profile, faults } = readProfile(text);
  if (!profile) return { faults, asks: {}, requests: [], absent: [], unconfirmed: [] };
  const methods = methodsOf(profile);
  const rehearsal = new Rehearsal(profile);
  const requests: (Rehearsed | undefined)[] = [];
  for (const operation of rehearsal.operations) requests.push(...(await rehearsal.requests(operation)));
  return {
    faults,
    asks: Object.fromEntries(methods.map((method) => [method, methodFields(profile, method)])),
    requests,
    absent: OPERATIONS.filter((name) => !profile.operations[name]),
    unconfirmed: unconfirmed(profile, methods),
  };
}

export function reportLines(report: ProfileReport): string[] {
  const { faults, asks, requests, absent, unconfirmed: assumed } = report;
  if (faults.length > 0) return faults.map(faultLine);
  return [
    ...Object.entries(asks).map(([method, fields]) => `${method} asks for ${askedLine(fields)}`),
    '',
    ...requests.flatMap((request) => (request ? [request.operation, ...requestLines(request)] : [])),
    '',
    ...(absent.length > 0 ? [`Not in the profile: ${absent.join(', ')}`] : []),
    assumed.length === 0 ? 'Everything is confirmed.' : `Not confirmed: ${assumed.join(', ')}`,
  ];
}

function askedLine({ payer, billing, card, device, optional, pin }: MethodFields): string {
  const all = [
    ...card,
    ...pin.brands.map((brand) => `pin (${brand})`),
    ...payer,
    ...optional.map((name) => `${name} (optional)`),
    ...billing.map((name) => `billing ${name}`),
  ];
  const browser = device.length > 0 ? `; of the browser ${device.join(', ')}` : '';
  return (all.length > 0 ? all.join(', ') : 'nothing') + browser;
}
