/** The ten operations, by the keys that a gateway profile uses for them. */
export const OPERATIONS = [
  'payCard',
  'initiateWallet',
  'validateOtp',
  'initiateTransfer',
  'transferUssdStatus',
  'listUssdBanks',
  'generateUssdCode',
  'transactionStatus',
  'complete',
  'void',
] as const;

export type Operation = (typeof OPERATIONS)[number];

export const INITIATING: readonly Operation[] = [
  'payCard',
  'initiateWallet',
  'initiateTransfer',
  'generateUssdCode',
];
export const ASKING: readonly Operation[] = ['transactionStatus', 'transferUssdStatus', 'listUssdBanks'];

export function isOperation(name: unknown): name is Operation {
  return OPERATIONS.some((operation) => operation === name);
}
