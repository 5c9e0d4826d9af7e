import { formatAddress } from 'localized-address-format';
import type { Billing } from '../kit/types.js';

type Member = Exclude<keyof Billing, 'country'>;

const ALL: readonly Member[] = ['street', 'city', 'stateProvince', 'postCode'];

/** Languages in which an address is written from the large to the small. */
const LARGE_FIRST = new Set(['ja', 'ko', 'zh']);

/**
 * The order in which people of a country write an address, by the data of Google's address forms. What they do not write,
 * but the gateway wants, comes last.
 */
export function addressOrder(country: string | undefined, locale: string): readonly Member[] {
  const script = LARGE_FIRST.has(new Intl.Locale(locale).language) ? 'local' : 'latin';
  const text = formatAddress(
    {
      ...(country === undefined ? {} : { postalCountry: country }),
      addressLines: ['street'],
      locality: 'city',
      administrativeArea: 'stateProvince',
      postalCode: 'postCode',
    },
    script,
  ).join('\n');
  const place = (member: Member): number => (text.includes(member) ? text.indexOf(member) : text.length);
  return [...ALL].sort((one, other) => place(one) - place(other));
}
