import type { PaymentMethod } from '../config/payment-method.js';
import type { OperationKey, Profile } from '../gateway/profile/format.js';
import { methodOf } from './methods.js';

/**
 * The assumptions that the enabled methods use: operation keys, `outcome`, `encryption`, `notification`. Every method uses
 * `outcome` and `notification`: notifications concern all of them, and where the reference is in a notification is an
 * assumption even without a secret. Card payments use `encryption` whatever the scheme, because the gateway is known to
 * have its own model for them. So does any method whose bodies the profile encrypts.
 */
export function usedAssumptions(
  profile: Profile,
  methods: readonly PaymentMethod[],
  { notificationSecretSet = false }: { readonly notificationSecretSet?: boolean } = {},
): string[] {
  const used = methods.map((name) => methodOf(name));
  const operations = new Set(
    [...used.flatMap(({ assumed }) => assumed), ...optionalOperations(methods)].filter(
      (key) => profile.operations[key],
    ),
  );
  const { scheme, operations: encrypted } = profile.encryption;
  const asked = new Set<string>([...operations, ...used.map(({ initiation }) => initiation)]);
  const encrypts =
    used.some(({ carriesSecrets }) => carriesSecrets) ||
    (scheme !== 'none' && encrypted.some((key) => asked.has(key)));
  return [
    ...operations,
    ...(methods.length > 0 ? ['outcome'] : []),
    ...(encrypts ? ['encryption'] : []),
    ...(methods.length > 0 || notificationSecretSet ? ['notification'] : []),
  ];
}

/** The operations that these methods use where the gateway has them. */
export function optionalOperations(methods: readonly PaymentMethod[]): OperationKey[] {
  return [
    ...(methods.some((method) => methodOf(method).takesOtp) ? (['validatePin'] as const) : []),
    ...(methods.length > 0 ? (['refund', 'refundStatus'] as const) : []),
  ];
}

/** The {@link usedAssumptions} that the profile does not list as confirmed. */
export function profileAssumptions(
  profile: Profile,
  methods: readonly PaymentMethod[],
  options: { readonly notificationSecretSet?: boolean } = {},
): string[] {
  return usedAssumptions(profile, methods, options).filter((name) => !profile.confirmed.includes(name));
}
