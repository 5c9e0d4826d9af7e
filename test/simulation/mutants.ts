/** The service without one of its rules: what the simulation must find. `from` stands in `src/payments/FILE`. */
export interface Mutant {
  file: string;
  from: string | RegExp;
  to: string;
}

export const MUTANTS: Readonly<Record<string, Mutant>> = {};
