/** The names of the bearer credentials in the description. */
export type SecurityScheme = 'merchantKey' | 'clientToken' | 'returnToken';

/** A guard says with a static `apiSecurity` which credentials it takes; either one is enough. */
export interface DescribedGuard {
  readonly apiSecurity?: readonly SecurityScheme[];
}
