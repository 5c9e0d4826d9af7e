import { POLICY } from '../interpret/meaning.js';
import { assertSupported, type OnPayment, type OperationKind } from './command.js';
import { assertVoidable, assertVoidableByPolicy } from './void-rules.js';

/**
 * Gives the money back, or releases the hold. Refused with `invalid-state` where nothing is held or taken, with
 * `operation-in-progress` while the policy voids the payment's duplicate, and with `outcome-unknown` where a void of its order may have
 * been done and the gateway does not say. The policy voids a duplicate: whether it may is decided by the write that records the intent.
 */
export interface Void extends OnPayment {
  readonly type: 'void';
}

export const voiding: OperationKind<Void> = {
  allow({ actor }, rows, { gateway }) {
    if (actor === POLICY) {
      assertVoidableByPolicy(rows);
    } else {
      assertSupported(gateway, 'void');
      assertVoidable(rows);
    }
    return null;
  },
  // The policy has asked before it came to this.
  asksFirst: ({ actor }, rows, { answers }) => actor !== POLICY && answers.areNeeded(rows),
  send: async (_, { payment }, gate, { gateway, facts }) =>
    gateway.void(await facts.of(payment, 'void'), gate),
};
