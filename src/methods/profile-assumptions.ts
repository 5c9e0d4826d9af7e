import type { PaymentMethod } from '../config/read-config.js';
import type { Profile } from '../gateway/profile/format.js';
import { methodOf } from './methods.js';

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
  const used = methods.map(methodOf);
  const operations = new Set(used.flatMap(({ assumed }) => assumed));
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

/** Those of {@link usedAssumptions} that the profile does not list as confirmed. */
export function profileAssumptions(
  profile: Profile,
  methods: readonly PaymentMethod[],
  options: { readonly notificationSecretSet?: boolean } = {},
): string[] {
  return usedAssumptions(profile, methods, options).filter((name) => !profile.confirmed.includes(name));
}
