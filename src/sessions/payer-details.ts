import { Problem, type ProblemFault } from '../http/problems/problem.js';
import type { MethodFields } from '../methods/method-fields.js';
import type { Billing, Payer, SessionRecord } from '../store/schema.js';
import countries from 'i18n-iso-countries/index.js';
import { getCountryFields } from 'lib-address/lite';
import { isSupportedCountry, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/metadata.min';

/** Who pays and where they are billed, as the gateway gets it. */
export interface Holder {
  readonly payer: Payer;
  readonly billing: Billing;
}

/**
 * Payer and billing address of a payment: the body's members, then the session's. Throws with all faults of both at once: what the
 * method needs and neither has, and a telephone number that is none. It is handed on as E.164.
 */
export function holderFrom(
  session: Pick<SessionRecord, 'payer' | 'billing' | 'currency'>,
  body: { readonly payer?: Payer | undefined; readonly billing?: Billing | undefined },
  needs: Pick<MethodFields, 'payer' | 'billing'>,
): Holder {
  const payer: Payer = { ...defined(session.payer), ...defined(body.payer) };
  const billing: Billing = { ...defined(session.billing), ...defined(body.billing) };
  const needed = needs.billing.filter((member) => isRequiredIn(billing.country, member));
  const faults = [...missing(payer, needs.payer, '/payer'), ...missing(billing, needed, '/billing')];
  // What a session has was read when it was made.
  const isRead = body.payer?.phone === undefined && payer.phone?.startsWith('+');
  if (payer.phone !== undefined && !isRead) {
    const phone = e164(payer.phone, { country: billing.country, currency: session.currency });
    if (phone !== undefined) payer.phone = phone;
    // A session of a former version may have another one. Nobody is asked about it in vain.
    else if (body.payer?.phone !== undefined || needs.payer.includes('phone')) {
      faults.push({ pointer: '/payer/phone', message: NO_PHONE_NUMBER });
    }
  }
  if (faults.length > 0) {
    throw new Problem('validation-failed', 'The request and its session lack fields, or have wrong ones.', {
      errors: faults,
    });
  }
  return { payer, billing };
}

function missing<T extends object>(
  found: T,
  needed: readonly (keyof T & string)[],
  place: string,
): ProblemFault[] {
  return needed
    .filter((field) => found[field] === undefined)
    .map((field) => ({ pointer: `${place}/${field}`, message: 'is needed here, or in the session' }));
}

/** What was not given may stand there as undefined or null. */
function defined<T extends object>(given: T | null | undefined): Partial<T> {
  const members: Partial<T> = {};
  if (given)
    for (const name in given) if ((given[name] ?? undefined) !== undefined) members[name] = given[name];
  return members;
}

/** The parts of an address that not every country has. */
const REGIONAL_MEMBERS = ['stateProvince', 'postCode'] as const;
export type RegionalMember = (typeof REGIONAL_MEMBERS)[number];

const NAMES = { stateProvince: 'state', postCode: 'zip' } as const;

function requiringCountries(member: RegionalMember): string[] {
  return Object.entries(countries.getAlpha2Codes())
    .filter(([alpha2]) => getCountryFields(alpha2)?.[NAMES[member]] === 'required')
    .map(([, alpha3]) => alpha3)
    .sort();
}

/** The countries (ISO 3166-1 alpha-3) whose addresses require a state or a postal code, by the address data of Google (libaddressinput). */
export const REQUIRED_IN: Readonly<Record<RegionalMember, readonly string[]>> = {
  stateProvince: requiringCountries('stateProvince'),
  postCode: requiringCountries('postCode'),
};

/**
 * Whether addresses of a country (ISO 3166-1 alpha-3) have this part: every other part always, state and postal code where the country
 * requires them, and not where the country is not known.
 */
export function isRequiredIn(country: string | undefined, member: string): boolean {
  if (!isRegional(member)) return true;
  return country !== undefined && REQUIRED_IN[member].includes(country);
}

function isRegional(member: string): member is RegionalMember {
  return REGIONAL_MEMBERS.some((regional) => regional === member);
}

/** What a telephone number that nobody can call is told. */
export const NO_PHONE_NUMBER =
  'must be a telephone number of the billing country, or begin with + and its country code';

/**
 * A telephone number as E.164, such as `+2348012345678`. One without a country code is read by the billing country (ISO 3166-1 alpha-3),
 * otherwise by the country of the session's currency. Undefined where it is no number of that country, or where there is none. Of
 * another country's number only the length is looked at: new ranges are given out before anybody's data has them.
 */
export function e164(
  text: string,
  place: { readonly country: string | undefined; readonly currency: string },
): string | undefined {
  const isWhole = text.startsWith('+');
  const region = isWhole ? undefined : regionOf(place);
  if (!isWhole && region === undefined) return undefined;
  const options = { extract: false, ...(region !== undefined && { defaultCountry: region }) };
  const found = parsePhoneNumberFromString(text, options, metadata);
  if (!found || !(isWhole ? found.isPossible() : found.isValid())) return undefined;
  // The library passes numbers of a few countries that are longer than E.164 allows.
  return E164.test(found.number) ? found.number : undefined;
}

const E164 = /^\+[1-9][0-9]{5,14}$/;

/** By ISO 4217 a currency begins with the code of its country. One of several countries begins with no country's: `EUR`, `XOF`. */
function regionOf({ country, currency }: Parameters<typeof e164>[1]): CountryCode | undefined {
  const alpha2 = country === undefined ? currency.slice(0, 2) : countries.alpha3ToAlpha2(country);
  return alpha2 !== undefined && hasNumbers(alpha2) ? alpha2 : undefined;
}

function hasNumbers(alpha2: string): alpha2 is CountryCode {
  return isSupportedCountry(alpha2 as CountryCode, metadata);
}
