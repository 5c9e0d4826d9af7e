import type { Profile } from '../profile/format.js';

/** How the profile makes the references that the gateway gets. */
export type ReferenceForm = Profile['reference'];

/** The gateway's `client_ref` of the n-th payment of a merchant's reference: `ORDER-1001_2`. */
export function clientRefOf(reference: string, n: number, { separator }: ReferenceForm): string {
  return `${reference}${separator}${n}`;
}

/**
 * The reference of the n-th refund of a payment: `ORDER-1001_2_r1`, or `ORDER-1001_2_r1e3` in the third epoch after the first, as the
 * store may have forgotten that it has used the number before.
 */
export function refundRefOf(clientRef: string, n: number, { separator }: ReferenceForm, epoch = 0): string {
  return `${clientRef}${separator}r${n}${epoch === 0 ? '' : `e${epoch}`}`;
}

/** Whether the gateway takes a reference of this length. */
export function fitsGateway(clientRef: string, { maxLength }: ReferenceForm): boolean {
  return maxLength === undefined || clientRef.length <= maxLength;
}
