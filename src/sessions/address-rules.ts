/** The parts of an address that not every country has. */
export type RegionalMember = 'stateProvince' | 'postCode';

/**
 * The countries (ISO 3166-1 alpha-3) whose addresses require a state or a postal code. Source: the `require` fields of
 * Google's libaddressinput address metadata, as of 2026.
 */
export const REQUIRED_IN: Readonly<Record<RegionalMember, readonly string[]>> = {
  stateProvince: (
    'ARE ASM AUS BRA CAN CHN COL CRI CYM ESP FSM HKG HND IDN IND IRQ ITA JAM JPN KNA KOR MEX MHL MNP NRU PLW PNG PYF ' +
    'RUS SLV SOM TWN UMI USA VEN VIR'
  ).split(' '),
  postCode: (
    'ALA ASM AUS AUT BEL BLM BRA CAN CHE CHN CZE DEU DNK ESP EST FIN FLK FRA FSM GBR GGY GLP GRC GRL GUF GUM HUN IMN ' +
    'IND IOT ITA JEY JPN KOR LIE LTU LUX LVA MAF MEX MHL MNP MTQ MYS MYT NCL NLD NOR NZL PCN PLW POL PRI PRT PYF REU ' +
    'ROU RUS SGP SGS SHN SJM SMR SPM SVK SWE TCA TUR TWN UKR USA VIR WLF ZAF'
  ).split(' '),
};

/** Whether addresses of a country have this part: state and postal code only where the country requires them. */
export function isRequiredIn(country: string | undefined, member: string): boolean {
  if (member !== 'stateProvince' && member !== 'postCode') return true;
  return country !== undefined && REQUIRED_IN[member].includes(country);
}
