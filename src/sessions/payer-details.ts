import type { MethodFields } from '../gateway/method-fields.js';
import { Problem, type ProblemFault } from '../http/problems/problem.js';
import type { Billing, Payer, Session } from '../payments/core/payment.js';
import { isRequiredIn } from './address-rules.js';

/** Who pays and where they are billed, as the gateway gets it. */
export interface Holder {
  readonly payer: Payer;
  readonly billing: Billing;
}

/** The body's members, then the session's. Throws with everything that the method needs and neither has. */
export function holderFrom(
  session: Pick<Session, 'payer' | 'billing'>,
  body: { readonly payer?: Payer | undefined; readonly billing?: Billing | undefined },
  needs: Pick<MethodFields, 'payer' | 'billing'>,
): Holder {
  const payer: Payer = { ...session.payer, ...defined(body.payer) };
  const billing: Billing = { ...session.billing, ...defined(body.billing) };
  const needed = needs.billing.filter((member) => isRequiredIn(billing.country, member));
  const faults = [...missing(payer, needs.payer, '/payer'), ...missing(billing, needed, '/billing')];
  if (faults.length > 0)
    throw new Problem('validation-failed', 'The request and its session lack fields; see errors.', {
      errors: faults,
    });
  return { payer, billing };
}

function missing(found: object, needed: readonly string[], place: string): ProblemFault[] {
  return needed
    .filter((field) => (found as Record<string, unknown>)[field] === undefined)
    .map((field) => ({ pointer: `${place}/${field}`, message: 'is needed here, or in the session' }));
}

/** Without members that are undefined or null. */
export function defined<T extends object>(given: T | null | undefined): Partial<T> {
  const members: Partial<T> = { ...given };
  for (const name in members) if ((members[name] ?? undefined) === undefined) delete members[name];
  return members;
}
