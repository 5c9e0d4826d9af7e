import type { OperationName, Profile } from './profile/schema.js';
import { partsOf } from './profile/uses.js';
import { WORDS, wordOf } from './request/words.js';

export type MethodName = 'card' | 'wallet' | 'transfer' | 'ussd';

/** The operation that starts a payment by each method. */
export const START_OF = {
  card: 'payCard',
  wallet: 'initiateWallet',
  transfer: 'initiateTransfer',
  ussd: 'generateUssdCode',
} as const satisfies Record<MethodName, OperationName>;

/** What a payer is asked for, by the names that the API gives to fields. */
export interface MethodFields {
  readonly payer: readonly string[];
  readonly billing: readonly string[];
  /** Shown, and required of nobody. */
  readonly optional: readonly string[];
  readonly card: readonly string[];
  readonly device: readonly string[];
  /** Card brands whose PIN is asked for with the card. */
  readonly pin: { readonly brands: readonly string[] };
}

/** The methods that a profile can offer. */
export function methodsOf({ operations }: Profile): MethodName[] {
  return (Object.keys(START_OF) as MethodName[]).filter((method) => operations[START_OF[method]]);
}

/** What a payer is asked for by a method: each unmarked word of its start, and of the call before that. */
export function methodFields(profile: Profile, method: MethodName): MethodFields {
  const parts = partsOf(profile.operations[START_OF[method]]);
  const unmarked = parts.filter(({ marked }) => !marked).map(({ word }) => wordOf(word).asks);
  const asked = new Set([...unmarked, method === 'card' ? 'card.number' : undefined]);
  const inOrder = [...new Set(Object.values(WORDS).map(({ asks }) => asks))].filter((one) => asked.has(one));
  const of = (group: string): string[] =>
    inOrder.flatMap((one) =>
      one?.startsWith(`${group}.`) && one !== 'card.pin' ? [one.slice(group.length + 1)] : [],
    );
  const showsLastName = parts.some(({ word }) => word === 'lastName') && !asked.has('payer.lastName');
  return {
    payer: of('payer'),
    billing: of('billing'),
    optional: showsLastName ? ['lastName'] : [],
    card: of('card'),
    device: of('device'),
    pin: { brands: method === 'card' ? (profile.pinWithCard ?? []) : [] },
  };
}
