import type { ReferenceForm } from '../../gateway/requests/client-ref.js';

/** What a gateway reference is made of. */
export interface ReferenceParts {
  readonly reference: string;
  /** Which payment of its reference, from 1. */
  readonly n: number;
}

const REFERENCE = /^[A-Za-z0-9.-]{1,40}$/;
/** No order is ever tried more often: nothing is raised by a number that was misread. */
const NUMBER = /^[1-9][0-9]{0,8}$/;

/**
 * Splits a gateway reference at the profile's separator. Undefined where it is not one that this service makes: then nobody
 * knows which order it is of. Pure.
 */
export function splitReference(
  gatewayReference: string,
  { separator }: ReferenceForm,
): ReferenceParts | undefined {
  const at = gatewayReference.lastIndexOf(separator);
  if (at < 0) return undefined;
  const reference = gatewayReference.slice(0, at);
  const number = gatewayReference.slice(at + separator.length);
  return REFERENCE.test(reference) && NUMBER.test(number) ? { reference, n: Number(number) } : undefined;
}
