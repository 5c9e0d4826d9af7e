import { Problem, type ProblemFault } from '../http/problems/problem.js';
import type { Needed } from '../methods/method-descriptor.js';
import type { Billing, Payer, SessionRecord } from '../store/schema.js';

/** Payer and billing address, both with all that is needed; throws with all faults of both at once. */
export function holderFrom<P extends keyof Payer, B extends keyof Billing>(
  session: SessionRecord,
  body: { payer?: Payer; billing?: Billing },
  needs: { readonly payer: readonly P[]; readonly billing: readonly B[] },
): { payer: Needed<Payer, P>; billing: Needed<Billing, B> } {
  const payer = { ...session.payer, ...defined(body.payer) };
  const billing = { ...session.billing, ...defined(body.billing) };
  const missing = [...faults(payer, needs.payer, '/payer'), ...faults(billing, needs.billing, '/billing')];
  if (missing.length > 0) throw incomplete(missing);
  return { payer: payer as Needed<Payer, P>, billing: billing as Needed<Billing, B> };
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
  return new Problem('validation-failed', 'The request and its session together lack required fields.', {
    errors,
  });
}

function defined<T extends object>(body: T | undefined): Partial<T> {
  const members: Partial<T> = {};
  for (const name in body) if (body[name] !== undefined) members[name] = body[name];
  return members;
}
