import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cardRequest, expectStatus, TillfrontClient } from '../harness/client.js';
import { answer, approved, notFoundAnswer } from '../harness/gateway-answers.js';
import type { Behaviour } from '../harness/gateway-behaviour.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { stores } from '../harness/test-store.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';

const PRELOAD = new URL('../harness/step-clock.mjs', import.meta.url).href;

describe.each(stores)(
  'a wall clock that is set forward by 20 minutes during a call, on the %s store',
  (store) => {
    let gateway: MisbehavingGateway;
    let tillfront: Tillfront;
    let shop: TillfrontClient;
    let release: (behaviour: Behaviour) => void;

    beforeEach(async () => {
      gateway = await startMisbehavingGateway();
      gateway.script('GET /transaction/*', answer(notFoundAnswer));
      const env = { NODE_OPTIONS: `--import ${PRELOAD}`, NOT_FOUND_GRACE_SECONDS: '60' };
      tillfront = await startTillfront({ store, gatewayUrl: gateway.url, env });
      shop = new TillfrontClient(tillfront.url, tillfront.merchantKey);
    });
    afterEach(async () => {
      await tillfront.stop();
      await gateway.close();
    });

    const held = (): Promise<Behaviour> => new Promise((resolve) => (release = resolve));
    const questionsAbout = (reference: string): number =>
      gateway.requests.filter(({ path }) => path === `/transaction/${reference}`).length;
    /** The schedule has run since: it has asked about a payment whose outcome is unknown. */
    const scheduleHasRun = async (): Promise<void> => {
      gateway.script('POST /payment/card', { do: 'reset-after-reading' });
      const { body } = expectStatus(await shop.payCard(await shop.createSession()), 202);
      await until(() => questionsAbout(body.gatewayReference) >= 3, 30_000);
    };

    test('the payment stays the call’s own: no other one is started, and its success is recorded', async () => {
      const session = await shop.createSession();
      gateway.script('POST /payment/card', held);
      const paying = shop.payCard(session);
      await until(() => gateway.requestsTo('POST /payment/card').length === 1);
      process.kill(tillfront.pid, 'SIGUSR2');
      await scheduleHasRun();
      expect(questionsAbout(`${session.reference}_1`)).toBe(0);
      const again = await shop.payCard(session, cardRequest());
      expect(again.status).toBe(409);
      expect(gateway.requestsTo('POST /payment/card')).toHaveLength(2);
      release(answer(approved));
      const { body } = expectStatus(await paying, 201, 202);
      await until(async () => (await shop.getPayment(body.id)).status === 'succeeded');
    });
  },
);
