import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import type { Responder } from '../harness/gateway-behaviour.js';
import { answer, cardAnswer, otpRequired, usualMoney, walletStarted } from '../harness/gateway-answers.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { dumpPostgres, dumpSqlite } from '../security/canary/haystacks.js';

const card = { number: '5060990580000217499', cvv: '947', pin: '8392', nameOnCard: 'Zikora Umunna' };
const OTP = '62849013';
const email = 'zikora@home.example';

/** What must be nowhere: what the gateway below repeats, in each of the forms that it uses. */
const LEAKS =
  /5060990580000217499|5060.9905.8000.0217.499|cvv.{1,3}947|pin.{1,3}8392|zikora|umunna|62849013|"OTQ3"|emlrb3Jh|Wmlrb3Jh/i;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** One answer for each place where a gateway may repeat one of the secrets. */
const answers: readonly [string, object][] = [
  ['status', { status: card.nameOnCard }],
  ...[
    `?cvv=${card.cvv}`,
    `?next=%2Fa%3Fcvv%3D${card.cvv}`,
    `pin/${card.pin}`,
    `?name=${encodeURIComponent(card.nameOnCard)}`,
    `?v=${base64(card.nameOnCard)}`,
    `?pan=5060.9905.8000.0217.499`,
  ].map((end): [string, object] => [
    `redirectUrl ${end}`,
    { status: 'REDIRECT_REQUIRED', redirectUrl: `https://acs.bank.example/${end}` },
  ]),
  [
    'redirectFields',
    {
      status: 'REDIRECT_REQUIRED',
      redirectUrl: 'https://acs.bank.example/',
      redirectMethod: 'POST',
      redirectFields: { creq: base64(JSON.stringify({ cvv: card.cvv })), name: card.nameOnCard },
    },
  ],
];

describe.each(anyStore)('what a gateway repeats, on the %s store', (kind) => {
  let scene: Scene;
  const said: string[] = [];

  beforeAll(async () => {
    scene = await startScene(kind, { LOG_LEVEL: 'trace', CARD_TESTING_LIMIT: '0' });
  });
  afterAll(() => scene.stop());

  const keep = ({ text }: { text: string }): void => void said.push(text);

  /** The answers to whoever may ask about a payment. */
  async function ask(id: string): Promise<void> {
    keep(await scene.client.get(`/v1/payments/${id}`));
    keep(await scene.client.get(`/v1/payments/${id}/events`));
  }

  test.each(answers)('of a card, in its %s', async (_where, transaction) => {
    scene.gateway.script('POST /payment/card', answer(cardAnswer({ ...usualMoney, ...transaction })));
    const paid = await scene.client.payCard(await scene.client.createSession(), { card });
    keep(paid);
    await ask(paid.body.id);
  });

  test.each([`TRX-${card.cvv}`, `cvv=${card.cvv}`, `pin:${card.pin}`, card.number, card.nameOnCard])(
    'of a card, in its transaction reference, message and code: %s',
    async (secret) => {
      const body = cardAnswer({}, { error: true, message: `Refused ${secret}`, errorCode: secret });
      body.data.transactionRef = secret;
      scene.gateway.script('POST /payment/card', answer(body));
      const paid = await scene.client.payCard(await scene.client.createSession(), { card });
      keep(paid);
      await ask(paid.body.id);
      expect(paid.body.status).toBe('failed');
    },
  );

  test('of a one-time code', async () => {
    scene.gateway.script('POST /payment/card', answer(otpRequired));
    const session = await scene.client.createSession();
    const { id } = (await scene.client.payCard(session, { card })).body;
    const redirect = {
      status: 'REDIRECT_REQUIRED',
      redirectUrl: `https://acs.bank.example/?otp=${OTP}`,
    };
    const body = cardAnswer(redirect, { message: `Wrong code ${OTP}`, errorCode: OTP });
    body.data.transactionRef = `T-${OTP}`;
    scene.gateway.script('POST /payment/validate-otp', answer(body));
    keep(await scene.client.submitOtp(session, id, OTP));
    await ask(id);
  });

  test('of a wallet, a transfer and a USSD payment', async () => {
    const payer = { email };
    scene.gateway.script(
      'POST /init-partner',
      walletStarted({
        cashierUrl: `https://cashier.example/?to=${encodeURIComponent(email)}`,
        orderNo: email,
      }),
    );
    const repeated: Responder = () =>
      answer({
        ...cardAnswer({ status: 'PENDING', accountNumber: email, bankName: email, ussdCode: email }),
        message: `For ${email}`,
      });
    scene.gateway.script('POST /payment/transfer', repeated);
    scene.gateway.script('POST /ussd/code', repeated);
    const session = () => scene.client.createSession();
    for (const paid of [
      await scene.client.payWallet(await session(), { payer }),
      await scene.client.post<{ id: string }>(
        '/v1/payments/transfer',
        { payer },
        {
          token: (await session()).clientToken,
        },
      ),
      await scene.client.post<{ id: string }>(
        '/v1/payments/ussd',
        { payer, bankCode: '058' },
        {
          token: (await session()).clientToken,
        },
      ),
    ]) {
      keep(paid);
      expect(paid.status).toBeLessThan(300);
      await ask(paid.body.id);
    }
  });

  test('is in no answer, event, table or line of the log', async () => {
    keep(await scene.client.get('/v1/events?limit=100'));
    const { databaseUrl, dataDir } = scene.tillfront;
    const tables =
      databaseUrl === undefined ? dumpSqlite(join(dataDir, 'tillfront.db')) : await dumpPostgres(databaseUrl);
    expect(tables.length).toBeGreaterThan(5);
    for (const { where, bytes } of tables)
      expect([where, LEAKS.exec(bytes.toString())]).toEqual([where, null]);
    expect(said.length).toBeGreaterThan(30);
    for (const text of said) expect(text).not.toMatch(LEAKS);
    expect(scene.tillfront.logs()).not.toMatch(LEAKS);
  });
});
