import type { Profile } from '../profile/format.js';
import { planOperation, type OperationPlan } from './operation-plan.js';

/** A profile, compiled once at the start: every operation that the gateway has, by key. */
export type ProfilePlan = ReadonlyMap<string, OperationPlan>;

/** Compiles a profile. It must have been checked. */
export function planProfile(profile: Profile): ProfilePlan {
  const plans = new Map<string, OperationPlan>();
  for (const [key, operation] of Object.entries(profile.operations)) {
    if (operation) plans.set(key, planOperation(profile, { place: 'operations', key, operation }));
  }
  return plans;
}
