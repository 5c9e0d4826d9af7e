import type { PaymentMethod } from '../config/config.js';
import type { OperationKey, Profile } from './profile-format.js';

/**
 * Operations whose path and body the built-in profile only assumes, by the methods that use them. Card payment and wallet
 * initiation are not among them: their requests are the gateway's own words (seed 2.1, 2.3). What their answers mean is
 * the assumption `outcome`. A payment of any method can be voided once it is paid; only a card payment can be held and
 * completed.
 */
const assumedOperations: Readonly<Record<PaymentMethod, readonly OperationKey[]>> = {
  card: ['validateOtp', 'transactionStatus', 'complete', 'void'],
  wallet: ['transactionStatus', 'void'],
  transfer: ['initiateTransfer', 'transferUssdStatus', 'void'],
  ussd: ['listUssdBanks', 'generateUssdCode', 'transferUssdStatus', 'void'],
};

/** Which operation each method begins with; where its body is encrypted, `encryption` is in use. */
const initiations: Readonly<Record<PaymentMethod, OperationKey>> = {
  card: 'payCard',
  wallet: 'initiateWallet',
  transfer: 'initiateTransfer',
  ussd: 'generateUssdCode',
};

/**
 * The assumptions that the enabled methods use: operation keys, `outcome`, `encryption`, `notification`.
 * `outcome` and `notification` are used by every method: each is told about by notifications, and a secret or not, where
 * the reference stands in them is assumed. `encryption` is used by card payments whatever the scheme, for the gateway is
 * known to have a model of its own for them (seed 4.1), and by any method whose bodies the profile encrypts.
 */
export function usedAssumptions(
  profile: Profile,
  methods: readonly PaymentMethod[],
  { notificationSecretSet = false }: { readonly notificationSecretSet?: boolean } = {},
): string[] {
  const operations = new Set(methods.flatMap((method) => assumedOperations[method]));
  const { scheme, operations: encrypted } = profile.encryption;
  const asked = new Set<string>([...operations, ...methods.map((method) => initiations[method])]);
  const encrypts = methods.includes('card') || (scheme !== 'none' && encrypted.some((key) => asked.has(key)));
  return [
    ...operations,
    ...(methods.length > 0 ? ['outcome'] : []),
    ...(encrypts ? ['encryption'] : []),
    ...(methods.length > 0 || notificationSecretSet ? ['notification'] : []),
  ];
}

/** Those of {@link usedAssumptions} that the profile does not list as confirmed. */
export function profileAssumptions(
  profile: Profile,
  methods: readonly PaymentMethod[],
  options: { readonly notificationSecretSet?: boolean } = {},
): string[] {
  return usedAssumptions(profile, methods, options).filter((name) => !profile.confirmed.includes(name));
}
