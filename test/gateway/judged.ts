import type { Fact } from '../../src/gateway/fact.js';
import { judge } from '../../src/gateway/answer/judge.js';
import { compileReader } from '../../src/gateway/answer/reader.js';
import type { PaymentFacts } from '../../src/gateway/payment-facts.js';
import { parseProfile } from '../../src/gateway/profile/load.js';
import { MEANINGS, OPERATIONS, type OperationName, type Profile } from '../../src/gateway/profile/schema.js';

/** A gateway that has everything, with the answers of the built-in one. */
export const whole = parseProfile(
  JSON.stringify({
    operations: {
      ...Object.fromEntries(
        OPERATIONS.map((name) => [name, { post: `/${name}`, body: { ref: '{client_ref}' } }]),
      ),
      listUssdBanks: { get: '/banks', banks: { list: '/l', code: '/c', name: '/n' } },
      refundStatus: { get: '/r/{refundRef}' },
    },
    answer: {
      ...{ error: '/error', message: '/message', code: '/code', status: ['/status', '/code'] },
      ...{
        transactionRef: '/tx',
        reference: '/ref',
        amount: '/amount',
        currency: '/currency',
        amountOptional: true,
      },
      ...{
        redirectUrl: '/url',
        accountNumber: '/account',
        accountName: '/holder',
        bankName: '/bank',
        ussdCode: '/dial',
      },
      ...{
        expiresAt: '/ends',
        refundedAmount: '/refunded',
        disputedAmount: '/disputed',
        paidAt: '/paidAt',
        refundedAt: '/refundedAt',
      },
      words: Object.fromEntries(MEANINGS.map((name) => [name, [name]])),
    },
    declines: { insufficientFunds: ['51', 'Not enough'], tryAgain: ['19'] },
  }),
);

export interface Said {
  readonly status?: number;
  readonly headers?: { readonly retryAfter: string };
  readonly body: unknown;
}

/** What an answer says, as `whole` or another profile reads it. */
export function factOf(
  operation: OperationName,
  { status = 200, body, headers }: Said,
  over: Partial<PaymentFacts> = {},
  profile: Profile = whole,
): Fact {
  const call = profile.operations[operation];
  if (!call) throw new Error('no such operation');
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const facts: PaymentFacts = {
    clientRef: 'O_1',
    currency: 'NGN',
    amount: 150000n,
    refundRef: 'R1',
    ...over,
  };
  const scope = {
    facts,
    digits: profile.digits ?? {},
    notifyUrl: '',
    apiKey: undefined,
    accessToken: undefined,
    now: new Date(0),
  };
  const exchanged = {
    kind: 'answer',
    status,
    text,
    ...(headers && { retryAfter: headers.retryAfter }),
  } as const;
  return judge(compileReader(profile, operation, call), exchanged, {
    scope,
    url: 'https://gw.example/api/pay',
    mode: 'live',
  }).fact;
}
