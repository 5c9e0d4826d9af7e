/** What is wrong in a profile, and where. It never repeats a value from the file. */
export interface ProfileProblem {
  /** A JSON pointer into the profile, `/operations/payCard/path`; empty for the file itself. */
  readonly place: string;
  readonly message: string;
}

/** Called for each fault. */
export type Report = (place: string, message: string) => void;

export const NOT_A_POINTER = 'is not a JSON pointer (RFC 6901)';

/** One step of a JSON pointer. */
export function escapeStep(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
