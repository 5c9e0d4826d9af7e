import { describe, expect } from '@jest/globals';
import { expectStatus, problemOf, type PaymentBody } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { cardNumber } from '../security/canary/canaries.js';
import { sideBySide, type Scenario } from './scenarios.js';
import {
  act,
  answer,
  approved,
  CARD,
  declined,
  expired,
  failed,
  otpRequired,
  pending,
  redirectRequired,
  say,
  sent,
  will,
  OTP,
} from './situations.js';
import { endSession, storedRows } from './stored-time.js';

/** What of a card payment's end tells of somebody who tries cards out, and of whom. More than three are too many here. */
const LIMIT = 3;

type Said = Parameters<typeof will>[3];

const newCard = (): string => cardNumber('453201', 16);

/** One attempt in a session of its own, from an address. */
async function attempt(scene: Scene, said: Said, address: string, number = newCard()) {
  const session = await scene.client.createSession();
  will(scene, CARD, session, said);
  const body = { card: { number, cvv: '111', pin: undefined } };
  const answered = await scene.client.payCard(session, body, { headers: { 'x-forwarded-for': address } });
  return { session, answered };
}

/** One that is let through to the gateway. */
async function tried(
  scene: Scene,
  said: Said,
  address: string,
  number?: string,
): Promise<PaymentBody & { token: string }> {
  const { session, answered } = await attempt(scene, said, address, number);
  return { ...expectStatus(answered, 201, 202).body, token: session.clientToken };
}

const refused = async (scene: Scene, address: string, number?: string): Promise<boolean> => {
  const { session, answered } = await attempt(scene, answer(approved), address, number);
  if (answered.status !== 429) return !expectStatus(answered, 201);
  expect(problemOf(answered).code).toBe('rate-limited');
  expect(sent(scene, CARD, session)).toEqual([]);
  return true;
};

async function cancel(scene: Scene, payment: PaymentBody): Promise<void> {
  say(scene, payment, answer(pending));
  expect(expectStatus(await act(scene, 'cancel', payment), 200).body.status).toBe('canceled');
}

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Array.from({ length: count }).reduce<Promise<T[]>>(
    async (before, _, index) => [...(await before), await work(index)],
    Promise.resolve([]),
  );

const scenarios: Record<string, Scenario<Scene>> = {
  'cards that the gateway rejects count, whatever status it rejects them with': async (scene) => {
    const address = '198.51.100.1';
    for (const status of [400, 404, 422, 422]) {
      expect(await refused(scene, '198.51.100.2')).toBe(false);
      expect((await tried(scene, answer({}, status), address)).failure?.code).toBe('gateway_rejected');
    }
    expect(await refused(scene, address)).toBe(true);
    expect(await refused(scene, '198.51.100.2')).toBe(false);
  },

  'a rejected card counts everywhere, and closes no session': async (scene) => {
    const number = newCard();
    await times(LIMIT + 1, (index) => tried(scene, answer({}, 422), `198.51.101.${index}`, number));
    expect(await refused(scene, '198.51.101.99', number)).toBe(true);
    expect(await refused(scene, '198.51.101.99')).toBe(false);
    const session = await scene.client.createSession();
    const from = { headers: { 'x-forwarded-for': '198.51.101.100' } };
    will(scene, CARD, session, answer({}, 422));
    await times(2, () => scene.client.payCard(session, { card: { number: newCard() } }, from));
    expect(
      (await scene.client.get<{ status: string }>(`/v1/checkout-sessions/${session.id}`)).body.status,
    ).toBe('open');
  },

  'a challenge that is canceled counts as half': async (scene) => {
    const address = '198.51.102.1';
    await times(2 * LIMIT, async (index) =>
      cancel(scene, await tried(scene, answer(index % 2 ? otpRequired : redirectRequired), address)),
    );
    expect(await refused(scene, address)).toBe(false);
    await cancel(scene, await tried(scene, answer(otpRequired), address));
    expect(await refused(scene, address)).toBe(true);
  },

  'a challenge that nobody met counts as half, by the gateway’s word and by our clock': async (scene) => {
    const address = '198.51.103.1';
    const abandon = async (index: number): Promise<void> => {
      const payment = await tried(scene, answer(index % 2 ? otpRequired : redirectRequired), address);
      if (index % 3 > 0) say(scene, payment, answer(expired));
      else {
        say(scene, payment, answer(pending));
        await endSession(scene, { id: payment.sessionId });
      }
      expect(expectStatus(await act(scene, 'refresh', payment), 200).body.status).toBe('expired');
    };
    await times(2 * LIMIT, abandon);
    expect(await refused(scene, address)).toBe(false);
    await abandon(1);
    expect(await refused(scene, address)).toBe(true);
  },

  'a code that was never entered fails as half, a wrong one as a whole': async (scene) => {
    const [patient, hasty] = ['198.51.104.1', '198.51.104.2'];
    const fail = async (address: string, code?: string): Promise<void> => {
      const payment = await tried(scene, answer(otpRequired), address);
      if (code === undefined) {
        say(scene, payment, answer(failed));
        expectStatus(await act(scene, 'refresh', payment), 200);
      } else {
        will(scene, OTP, payment, answer(failed));
        expectStatus(await scene.client.submitOtp({ clientToken: payment.token }, payment.id, code), 200);
      }
      expect((await scene.client.getPayment(payment.id)).failure?.code).toBe('declined');
    };
    await times(LIMIT + 1, () => fail(patient));
    expect(await refused(scene, patient)).toBe(false);
    await times(LIMIT + 1, () => fail(hasty, '123456'));
    expect(await refused(scene, hasty)).toBe(true);
  },

  'a card makes at most one decline of its address, however often it comes back': async (scene) => {
    const [address, number] = ['198.51.105.1', newCard()];
    await times(2, async () => cancel(scene, await tried(scene, answer(otpRequired), address, number)));
    await tried(scene, answer(declined), address, number);
    await times(LIMIT - 1, () => tried(scene, answer(declined), address));
    expect(await refused(scene, address)).toBe(false);
    await tried(scene, answer(declined), address);
    expect(await refused(scene, address)).toBe(true);
  },

  'one card: two abandoned challenges weigh as much as a decline': async (scene) => {
    const number = newCard();
    const from = (index: number): string => `198.51.106.${index}`;
    await times(LIMIT * 2, async (index) =>
      cancel(scene, await tried(scene, answer(redirectRequired), from(index), number)),
    );
    expect(await refused(scene, from(90), number)).toBe(false);
    await tried(scene, answer(declined), from(91), number);
    expect(await refused(scene, from(92), number)).toBe(true);
  },

  'one that turns out to be paid counts no more': async (scene) => {
    const address = '198.51.107.1';
    const attempts = await times(LIMIT + 1, () => tried(scene, answer(declined), address));
    expect(await refused(scene, address)).toBe(true);
    const first = attempts[0] as PaymentBody;
    say(scene, first, answer(approved));
    expect(expectStatus(await act(scene, 'refresh', first), 200).body.status).toBe('succeeded');
    expect(await refused(scene, address)).toBe(false);
    await tried(scene, answer(declined), address);
    expect(await refused(scene, address)).toBe(true);
  },

  'rotating through the /64s of a /48 ends at three times the limit': async (scene) => {
    const place = (index: number): string => `2001:db8:107:${index.toString(16)}::${index + 1}`;
    await times(3 * LIMIT, (index) => tried(scene, answer(declined), place(index)));
    expect(await refused(scene, place(500))).toBe(false);
    await tried(scene, answer(declined), place(501));
    expect(await refused(scene, place(502))).toBe(true);
    expect(await refused(scene, '2001:db8:108::1')).toBe(false);
  },

  'a /64 of it has the limit of one address': async (scene) => {
    await times(LIMIT + 1, (index) => tried(scene, answer(declined), `2001:db8:109:7::${index + 1}`));
    expect(await refused(scene, '2001:db8:109:7:ffff::1')).toBe(true);
    expect(await refused(scene, '2001:db8:109:8::1')).toBe(false);
  },

  'payers who share an address and pay well are not hit': async (scene) => {
    const address = '203.0.113.1';
    await times(LIMIT, () => tried(scene, answer(declined), address));
    const together = await Promise.all(
      Array.from({ length: 30 }, () => tried(scene, answer(approved), address)),
    );
    expect(together.map(({ status }) => status)).toEqual(Array(30).fill('succeeded'));
    const challenged = await times(LIMIT + 2, async () => {
      const payment = await tried(scene, answer(otpRequired), address);
      will(scene, OTP, payment, answer(approved));
      const met = await scene.client.submitOtp({ clientToken: payment.token }, payment.id, '123456');
      return expectStatus(met, 200).body.status;
    });
    expect(new Set(challenged)).toEqual(new Set(['succeeded']));
  },

  'outages, unknown outcomes and cards that are being charged do not count': async (scene) => {
    const [address, number] = ['203.0.113.2', newCard()];
    for (const status of [401, 402, 403, 409, 429, 500, 502, 503]) {
      const { answered } = await attempt(scene, answer({}, status), address, number);
      expect([201, 202, 502, 503]).toContain(answered.status);
      await attempt(scene, { do: 'reset-before-reading' }, address, number);
      await attempt(scene, { do: 'reset-after-reading' }, address, number);
    }
    const waiting = await tried(scene, answer(pending), address, number);
    say(scene, waiting, answer(pending));
    expectStatus(await act(scene, 'cancel', waiting), 409);
    expect(await refused(scene, address, number)).toBe(false);
  },

  'what is old does not count, nor what a clock that was set back has left far ahead': async (scene) => {
    const [old, ahead, near] = ['203.0.113.3', '203.0.113.4', '203.0.113.5'];
    const moved = async (address: string, minutes: number): Promise<void> => {
      const made = await times(LIMIT + 1, () => tried(scene, answer(declined), address));
      expect(await refused(scene, address)).toBe(true);
      const ids = made.map(({ id }) => `'${id}'`).join();
      await storedRows(scene, `update declines set at = at + ${minutes * 60_000} where id in (${ids})`);
    };
    await moved(old, -11);
    expect(await refused(scene, old)).toBe(false);
    await moved(ahead, 120);
    expect(await refused(scene, ahead)).toBe(false);
    await moved(near, 5);
    expect(await refused(scene, near)).toBe(true);
  },

  'a hundred at once: those under way pass, and nobody after them': async (scene) => {
    const address = '203.0.113.6';
    const statuses = await atOnce(scene, address, 100, 100);
    expect(statuses).toEqual(Array(100).fill(201));
    for (let after = 0; after < 3; after += 1) expect(await refused(scene, address)).toBe(true);
  },
};

/** Lets so many attempts arrive together; the gateway declines them only when `reaching` of them have reached it. */
async function atOnce(scene: Scene, address: string, count: number, reaching: number): Promise<number[]> {
  const { promise: release, resolve } = Promise.withResolvers<void>();
  let reached = 0;
  const declineTogether = async () => {
    reached += 1;
    if (reached === reaching) resolve();
    await release;
    return answer(declined);
  };
  const attempts = Array.from({ length: count }, () => attempt(scene, declineTogether, address));
  const statuses = (await Promise.all(attempts)).map(({ answered }) => answered.status);
  expect(reached).toBe(reaching);
  return statuses.sort();
}

describe.each(anyStore)('trying cards out, on the %s store', (store) => {
  const env = { TRUST_PROXY: '1', CARD_TESTING_LIMIT: String(LIMIT) };
  sideBySide(() => startScene(store, env), scenarios);
});

describe('trying cards out at once', () => {
  const env = { TRUST_PROXY: '1', CARD_TESTING_LIMIT: String(LIMIT), RATE_LIMIT_PER_MINUTE: '60' };
  sideBySide(() => startScene('embedded', env), {
    'is bounded by the calls that an address has a minute': async (scene) => {
      expect(await atOnce(scene, '203.0.113.7', 100, 60)).toEqual([
        ...Array<number>(60).fill(201),
        ...Array<number>(40).fill(429),
      ]);
    },
  });
});
