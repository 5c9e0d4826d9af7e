import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import createClient, { type Client } from 'openapi-fetch';
import type { Sandbox } from '../../sandbox/server.ts';
import { startTestSandbox } from '../harness/sandbox.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import type { components, paths } from './schema.d.ts';
import { randomWord } from '../harness/random-word.js';

type Payment = components['schemas']['PaymentDto'];

/** What a merchant's server and a payer's browser would write with the generated types; `npm run typecheck` checks every line. */
describe('a client made of nothing but the description drives the service:', () => {
  let sandbox: Sandbox;
  let tillfront: Tillfront;
  let merchant: Client<paths>;

  beforeAll(async () => {
    sandbox = await startTestSandbox();
    tillfront = await startTillfront({ store: 'embedded', gatewayUrl: sandbox.url });
    merchant = bearer(tillfront.merchantKey);
  });
  afterAll(async () => {
    await tillfront?.stop();
    await sandbox?.close();
  });

  const bearer = (token: string): Client<paths> =>
    createClient<paths>({ baseUrl: tillfront.url, headers: { authorization: `Bearer ${token}` } });

  const key = () => ({ header: { 'Idempotency-Key': randomUUID() } });

  async function browserOfNewSession(): Promise<Client<paths>> {
    const { data, error } = await merchant.POST('/v1/checkout-sessions', {
      params: key(),
      body: {
        reference: `ORDER-${randomWord(8)}`,
        amount: '1500.00',
        currency: 'NGN',
        payer: { email: 'ada@example.com', phone: '+2348012345678', firstName: 'Ada', lastName: 'Obi' },
        billing: {
          street: '1 Marina',
          city: 'Lagos',
          stateProvince: 'Lagos',
          postCode: '101001',
          country: 'NGA',
        },
      },
    });
    if (data?.clientToken === undefined) throw new Error(`no session: ${JSON.stringify(error)}`);
    return bearer(data.clientToken);
  }

  const device: components['schemas']['DeviceDto'] = {
    javaEnabled: false,
    language: 'en-NG',
    screenHeight: 1080,
    screenWidth: 1920,
    colorDepth: 24,
    timeZone: 'Africa/Lagos',
  };

  const payByCard = (browser: Client<paths>, number: string) =>
    browser.POST('/v1/payments/card', {
      params: key(),
      body: {
        card: {
          number,
          expiryMonth: '12',
          expiryYear: '2030',
          cvv: '111',
          pin: '1111',
          nameOnCard: 'Ada Obi',
        },
        device,
      },
    });

  test('a card with a one-time code, completed by the payer, voided by the merchant', async () => {
    const browser = await browserOfNewSession();
    const { data: waiting } = await payByCard(browser, '5060990000000000704');
    if (waiting?.nextAction?.type !== 'otp') throw new Error('no one-time code is asked for');
    const path = { id: waiting.id };
    const { data: paid } = await browser.POST('/v1/payments/{id}/otp', {
      params: { ...key(), path },
      body: { otp: '123456' },
    });
    expect(paid?.status satisfies Payment['status'] | undefined).toBe('succeeded');
    const { data: voided } = await merchant.POST('/v1/payments/{id}/void', {
      params: { ...key(), path },
      body: {},
    });
    expect(voided?.status satisfies Payment['status'] | undefined).toBe('voided');
    const { data: timeline } = await merchant.GET('/v1/payments/{id}/events', { params: { path } });
    expect(timeline?.data.at(-1)?.to).toBe('voided');
    const { data: list } = await merchant.GET('/v1/payments', {
      params: { query: { status: 'voided', limit: '1' } },
    });
    expect(list?.data.map(({ id }) => id)).toEqual([waiting.id]);
  });

  test('every next action has the members that the description names', async () => {
    const wallet = await (
      await browserOfNewSession()
    ).POST('/v1/payments/wallet', { params: key(), body: {} });
    const transfer = await (
      await browserOfNewSession()
    ).POST('/v1/payments/transfer', { params: key(), body: {} });
    const browser = await browserOfNewSession();
    const { data: list } = await browser.GET('/v1/ussd/banks');
    const ussd = await browser.POST('/v1/payments/ussd', {
      params: key(),
      body: { bankCode: list?.banks[0]?.code ?? '' },
    });
    const said = [wallet, transfer, ussd].map(({ data }) => {
      const action = data?.nextAction;
      switch (action?.type) {
        case 'redirect':
          return `${action.method} ${new URL(action.url).protocol}`;
        case 'transfer':
          return `${action.amount} to ${/^\d+$/.test(action.accountNumber)} at ${action.bankName !== ''}`;
        case 'ussd':
          return `dial ${action.code.startsWith('*')}`;
        default:
          return 'nothing';
      }
    });
    expect(said).toEqual(['GET http:', '1500.00 to true at true', 'dial true']);
  });

  test('a decline and a refusal are told apart', async () => {
    const browser = await browserOfNewSession();
    const { data: declined, response } = await payByCard(browser, '4000000000000309');
    expect([response.status, declined?.failure?.code]).toEqual([201, 'declined']);
    const { error } = await payByCard(browser, '1234');
    expect(error?.code).toBe('validation-failed');
    expect(error?.errors?.[0]?.pointer).toBe('/card/number');
  });

  test('events are listed as payments or sessions', async () => {
    const { data: paid } = await payByCard(await browserOfNewSession(), '5060990580000217499');
    const find = async () => {
      const { data } = await merchant.GET('/v1/events', { params: { query: { paymentId: paid?.id ?? '' } } });
      return data?.data ?? [];
    };
    await until(async () => (await find()).length > 0);
    const events = await find();
    expect(events.map(({ type }) => type)).toEqual(['payment.succeeded']);
    expect(events[0]?.data.reference).toBe(paid?.reference);
    const description: object = JSON.parse(await readFile('docs/openapi.json', 'utf8')) as object;
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(description, 'openapi');
    const validate = ajv.compile({ $ref: 'openapi#/components/schemas/WebhookEvent' });
    expect([validate(events[0]), validate.errors]).toEqual([true, null]);
    expect(validate({ ...events[0], type: 'checkout_session.paid' })).toBe(false);
  });
});
