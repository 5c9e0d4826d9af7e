import {
  expectStatus,
  type Answer,
  type CallOptions,
  type PaymentBody,
  type PaymentStatus,
  type SessionBody,
} from '../harness/client.js';
import {
  answer,
  approved,
  cardAnswer,
  cashierUrl,
  declined,
  held,
  otpRequired,
  redirectRequired,
  usualMoney,
  walletStarted,
} from '../harness/gateway-answers.js';
import type { Behaviour, Responder } from '../harness/gateway-behaviour.js';
import type { MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import type { RecordedRequest } from '../harness/request-reader.js';
import type { Scene } from '../harness/scene.js';

/** A session with a payment of it, brought into a situation by what the gateway said. */
export interface Situation {
  session: SessionBody;
  payment: PaymentBody;
}

/** The gateway and a client: what a situation needs of a scene. */
export type Stage = Pick<Scene, 'gateway' | 'client'>;

export const pending = cardAnswer({ status: 'PENDING' });
export const voided = cardAnswer({ status: 'VOIDED' });
export const failed = cardAnswer({ status: 'FAILED' });
export const expired = cardAnswer({ status: 'EXPIRED' });

export function paidWith(money: object): Behaviour {
  return answer(cardAnswer({ status: 'SUCCESS', ...money }));
}

export const otherAmount = paidWith({ amount: '1.00', currency: 'NGN' });
export const noWord: Behaviour = answer({}, 500);

type Said = Behaviour | Responder;

const scripts = new WeakMap<MisbehavingGateway, Map<string, Said[]>>();

function orderOf(request: RecordedRequest): string {
  const { client_ref: reference = '' } = (request.json ?? {}) as { client_ref?: string };
  return reference.replace(/_\d+$/, '');
}

/**
 * What the gateway does with calls to a route about one order, one behaviour after the other, the last for good: orders
 * do not disturb each other, so many scenarios can share a running service.
 */
export function will(
  { gateway }: Stage,
  route: string,
  { reference }: { reference: string },
  ...said: Said[]
): void {
  const script = scripts.get(gateway) ?? new Map<string, Said[]>();
  scripts.set(gateway, script);
  script.set(`${route} ${reference}`, [...said]);
  gateway.script(route, async (request) => {
    const queue = script.get(`${route} ${orderOf(request)}`);
    const next = queue && queue.length > 1 ? queue.shift() : queue?.[0];
    if (!next) throw new Error(`nothing was said about ${orderOf(request)} at ${route}`);
    return typeof next === 'function' ? next(request) : next;
  });
}

/** What the gateway got about an order at a route. */
export function sent(
  { gateway }: Stage,
  route: string,
  { reference }: { reference: string },
): RecordedRequest[] {
  return gateway.requestsTo(route).filter((request) => orderOf(request) === reference);
}

/** What the gateway says from now on when it is asked about this payment. */
export function say(stage: Stage, payment: PaymentBody, ...said: Said[]): void {
  const byPost = payment.method === 'transfer' || payment.method === 'ussd';
  if (byPost) will(stage, 'POST /payment/status', payment, ...said);
  else stage.gateway.script(`GET /transaction/${payment.gatewayReference}`, ...said);
}

/** How often the gateway was asked about this payment. */
export function questions(stage: Stage, payment: PaymentBody): number {
  const { gatewayReference } = payment;
  return (
    stage.gateway.requestsTo(`GET /transaction/${gatewayReference}`).length +
    sent(stage, 'POST /payment/status', payment).length
  );
}

export const CARD = 'POST /payment/card';
export const OTP = 'POST /payment/validate-otp';
export const COMPLETION = 'POST /payment/completion';
export const VOID = 'POST /payment/void';

export async function payCard(stage: Stage, said: Said, session?: SessionBody): Promise<Situation> {
  const owed = session ?? (await stage.client.createSession());
  will(stage, CARD, owed, said);
  const { body } = expectStatus(await stage.client.payCard(owed), 201, 202);
  return { session: owed, payment: body };
}

export async function payWallet(stage: Stage, session?: SessionBody): Promise<Situation> {
  const owed = session ?? (await stage.client.createSession());
  will(stage, 'POST /init-partner', owed, walletStarted());
  return { session: owed, payment: expectStatus(await stage.client.payWallet(owed), 201).body };
}

export type Doing = 'otp' | 'cancel' | 'complete' | 'void' | 'resolve' | 'refresh';

/** One of the calls on a payment, by the merchant. */
export function act(
  { client }: Stage,
  doing: Doing,
  { id }: PaymentBody,
  body: object = {},
  options: CallOptions = {},
): Promise<Answer<PaymentBody>> {
  return client.post<PaymentBody>(`/v1/payments/${id}/${doing}`, body, options);
}

/** Asks now and gives the payment as it then stands. */
export async function asked(stage: Stage, payment: PaymentBody): Promise<PaymentBody> {
  return expectStatus(await act(stage, 'refresh', payment), 200).body;
}

export async function sessionOf({ client }: Stage, { id }: SessionBody): Promise<SessionBody> {
  return expectStatus(await client.get<SessionBody>(`/v1/checkout-sessions/${id}`), 200).body;
}

/** The types of a payment's timeline, in order. */
export async function timelineOf({ client }: Stage, { id }: PaymentBody): Promise<string[]> {
  return (await client.getEvents(id)).map(({ type, to }) => (type === 'status_changed' ? String(to) : type));
}

/** A payment in each status, as a payer's and the gateway's doings would bring it there. */
export async function paymentThatIs(stage: Stage, status: PaymentStatus): Promise<Situation> {
  const found = await bringTo(stage, status);
  if (found.payment.status !== status) throw new Error(`not ${status}: ${JSON.stringify(found.payment)}`);
  return found;
}

async function bringTo(stage: Stage, status: PaymentStatus): Promise<Situation> {
  switch (status) {
    case 'processing':
      return payCard(stage, { do: 'reset-after-reading' });
    case 'requires_action':
      return payCard(stage, answer(redirectRequired));
    case 'authorized':
      return payCard(stage, answer(held));
    case 'succeeded':
      return payCard(stage, answer(approved));
    case 'failed':
      return payCard(stage, answer(declined));
    case 'expired':
      return payCard(stage, answer(expired));
    case 'voided':
      return payCard(stage, answer(voided));
    case 'canceled': {
      const waiting = await payCard(stage, answer(redirectRequired));
      say(stage, waiting.payment, answer(pending));
      return { ...waiting, payment: expectStatus(await act(stage, 'cancel', waiting.payment), 200).body };
    }
  }
}

/** A payment that waits for a one-time code. */
export function waitingForCode(stage: Stage): Promise<Situation> {
  return payCard(stage, answer(otpRequired));
}

export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

export {
  answer,
  approved,
  cardAnswer,
  cashierUrl as cashier,
  declined,
  held,
  otpRequired,
  redirectRequired,
  usualMoney,
};
