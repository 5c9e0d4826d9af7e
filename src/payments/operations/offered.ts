import type { Config } from '../../config/config.js';
import { Problem } from '../../http/problems/problem.js';
import type { PaymentMethod, SessionRecord } from '../../store/schema.js';

/** Throws where a method is not offered, by the service or by this session. */
export function assertMethodOffered(session: SessionRecord, method: PaymentMethod, config: Config): void {
  if (session.methods.includes(method) && config.payments.methods.includes(method)) return;
  throw new Problem('validation-failed', `This session does not offer payment by ${method}.`, {
    errors: [{ pointer: '', message: `this session does not offer payment by ${method}` }],
  });
}
