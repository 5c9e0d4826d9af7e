import type { Config } from '../../config/config.js';
import { Problem } from '../../http/problems/problem.js';
import type { PaymentMethod, SessionRecord } from '../../store/schema.js';

/** Throws `validation-failed` where the service or this session does not offer a method. */
export function assertMethodOffered(session: SessionRecord, method: PaymentMethod, config: Config): void {
  if (session.methods.includes(method) && config.payments.methods.includes(method)) return;
  throw new Problem('validation-failed', `This session does not offer payment by ${method}.`, {
    errors: [{ pointer: '', message: `this session does not offer payment by ${method}` }],
  });
}
