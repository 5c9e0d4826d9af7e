import type { PaymentBody, PaymentStatus, SessionBody } from '../harness/client.js';
import { expectStatus, type Answer } from '../harness/client.js';
import {
  answer,
  approved,
  cardAnswer,
  declined,
  held,
  otpRequired,
  redirectRequired,
  usualMoney,
  walletStarted,
} from '../harness/gateway-answers.js';
import type { Behaviour, Responder } from '../harness/gateway-behaviour.js';
import type { Scene } from '../harness/scene.js';

/** A session with a payment of it, brought into a situation by what the gateway said. */
export interface Situation {
  session: SessionBody;
  payment: PaymentBody;
}

export const pending = cardAnswer({ status: 'PENDING' });
export const voided = cardAnswer({ status: 'VOIDED' });
export const failed = cardAnswer({ status: 'FAILED' });
export const expired = cardAnswer({ status: 'EXPIRED' });

export function paidWith(money: object): Behaviour {
  return answer(cardAnswer({ status: 'SUCCESS', ...money }));
}

export const otherAmount = paidWith({ amount: '1.00', currency: 'NGN' });
export const noWord: Behaviour = answer({}, 500);

/** What the gateway says from now on when it is asked about this payment. */
export function say(scene: Scene, payment: PaymentBody, ...behaviours: (Behaviour | Responder)[]): void {
  const byPost = payment.method === 'transfer' || payment.method === 'ussd';
  scene.gateway.script(
    byPost ? 'POST /payment/status' : `GET /transaction/${payment.gatewayReference}`,
    ...behaviours,
  );
}

/** How often the gateway was asked about this payment. */
export function questions(scene: Scene, payment: PaymentBody): number {
  return scene.gateway.requestsTo(`GET /transaction/${payment.gatewayReference}`).length;
}

export async function payCard(scene: Scene, behaviour: Behaviour, session?: SessionBody): Promise<Situation> {
  const owed = session ?? (await scene.client.createSession());
  scene.gateway.script('POST /payment/card', behaviour);
  const { body } = expectStatus(await scene.client.payCard(owed), 201, 202);
  return { session: owed, payment: body };
}

export async function payWallet(scene: Scene, session?: SessionBody): Promise<Situation> {
  const owed = session ?? (await scene.client.createSession());
  scene.gateway.script('POST /init-partner', walletStarted());
  return { session: owed, payment: expectStatus(await scene.client.payWallet(owed), 201).body };
}

export function refresh(scene: Scene, payment: PaymentBody): Promise<Answer<PaymentBody>> {
  return scene.client.post<PaymentBody>(`/v1/payments/${payment.id}/refresh`);
}

/** Asks now and gives the payment as it then stands. */
export async function asked(scene: Scene, payment: PaymentBody): Promise<PaymentBody> {
  return expectStatus(await refresh(scene, payment), 200).body;
}

export function cancel(scene: Scene, payment: PaymentBody, token?: string): Promise<Answer<PaymentBody>> {
  return scene.client.post<PaymentBody>(`/v1/payments/${payment.id}/cancel`, {}, token ? { token } : {});
}

export async function sessionOf(scene: Scene, { id }: SessionBody): Promise<SessionBody> {
  return expectStatus(await scene.client.get<SessionBody>(`/v1/checkout-sessions/${id}`), 200).body;
}

/** A payment in each status, as a payer's and the gateway's doings would bring it there. */
export async function paymentThatIs(scene: Scene, status: PaymentStatus): Promise<Situation> {
  const found = await bringTo(scene, status);
  if (found.payment.status !== status) throw new Error(`not ${status}: ${JSON.stringify(found.payment)}`);
  return found;
}

async function bringTo(scene: Scene, status: PaymentStatus): Promise<Situation> {
  switch (status) {
    case 'processing':
      return payCard(scene, { do: 'reset-after-reading' });
    case 'requires_action':
      return payCard(scene, answer(redirectRequired));
    case 'authorized':
      return payCard(scene, answer(held));
    case 'succeeded':
      return payCard(scene, answer(approved));
    case 'failed':
      return payCard(scene, answer(declined));
    case 'expired':
      return payCard(scene, answer(expired));
    case 'voided':
      return payCard(scene, answer(voided));
    case 'canceled': {
      const waiting = await payCard(scene, answer(redirectRequired));
      say(scene, waiting.payment, answer(pending));
      const { body } = expectStatus(await cancel(scene, waiting.payment), 200);
      return { ...waiting, payment: body };
    }
  }
}

/** A payment that waits for a one-time code. */
export function waitingForCode(scene: Scene): Promise<Situation> {
  return payCard(scene, answer(otpRequired));
}

export { answer, approved, cardAnswer, declined, held, otpRequired, redirectRequired, usualMoney };
