import type { CredentialSetProfile, SigningProfile } from '../profile/format.js';

/** The headers of a set of credentials: everything in it but how it signs. A text under `sign` is a header of that name. */
export function headersOf(set: CredentialSetProfile): [name: string, text: string][] {
  return Object.entries(set).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
}

/** How a set signs. */
export function signingOf(set: CredentialSetProfile): SigningProfile | undefined {
  return Object.values(set).find((value) => typeof value === 'object');
}
