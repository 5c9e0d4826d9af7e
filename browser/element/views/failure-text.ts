import type { Payment } from '../../kit/types.js';
import type { ViewContext } from './view-context.js';

/** Why a payment did not succeed, for the payer. */
export function failureText({ language: { t } }: ViewContext, { status, failure }: Payment): string[] {
  if (status === 'voided') return [t('voided.text')];
  if (status === 'expired' || failure?.code === 'expired') return [t('failed.expired')];
  if (failure === null || failure.code === 'gateway_never_received') return [t('failed.text')];
  // the bank's message is for the payer, but errors of the shop's own connection are not
  if (failure.code !== 'declined') return [t('failed.unavailable')];
  return [failure.message, t('failed.text')];
}
