import { Problem, type ProblemFault } from '../http/problem.js';
import type { Billing, Payer, SessionRecord } from '../store/schema.js';

type Needed<T, K extends keyof T> = { [P in K]-?: NonNullable<T[P]> };

/**
 * Puts the payer together from the body and the session: the body's fields win. Throws `validation-failed` with a
 * pointer to each needed field that neither brings.
 */
export function payerFrom<K extends keyof Payer>(
  session: SessionRecord,
  body: Payer | undefined,
  needed: readonly K[],
): Needed<Payer, K> {
  return complete({ ...session.payer, ...defined(body) }, needed, '/payer');
}

/** The card call's payer and billing address, both whole, with all faults of both at once. */
export function cardHolderFrom(
  session: SessionRecord,
  body: { payer?: Payer; billing?: Billing },
): { payer: Required<Payer>; billing: Required<Billing> } {
  const payer = { ...session.payer, ...defined(body.payer) };
  const billing = { ...session.billing, ...defined(body.billing) };
  const missing = [...faults(payer, PAYER_FIELDS, '/payer'), ...faults(billing, BILLING_FIELDS, '/billing')];
  if (missing.length > 0) throw incomplete(missing);
  return { payer: payer as Required<Payer>, billing: billing as Required<Billing> };
}

const PAYER_FIELDS = ['email', 'phone', 'firstName', 'lastName'] as const;
const BILLING_FIELDS = ['street', 'city', 'stateProvince', 'postCode', 'country'] as const;

function complete<T extends object, K extends keyof T & string>(
  found: T,
  needed: readonly K[],
  place: string,
): Needed<T, K> {
  const missing = faults(found, needed, place);
  if (missing.length > 0) throw incomplete(missing);
  return found as Needed<T, K>;
}

function faults<T extends object>(
  found: T,
  needed: readonly (keyof T & string)[],
  place: string,
): ProblemFault[] {
  return needed
    .filter((field) => found[field] === undefined)
    .map((field) => ({ pointer: `${place}/${field}`, message: 'is needed here, or in the session' }));
}

function incomplete(errors: ProblemFault[]): Problem {
  return new Problem('validation-failed', 'Neither the request nor its session brings all that is needed.', {
    errors,
  });
}

function defined<T extends object>(body: T | undefined): Partial<T> {
  const members: Partial<T> = {};
  for (const name in body) if (body[name] !== undefined) members[name] = body[name];
  return members;
}
