import { expect } from '@jest/globals';
import { expectStatus, type Answer, type CallOptions, type PaymentBody } from '../harness/client.js';
import type { Behaviour } from '../harness/gateway-behaviour.js';
import type { RecordedRequest } from '../harness/request-reader.js';
import type { Scene } from '../harness/scene.js';
import { until } from '../harness/until.js';
import { profileFile } from '../profiles/strict-gateway.js';
import { act, answer, cardAnswer, paymentThatIs, sent, type Situation } from './situations.js';
import { eventsOf } from './two-paid.js';

export const REFUND = 'POST /payment/refund';

const refund = { method: 'POST', path: '/payment/refund', credentials: true };
const refundStatus = {
  method: 'GET',
  path: '/refund/{refundRef}',
  credentials: true,
  outcome: { reference: ['/data/transaction/refundRef'] },
};

/** A gateway that can refund, of which refunds can be asked about or not. */
export const withRefunds = (): string => profileFile({ operations: { refund } });
export const refundOperations = {
  refund: { ...refund, outcome: { reference: ['/data/transaction/refundRef'] } },
  refundStatus,
};
export const withRefundStatus = (): string => profileFile({ operations: refundOperations });

/** A refund as the service shows it. */
export interface RefundBody {
  id: string;
  paymentId: string;
  amount: string;
  status: 'processing' | 'succeeded' | 'failed';
  reason: string | null;
  createdAt: string;
}

/** What the gateway says of a transaction or a refund. */
export const says = (status: string, more: Record<string, unknown> = {}): Behaviour =>
  answer(cardAnswer({ status, ...more }));

export const refused = answer(cardAnswer({}, { error: true, message: 'Not today', errorCode: '61' }));
export const lost: Behaviour = { do: 'reset-after-reading' };

export function giveBack(
  { client }: Pick<Scene, 'client'>,
  { id }: Pick<PaymentBody, 'id'>,
  body: object = {},
  options: CallOptions = {},
): Promise<Answer<RefundBody>> {
  return client.post<RefundBody>(`/v1/payments/${id}/refunds`, body, options);
}

export async function refundsOf(
  { client }: Pick<Scene, 'client'>,
  { id }: Pick<PaymentBody, 'id'>,
): Promise<RefundBody[]> {
  const list = await client.get<{ data: RefundBody[] }>(`/v1/payments/${id}/refunds`);
  return expectStatus(list, 200).body.data;
}

export const paid = (scene: Scene): Promise<Situation> => paymentThatIs(scene, 'succeeded');

/** What the gateway was sent to refund of an order: references and amounts. */
export function refundsSent(scene: Scene, payment: PaymentBody): { refundRef: string; amount: string }[] {
  return sent(scene, REFUND, payment).map(({ json }: RecordedRequest) => {
    const { refundRef, amount } = json as { refundRef: string; amount: string };
    return { refundRef, amount };
  });
}

/** What was announced of money given back, in order, once there are so many. */
export async function announcedOf(
  scene: Scene,
  payment: PaymentBody,
  count: number,
): Promise<[string, string | null, string | undefined][]> {
  const found = async (): Promise<[string, string | null, string | undefined][]> =>
    (await eventsOf(scene, payment))
      .filter(({ type }) => type.startsWith('payment.refund'))
      .map(({ type, data, operation }) => [
        type,
        (data as unknown as PaymentBody).amountRefunded,
        operation?.amount,
      ]);
  await until(async () => (await found()).length >= count);
  return found();
}

/** Resolves one refund as a person would. */
export function resolveRefund(
  scene: Scene,
  payment: PaymentBody,
  { id: refundId }: Pick<RefundBody, 'id'>,
  status: string,
): Promise<Answer<PaymentBody>> {
  return act(scene, 'resolve', payment, { refundId, status, note: 'Seen on the bank statement.' });
}

/** Expects the payment to show so much as given back, and its refunds to be so. */
export async function expectGivenBack(
  scene: Scene,
  payment: PaymentBody,
  amountRefunded: string | null,
  statuses: RefundBody['status'][],
): Promise<void> {
  const now = await scene.client.getPayment(payment.id);
  expect(now).toMatchObject({ status: 'succeeded', amountRefunded });
  expect((await refundsOf(scene, payment)).map(({ status }) => status)).toEqual(statuses);
}
