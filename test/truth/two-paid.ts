import { expect } from '@jest/globals';
import { expectStatus, type PaymentBody } from '../harness/client.js';
import type { Behaviour, Responder } from '../harness/gateway-behaviour.js';
import type { Scene } from '../harness/scene.js';
import { until } from '../harness/until.js';
import {
  act,
  answer,
  asked,
  cardAnswer,
  payCard,
  payWallet,
  pending,
  say,
  usualMoney,
  VOID,
  voided,
  wait,
  will,
  type Situation,
  type Stage,
} from './situations.js';
import { storedRows } from './stored-time.js';

/** A success as this transaction of the gateway. */
export const succeededAs = (transactionRef: string): Behaviour =>
  answer({
    ...cardAnswer({ status: 'SUCCESS', ...usualMoney }),
    data: { transactionRef, transaction: { status: 'SUCCESS', ...usualMoney }, date: '', errorCode: '' },
  });

/** A wallet order that the payer gave up and paid after all, beside a card payment of the same session. */
export async function paidTwice(
  scene: Scene,
  orders: [string, string],
  firstSays: Behaviour | Responder = succeededAs(orders[0]),
): Promise<{ first: Situation; second: Situation }> {
  const second = await givenUp(scene);
  const first = await payCard(scene, succeededAs(orders[0]), second.session);
  expect(first.payment.status).toBe('succeeded');
  say(scene, first.payment, firstSays);
  will(scene, VOID, second.payment, answer(voided));
  say(scene, second.payment, succeededAs(orders[1]));
  const late = await asked(scene, second.payment);
  expect(late).toMatchObject({ status: 'succeeded', duplicateOf: first.payment.id });
  return { first, second };
}

/**
 * Waits for what the schedule's next questions about a payment bring, and makes each due: by its backoff, which chance decides, it may be
 * minutes away.
 */
export async function untilAsked(
  scene: Scene,
  { id }: Pick<PaymentBody, 'id'>,
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  await until(async () => {
    const now = Date.now();
    await storedRows(
      scene,
      `update payments set next_status_check_at = ${now} where id = '${id}' and next_status_check_at > ${now}`,
    );
    await wait(500);
    return condition();
  }, 90_000);
}

/** A wallet order that the payer has given up. */
export async function givenUp(scene: Scene, session?: Situation['session']): Promise<Situation> {
  const order = await payWallet(scene, session);
  say(scene, order.payment, answer(pending));
  expectStatus(await act(scene, 'cancel', order.payment), 200);
  return order;
}

/** What was announced of a payment or a session. */
export interface Announced {
  type: string;
  sequence: number;
  late?: boolean;
  operation?: { type: string; amount?: string };
  data: { id: string; status: string; duplicateOf?: string | null; attentionReasons?: string[] };
}

/** What the merchant's events say of a payment or a session, in order. */
export async function eventsOf(scene: Pick<Stage, 'client'>, subject: { id: string }): Promise<Announced[]> {
  type Page = { data: (Announced & { id: string })[] };
  const all: Page['data'] = [];
  for (;;) {
    const last = all.at(-1)?.id;
    const path = `/v1/events?limit=100${last === undefined ? '' : `&after=${last}`}`;
    const { data } = expectStatus(await scene.client.get<Page>(path), 200).body;
    all.push(...data);
    if (data.length < 100) break;
  }
  return all.filter(({ data }) => data.id === subject.id);
}

/** An answer of the gateway that the test holds back, and how many requests wait for it. */
export function heldBack(): { responder: Responder; release: (behaviour: Behaviour) => void } {
  let release: (behaviour: Behaviour) => void = () => undefined;
  const said = new Promise<Behaviour>((resolve) => (release = resolve));
  return { responder: () => said, release: (behaviour) => release(behaviour) };
}
