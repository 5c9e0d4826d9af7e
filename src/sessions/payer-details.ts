import { Problem, type ProblemFault } from '../http/problems/problem.js';
import type { MethodFields } from '../methods/method-fields.js';
import type { Billing, Payer, SessionRecord } from '../store/schema.js';
import { isRequiredIn } from './address-rules.js';
import { e164, NO_PHONE_NUMBER } from './phone-number.js';

/** Who pays and where they are billed, as the gateway gets it. */
export interface Holder {
  readonly payer: Payer;
  readonly billing: Billing;
}

/**
 * Payer and billing address of a payment: the body's members, then the session's. Throws with all faults of both at once: what the
 * method needs and neither has, and a telephone number that is none. It is handed on as E.164.
 */
export function holderFrom(
  session: Pick<SessionRecord, 'payer' | 'billing' | 'currency'>,
  body: { readonly payer?: Payer | undefined; readonly billing?: Billing | undefined },
  needs: Pick<MethodFields, 'payer' | 'billing'>,
): Holder {
  const payer: Payer = { ...defined(session.payer), ...defined(body.payer) };
  const billing: Billing = { ...defined(session.billing), ...defined(body.billing) };
  const needed = needs.billing.filter((member) => isRequiredIn(billing.country, member));
  const faults = [...missing(payer, needs.payer, '/payer'), ...missing(billing, needed, '/billing')];
  // What a session has was read when it was made.
  const isRead = body.payer?.phone === undefined && payer.phone?.startsWith('+');
  if (payer.phone !== undefined && !isRead) {
    const phone = e164(payer.phone, { country: billing.country, currency: session.currency });
    if (phone !== undefined) payer.phone = phone;
    // A session of a former version may have another one. Nobody is asked about it in vain.
    else if (body.payer?.phone !== undefined || needs.payer.includes('phone')) {
      faults.push({ pointer: '/payer/phone', message: NO_PHONE_NUMBER });
    }
  }
  if (faults.length > 0) {
    throw new Problem('validation-failed', 'The request and its session lack fields, or have wrong ones.', {
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
