import countries from 'i18n-iso-countries/index.js';
import { getCountryFields } from 'lib-address/lite';

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
