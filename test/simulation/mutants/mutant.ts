/**
 * The service without one mend or rule: what the simulation must find. Each takes it out of a module of the built service, by replacing
 * text that stands there, or by code after its end.
 */
export interface Mutant {
  module: string;
  replace?: readonly [string | RegExp, string];
  code?: string;
}
