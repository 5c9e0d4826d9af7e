import { describe, expect } from '@jest/globals';
import { readerToken } from '../../src/auth/tokens.js';
import { Secret } from '../../src/secrets/secret.js';
import { expectStatus, problemOf, type PaymentBody } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { testKeys } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { sideBySide, type Scenario } from './scenarios.js';
import {
  act,
  answer,
  approved,
  asked,
  CARD,
  failed,
  held,
  noWord,
  payCard,
  pending,
  questions,
  redirectRequired,
  say,
  sent,
  wait,
  type Situation,
} from './situations.js';

/** A payer comes back from the bank: whatever the address or the form claims, the gateway is asked. */

interface Away extends Situation {
  /** The address that the gateway was told. */
  back: string;
}

async function away(scene: Scene, session: object = {}): Promise<Away> {
  const owed = await scene.client.createSession(session);
  const found = await payCard(scene, answer(redirectRequired), owed);
  const [request] = sent(scene, CARD, found.payment);
  return { ...found, back: (request?.json as { authNotifyUrl: string }).authNotifyUrl };
}

const comeBack = (url: string, init: RequestInit = {}) => fetch(url, { redirect: 'manual', ...init });

/** A payment whose payer comes back to the page that shows it, and the token that it is shown with. */
async function readable(scene: Scene): Promise<Away & { token: string }> {
  const found = await away(scene, { returnUrl: undefined, metadata: { cart: '42' } });
  say(scene, found.payment, answer(pending));
  const place = new URL((await comeBack(found.back)).headers.get('location') ?? '');
  return { ...found, token: place.hash.slice(1) };
}

const look = (scene: Scene, { id }: { id: string }, token: string, query = '') =>
  scene.client.get<PaymentBody>(`/v1/payments/${id}${query}`, { token });

function placeOf(answered: Response): { shop: string; payment: string | null; status: string | null } {
  expect(answered.status).toBe(303);
  const url = new URL(answered.headers.get('location') ?? '');
  const [payment, status] = [url.searchParams.get('payment'), url.searchParams.get('status')];
  return { shop: url.origin + url.pathname, payment, status };
}

const scenarios: Record<string, Scenario<Scene>> = {};

for (const [name, said, status] of [
  ['paid', answer(approved), 'succeeded'],
  ['held', answer(held), 'authorized'],
  ['failed', answer(failed), 'failed'],
  ['waiting', answer(pending), 'requires_action'],
  ['nothing clear', noWord, 'requires_action'],
] as const) {
  scenarios[`the gateway says ${name}: back to the shop with ${status}`] = async (scene) => {
    const { payment, back } = await away(scene);
    say(scene, payment, said);
    expect(placeOf(await comeBack(back))).toEqual({
      shop: 'https://shop.example/thanks',
      payment: payment.id,
      status,
    });
    expect((await scene.client.getPayment(payment.id)).status).toBe(status);
    expect(questions(scene, payment)).toBe(1);
  };
}

Object.assign(scenarios, {
  'by a form, from the bank’s origin, whatever it claims': async (scene) => {
    const { payment, back } = await away(scene);
    say(scene, payment, answer(failed));
    const answered = await comeBack(`${back}?status=SUCCESS`, {
      method: 'POST',
      headers: { origin: 'https://acs.bank.example', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'status=SUCCESS&MD=1&PaRes=abc',
    });
    expect(placeOf(answered).status).toBe('failed');
    expect(answered.headers.get('access-control-allow-origin')).toBeNull();
  },

  'by a GET from a foreign origin, with a query': async (scene) => {
    const { payment, back } = await away(scene);
    say(scene, payment, answer(approved));
    const answered = await comeBack(`${back}?status=failed&x=1`, { headers: { origin: 'null' } });
    expect(placeOf(answered).status).toBe('succeeded');
  },

  'twice, at once and later: asked anew each time, moved once': async (scene) => {
    const { payment, back } = await away(scene);
    say(scene, payment, answer(approved));
    const both = await Promise.all([comeBack(back), comeBack(back, { method: 'POST' })]);
    expect(both.map((one) => placeOf(one).status)).toEqual(['succeeded', 'succeeded']);
    expect(placeOf(await comeBack(back)).status).toBe('succeeded');
    const moves = (await scene.client.getEvents(payment.id)).filter(({ to }) => to === 'succeeded');
    expect(moves).toHaveLength(1);
  },

  'late, after it was canceled: the money is told': async (scene) => {
    const { payment, back } = await away(scene);
    say(scene, payment, answer(pending));
    await act(scene, 'cancel', payment);
    say(scene, payment, answer(approved));
    expect(placeOf(await comeBack(back)).status).toBe('succeeded');
  },

  'with a wrong token: not found, and the gateway is not asked': async (scene) => {
    const { payment, back } = await away(scene);
    const other = await away(scene);
    const token = back.split('/').at(-1) ?? '';
    const foreign = other.back.split('/').at(-1) ?? '';
    const wrong = [foreign, 'x', `${token}x`, token.slice(0, -1), token.toLowerCase(), '%2e%2e'];
    for (const presented of wrong) {
      for (const method of ['GET', 'POST']) {
        const answered = await comeBack(back.replace(token, presented), { method });
        expect([presented, answered.status]).toEqual([presented, 404]);
        expect(answered.headers.get('content-type')).toBe('application/problem+json');
        expect(await answered.text()).not.toContain(token);
      }
    }
    const unknown = await comeBack(back.replace(payment.id, 'pay_unknown'));
    expect(unknown.status).toBe(404);
    expect(questions(scene, payment)).toBe(0);
  },

  'to the checkout page where the session has no address of its own': async (scene) => {
    const { payment, session, back } = await away(scene, { returnUrl: undefined });
    say(scene, payment, answer(approved));
    const answered = await comeBack(back);
    expect(placeOf(answered)).toEqual({
      shop: `${scene.tillfront.url}/checkout`,
      payment: payment.id,
      status: 'succeeded',
    });
    expect(answered.headers.get('location')).toMatch(/#crt_[\w.-]+$/);
    expect(answered.headers.get('location')).not.toContain(session.clientToken.split('.')[1]);
  },

  'what it leads to shows how that payment stands, and nothing that leads on': async (scene) => {
    const { payment, token } = await readable(scene);
    const whole = await scene.client.getPayment(payment.id);
    expect([whole.nextAction?.type, whole.metadata]).toEqual(['redirect', { cart: '42' }]);
    const shown = expectStatus(await look(scene, payment, token), 200).body;
    expect(shown).toEqual({ ...whole, nextAction: null, card: null, metadata: {} });
    say(scene, payment, answer(failed));
    const news = look(scene, payment, token, '?wait=20');
    await asked(scene, payment);
    expect((await news).body).toMatchObject({ status: 'failed', failure: { code: 'declined' } });
  },

  'it shows no other payment, and does nothing': async (scene) => {
    const { payment, session, token } = await readable(scene);
    const other = await away(scene);
    expect(problemOf(await look(scene, other.payment, token)).code).toBe('not-found');
    expect(problemOf(await look(scene, { ...payment, id: 'pay_none' }, token)).code).toBe('not-found');
    expect((await look(scene, payment, session.clientToken)).status).toBe(200);
    for (const action of ['otp', 'cancel', 'void', 'complete', 'refresh', 'resolve']) {
      const body = action === 'otp' ? { otp: '123456' } : {};
      const answered = await scene.client.post(`/v1/payments/${payment.id}/${action}`, body, { token });
      expect([action, problemOf(answered).code]).toEqual([action, 'forbidden']);
    }
    expect(questions(scene, payment)).toBe(1);
  },

  'it lasts fifteen minutes, and a wait no longer than it': async (scene) => {
    const { payment } = await readable(scene);
    const madeAgo = (seconds: number): string =>
      readerToken(
        payment.id,
        new Secret<readonly string[]>([testKeys.secretKey]),
        Date.now() - seconds * 1000,
      );
    const over = await look(scene, payment, madeAgo(901));
    expect(problemOf(over)).toMatchObject({ status: 401, code: 'unauthorized' });
    const began = performance.now();
    expectStatus(await look(scene, payment, madeAgo(895), '?wait=20'), 200);
    expect(performance.now() - began).toBeLessThan(18_000);
  },

  'with an address of the shop’s own nothing secret is added': async (scene) => {
    const { session, back } = await away(scene);
    const place = (await comeBack(back)).headers.get('location') ?? '';
    expect(place).not.toMatch(/c[rs]t_|#/);
    expect(place).not.toContain(session.clientToken);
  },

  'to an address with a query of its own': async (scene) => {
    const { payment, back } = await away(scene, {
      returnUrl: 'https://shop.example/thanks?order=7&status=old#top',
    });
    say(scene, payment, answer(approved));
    const url = new URL((await comeBack(back)).headers.get('location') ?? '');
    expect([url.searchParams.get('order'), url.searchParams.getAll('status'), url.hash]).toEqual([
      '7',
      ['succeeded'],
      '#top',
    ]);
  },

  'nobody waits longer than 5 s for a gateway that is silent': async (scene) => {
    const { payment, back } = await away(scene);
    say(scene, payment, { do: 'silent' });
    const began = Date.now();
    expect(placeOf(await comeBack(back)).status).toBe('requires_action');
    // The gateway itself would be waited for until 20 s are over.
    expect(Date.now() - began).toBeLessThan(15_000);
    expect(Date.now() - began).toBeGreaterThan(4_500);
  },

  'meeting a question that is under way it asks anew': async (scene) => {
    const { payment, back } = await away(scene);
    say(scene, payment, { do: 'answer', body: pending, afterMs: 1_500 }, answer(approved));
    const question: Promise<PaymentBody> = asked(scene, payment);
    await until(() => questions(scene, payment) === 1);
    expect(placeOf(await comeBack(back)).status).toBe('succeeded');
    expect((await question).status).toBe('requires_action');
    await wait(300);
    expect(questions(scene, payment)).toBe(2);
  },

  'its address is in no log and no answer': async (scene) => {
    const { payment, back } = await away(scene);
    const token = back.split('/').at(-1) ?? '';
    say(scene, payment, answer(approved));
    await comeBack(back);
    expect(scene.tillfront.logs()).not.toContain(token);
    expect(scene.tillfront.logs()).not.toMatch(/crt_[a-z]/);
    expect(JSON.stringify(await scene.client.getPayment(payment.id))).not.toContain(token);
    expect(JSON.stringify(await scene.client.getEvents(payment.id))).not.toContain(token);
  },
} satisfies Record<string, Scenario<Scene>>);

describe.each(anyStore)('coming back from the bank on the %s store', (store) => {
  sideBySide(() => startScene(store, { GATEWAY_TIMEOUT_MS: '20000', LOG_LEVEL: 'debug' }), scenarios);
});
