import { START_OF, type MethodName } from '../method-fields.js';
import { OPERATIONS, type OperationName, type Profile } from './schema.js';

/** The methods whose payments use an operation; all where absent. */
const USED_BY: Partial<Record<OperationName, readonly MethodName[]>> = {
  ...Object.fromEntries(Object.entries(START_OF).map(([method, start]) => [start, [method]])),
  validateOtp: ['card'],
  validatePin: ['card'],
  listUssdBanks: ['ussd'],
  transferUssdStatus: ['transfer', 'ussd'],
};

/** What the enabled methods use of a profile and nobody has checked against the gateway. In live mode each stops the start. */
export function unconfirmed(
  { operations, notification, confirmed = [] }: Profile,
  methods: readonly MethodName[],
): string[] {
  const isUsed = (name: OperationName): boolean =>
    operations[name] !== undefined && methods.some((method) => USED_BY[name]?.includes(method) ?? true);
  const used = [...OPERATIONS.filter(isUsed), 'answer', ...(notification ? ['notification'] : [])];
  return used.filter((name) => !confirmed.some((one) => one === name));
}
