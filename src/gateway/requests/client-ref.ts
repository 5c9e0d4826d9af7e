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

/** Which refund of the payment is called so, from 1, in whatever epoch; undefined where it is no name that this service gives. */
export function refundNumberOf(
  refundRef: string,
  clientRef: string,
  { separator }: ReferenceForm,
): number | undefined {
  const before = `${clientRef}${separator}r`;
  if (!refundRef.startsWith(before)) return undefined;
  const number = /^([1-9][0-9]{0,8})(?:e[1-9][0-9]*)?$/.exec(refundRef.slice(before.length))?.[1];
  return number === undefined ? undefined : Number(number);
}

/** Whether the gateway takes a reference of this length. */
export function fitsGateway(clientRef: string, { maxLength }: ReferenceForm): boolean {
  return maxLength === undefined || clientRef.length <= maxLength;
}
