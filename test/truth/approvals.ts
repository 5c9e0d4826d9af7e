import { expect } from '@jest/globals';
import { expectStatus, type Answer, type CallOptions } from '../harness/client.js';
import type { Scene } from '../harness/scene.js';
import { testKeys } from '../harness/tillfront.js';

export const ANNA = 'key-of-anna-8d1f0c6b2e9a4735';
export const BEN = 'key-of-ben-41c7e0d9b3a8f256';
export const BOOKS = 'key-of-books-73e2b90d5c1f68a4';

/** Two people with names, a server without one, and one who keeps the books. */
export const FOUR_EYES = {
  APPROVAL_ABOVE: 'NGN:1000.00,USD:50.00',
  MERCHANT_API_KEY: `${testKeys.merchant},anna=${ANNA},ben=${BEN}`,
  MERCHANT_BOOKS_API_KEY: `carol=${BOOKS}`,
};

export interface ApprovalBody {
  id: string;
  state: 'waiting' | 'approved' | 'declined' | 'expired';
  amount: string;
  currency: string;
  paymentId: string;
  reference: string;
  reason: string | null;
  askedBy: string;
  createdAt: string;
  expiresAt: string;
  decidedBy: string | null;
  decidedAt: string | null;
  note: string | null;
}
export interface Approved<R = Record<string, unknown>> {
  approval: ApprovalBody;
  result: R | null;
}

type Client = Pick<Scene, 'client'>;

export function decide<R>(
  { client }: Client,
  doing: 'approve' | 'decline',
  { id }: Pick<ApprovalBody, 'id'>,
  options: CallOptions = {},
  body: object = {},
): Promise<Answer<Approved<R>>> {
  return client.post<Approved<R>>(`/v1/approvals/${id}/${doing}`, body, options);
}

export const approve = <R = Record<string, unknown>>(
  scene: Client,
  approval: Pick<ApprovalBody, 'id'>,
  options: CallOptions = { token: BEN },
  body: object = {},
): Promise<Answer<Approved<R>>> => decide<R>(scene, 'approve', approval, options, body);

export async function approvalsOf({ client }: Client, query = ''): Promise<ApprovalBody[]> {
  const list = await client.get<{ data: ApprovalBody[] }>(`/v1/approvals${query}`);
  return expectStatus(list, 200).body.data;
}

/** The approval that a call was answered with: it waits. */
export function waiting(answer: Answer<unknown>): ApprovalBody {
  const { approval, result } = expectStatus(answer, 202).body as Approved;
  expect(result).toBeNull();
  return approval;
}
