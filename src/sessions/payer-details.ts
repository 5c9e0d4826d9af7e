import { Problem, type ProblemFault } from '../http/problems/problem.js';
import type { MethodFields } from '../methods/method-fields.js';
import type { Billing, Payer, SessionRecord } from '../store/schema.js';
import { isRequiredIn } from './address-rules.js';

/** Who pays and where they are billed, as the gateway gets it. */
export interface Holder {
  readonly payer: Payer;
  readonly billing: Billing;
}

/**
 * Payer and billing address of a payment: the body's members, then the session's. Throws with everything that the method needs
 * and neither has.
 */
export function holderFrom(
  session: Pick<SessionRecord, 'payer' | 'billing' | 'currency'>,
  body: { readonly payer?: Payer | undefined; readonly billing?: Billing | undefined },
  needs: Pick<MethodFields, 'payer' | 'billing'>,
): Holder {
  const payer: Payer = { ...defined(session.payer), ...defined(body.payer) };
  const billing: Billing = { ...defined(session.billing), ...defined(body.billing) };
  // A person may have one name: the gateway gets a dash for the other.
  if (payer.firstName !== undefined && needs.payer.includes('lastName')) payer.lastName ??= '-';
  const needed = needs.billing.filter((member) => isRequiredIn(billing.country, member));
  const faults = [...missing(payer, needs.payer, '/payer'), ...missing(billing, needed, '/billing')];
  if (faults.length > 0) {
    throw new Problem('validation-failed', 'The request and its session lack fields.', {
      errors: faults,
    });
  }
  return { payer, billing };
}

function missing<T extends object>(
  found: T,
  needed: readonly (keyof T & string)[],
  place: string,
): ProblemFault[] {
  return needed
    .filter((field) => found[field] === undefined)
    .map((field) => ({ pointer: `${place}/${field}`, message: 'is needed here, or in the session' }));
}

/** What was not given may stand there as undefined or null. */
function defined<T extends object>(given: T | null | undefined): Partial<T> {
  const members: Partial<T> = {};
  if (given)
    for (const name in given) if ((given[name] ?? undefined) !== undefined) members[name] = given[name];
  return members;
}
