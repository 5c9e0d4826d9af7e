/** What is wrong at one place of a profile. It never repeats a value that may be a secret. */
export interface Fault {
  /** A JSON pointer; empty for the file as a whole. */
  readonly place: string;
  readonly why: string;
}

/** A fault as the start and the command line print it. */
export function faultLine({ place, why }: Fault): string {
  return place === '' ? `GATEWAY_PROFILE ${why}` : `GATEWAY_PROFILE ${place}: ${why}`;
}

/** A profile that cannot be used, with everything that is wrong in it. */
export class ProfileError extends Error {
  override readonly name = 'ProfileError';

  constructor(readonly faults: readonly Fault[]) {
    super(faults.map(faultLine).join('\n'));
  }
}
