import countries from 'i18n-iso-countries/index.js';
import { isSupportedCountry, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/metadata.min';

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
  const region = regionOf(place);
  const isWhole = text.startsWith('+');
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
