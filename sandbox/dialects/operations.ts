/** The ten operations that the gateway's own description names, by the keys that a gateway profile uses for them. */
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

/** Further ones, which only some gateways have. `createOrder` comes before a payment, and moves no money. */
export const FURTHER_OPERATIONS = ['createOrder', 'validatePin', 'refund', 'refundStatus'] as const;

export type DescribedOperation = (typeof OPERATIONS)[number];
export type Operation = DescribedOperation | (typeof FURTHER_OPERATIONS)[number];

/** Whether the gateway's own description names an operation. */
export function isDescribed(operation: Operation): operation is DescribedOperation {
  return OPERATIONS.some((one) => one === operation);
}

export function isOperation(name: unknown): name is Operation {
  return [...OPERATIONS, ...FURTHER_OPERATIONS].some((operation) => operation === name);
}
