import { validationFailed } from '../../http/problems/problem.js';
import type { Resolution } from '../core/input.js';
import { amountOf } from '../payments.service.js';
import type { ResolveDto } from './requests.dto.js';

/** Which of its three forms a resolution has. Throws `validation-failed` where it has none of them. */
export function resolutionOf(dto: ResolveDto, currency: string): Resolution {
  const { status, operation, refundId, amountReceived } = dto;
  const fault = (pointer: string, message: string) => validationFailed([{ pointer, message }]);
  if (operation !== undefined) {
    if (status !== undefined || refundId !== undefined || amountReceived !== undefined)
      throw fault('/operation', 'must stand alone beside note');
    return { operation };
  }
  if (status === undefined) throw fault('/status', 'is required, or operation in its place');
  if (refundId !== undefined) {
    if (status !== 'succeeded' && status !== 'failed')
      throw fault('/status', 'must be succeeded or failed for a refund');
    if (amountReceived !== undefined) throw fault('/amountReceived', 'does not go with a refund');
    return { refundId, status };
  }
  const received = amountOf(amountReceived, currency, '/amountReceived');
  if (received !== null && status !== 'succeeded')
    throw fault('/amountReceived', 'goes with the status succeeded only');
  return { status, ...(received === null ? {} : { amountReceived: received }) };
}
