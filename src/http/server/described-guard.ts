/** The names of the bearer credentials in the API description. */
export type SecurityScheme = 'merchantKey' | 'clientToken' | 'returnToken';

/** A guard lists in its static `apiSecurity` the credentials that it accepts. Any one of them is enough. */
export interface DescribedGuard {
  readonly apiSecurity?: readonly SecurityScheme[];
}
