import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectStatus, type PaymentBody } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';
import { createTestStore, anyStore } from '../harness/test-store.js';
import { until } from '../harness/until.js';
import { sideBySide, type Scenario } from './scenarios.js';
import {
  act,
  answer,
  approved,
  cardAnswer,
  failed,
  noWord,
  paymentThatIs,
  payWallet,
  pending,
  questions,
  say,
  wait,
} from './situations.js';
import { storedRows } from './stored-time.js';
import { randomWord } from '../harness/random-word.js';
import { heldBack } from './two-paid.js';

const secret = 'notification-secret-of-the-test';

interface Sent {
  body?: string | Buffer;
  type?: string;
  headers?: Record<string, string>;
  path?: string;
}

function notify(scene: Scene, { body = '', type = 'application/json', headers = {}, path = '' }: Sent) {
  return fetch(`${scene.tillfront.url}/v1/gateway/notifications${path}`, {
    method: 'POST',
    headers: { 'content-type': type, ...headers },
    body: new Uint8Array(Buffer.from(body)),
  });
}

const about = (payment: PaymentBody, over: object = {}) =>
  JSON.stringify({ client_ref: payment.gatewayReference, status: 'SUCCESS', ...over });

/** Waits until so many notifications about the payment were handed over to the schedule. */
async function notified(scene: Scene, payment: PaymentBody, count: number): Promise<void> {
  const query = `select id from notifications where payment_id = '${payment.id}' and status = 'applied'`;
  await until(async () => (await storedRows(scene, query)).length >= count);
}

const scenarios: Record<string, Scenario<Scene>> = {
  'makes the gateway be asked; what it claims moves nothing': async (scene) => {
    const { payment } = await payWallet(scene);
    say(scene, payment, answer(pending));
    const claim = about(payment, { status: 'SUCCESS', amount: '1500.00' });
    expect((await notify(scene, { body: claim })).status).toBe(200);
    await until(() => questions(scene, payment) >= 1);
    await wait(200);
    expect((await scene.client.getPayment(payment.id)).status).toBe('requires_action');
    say(scene, payment, answer(approved));
    expect((await notify(scene, { body: about(payment, { status: 'FAILED' }) })).status).toBe(200);
    await scene.client.waitForStatus(payment.id, 'succeeded');
  },

  'is answered at once, while the gateway takes its time': async (scene) => {
    const { payment } = await payWallet(scene);
    const { responder, release } = heldBack();
    say(scene, payment, responder);
    const began = Date.now();
    expect((await notify(scene, { body: about(payment) })).status).toBe(200);
    // The gateway has not answered yet, and would be waited for until 20 s are over.
    expect(Date.now() - began).toBeLessThan(15_000);
    release(answer(approved));
    await scene.client.waitForStatus(payment.id, 'succeeded');
  },

  'many at once make one question; a later one another': async (scene) => {
    const { payment } = await payWallet(scene);
    // The first question is under way for as long as they take to come in.
    say(scene, payment, { do: 'answer', body: pending, afterMs: 1_500 });
    const many = Array.from({ length: 20 }, (_, number) =>
      notify(scene, { body: about(payment, { number: number % 5 }) }),
    );
    for (const answered of await Promise.all(many)) expect(answered.status).toBe(200);
    await until(() => questions(scene, payment) >= 1);
    await wait(500);
    expect(questions(scene, payment)).toBeLessThanOrEqual(3);
    const before = questions(scene, payment);
    say(scene, payment, answer(approved));
    await notify(scene, { body: about(payment, { number: 1 }) });
    await scene.client.waitForStatus(payment.id, 'succeeded');
    expect(questions(scene, payment)).toBeGreaterThan(before);
    const rows = await storedRows(scene, `select * from notifications where payment_id = '${payment.id}'`);
    expect(rows).toHaveLength(5);
  },

  'about one that has ended tells of late money': async (scene) => {
    const { payment } = await paymentThatIs(scene, 'canceled');
    say(scene, payment, answer(approved));
    await notify(scene, { body: about(payment) });
    await scene.client.waitForStatus(payment.id, 'succeeded');
  },

  'again about one that is paid: no question, and no second effect': async (scene) => {
    const { payment } = await paymentThatIs(scene, 'succeeded');
    say(scene, payment, answer(approved));
    for (const again of [1, 2]) await notify(scene, { body: about(payment, { again }) });
    // What comes after them is asked about, and only that.
    await notified(scene, payment, 2);
    await notify(scene, { body: about(payment, { status: 'FAILED' }) });
    await until(() => questions(scene, payment) >= 1);
    await wait(200);
    expect(questions(scene, payment)).toBe(1);
    const moves = (await scene.client.getEvents(payment.id)).filter(({ to }) => to === 'succeeded');
    expect(moves).toHaveLength(1);
  },

  'is followed up until the gateway gives a clear answer': async (scene) => {
    const { payment } = await payWallet(scene);
    say(scene, payment, noWord, noWord, answer(failed));
    await notify(scene, { body: about(payment) });
    await scene.client.waitForStatus(payment.id, 'failed');
  },

  'uses up its questions by answers that are not understood, for more of them bring no other': async (
    scene,
  ) => {
    const { payment } = await paymentThatIs(scene, 'succeeded');
    say(scene, payment, answer(cardAnswer({ status: 'SETTLED' })));
    await notify(scene, { body: about(payment, { status: 'FAILED' }) });
    await until(async () => {
      const query = `select notification_checks from payments where id = '${payment.id}'`;
      const [row] = await storedRows(scene, query);
      return Number(row?.['notification_checks']) === 1;
    });
  },

  'that came while the gateway was being asked is followed by another question': async (scene) => {
    const { payment } = await payWallet(scene);
    say(scene, payment, { do: 'answer', body: pending, afterMs: 1_500 }, answer(approved));
    const body = about(payment);
    await notify(scene, { body });
    await until(() => questions(scene, payment) >= 1);
    await notify(scene, { body });
    await scene.client.waitForStatus(payment.id, 'succeeded');
  },

  'of an unknown reference, or of none, is taken and kept, and nobody is asked': async (scene) => {
    const reference = `ORDER-${randomWord(12)}_1`;
    for (const body of [JSON.stringify({ client_ref: reference }), '{}', 'no json', '']) {
      const answered = await notify(scene, { body });
      expect([body, answered.status]).toEqual([body, 200]);
    }
    expect(scene.gateway.requestsTo(`GET /transaction/${reference}`)).toEqual([]);
    const metrics = await (await fetch(`${scene.tillfront.url}/metrics`)).text();
    expect(metrics).toMatch(/notifications?_total\{[^}]*unmatched[^}]*\} [1-9]/);
  },

  'keeps no card number, cvv, pin or code, and its reference all the same': async (scene) => {
    const { payment } = await payWallet(scene);
    say(scene, payment, answer(approved));
    const body = about(payment, {
      card: { cardNumber: '5060990580000217499', cvv: '987', pin: '4321', expiry: '12/30' },
      otp: '765432',
      note: 'card 5060-9905-8000-0217-499 of the payer',
    });
    await notify(scene, { body });
    await scene.client.waitForStatus(payment.id, 'succeeded');
    const rows = await storedRows(scene, `select * from notifications where payment_id = '${payment.id}'`);
    expect(rows).toHaveLength(1);
    expect(JSON.parse(String(rows[0]?.['body']))).toMatchObject({
      client_ref: payment.gatewayReference,
      card: { cardNumber: '[redacted]', cvv: '[redacted]', pin: '[redacted]', expiry: '12/30' },
      otp: '[redacted]',
      note: 'card [redacted] of the payer',
    });
    expect(scene.tillfront.logs()).not.toMatch(/5060990580000217499|(?<![0-9a-f])765432(?![0-9a-f])/);
  },

  'is erased with the payer’s data, and later ones are not kept': async (scene) => {
    const { payment, session } = await paymentThatIs(scene, 'failed');
    say(scene, payment, answer(failed));
    await notify(scene, { body: about(payment, { email: 'ada@example.com' }) });
    expectStatus(await scene.client.post(`/v1/checkout-sessions/${session.id}/redact`), 200);
    await notify(scene, { body: about(payment, { email: 'ada@example.com', again: true }) });
    const rows = await storedRows(scene, `select body from notifications where payment_id = '${payment.id}'`);
    expect(rows).toEqual([{ body: '' }, { body: '' }]);
  },

  'up to 256 KiB, and no more': async (scene) => {
    const { payment } = await payWallet(scene);
    say(scene, payment, answer(pending));
    const large = about(payment, { filler: 'x'.repeat(250 * 1024) });
    expect((await notify(scene, { body: large })).status).toBe(200);
    const tooLarge = await notify(scene, { body: about(payment, { filler: 'x'.repeat(260 * 1024) }) });
    expect(tooLarge.status).toBe(413);
  },

  'with what is refused elsewhere: duplicate keys, control characters, invalid UTF-8': async (scene) => {
    const { payment } = await payWallet(scene);
    say(scene, payment, answer(pending));
    const reference = payment.gatewayReference;
    for (const body of [
      `{"client_ref":"${reference}","client_ref":"${reference}"}`,
      `{"client_ref":"${reference}","__proto__":{"a":1}}`,
      Buffer.concat([
        Buffer.from(`{"client_ref":"${reference}","a":"`),
        Buffer.from([0xff, 0, 1]),
        Buffer.from('"}'),
      ]),
    ]) {
      expect((await notify(scene, { body, headers: { origin: 'https://elsewhere.example' } })).status).toBe(
        200,
      );
    }
  },
};

for (const [name, type, body] of [
  [
    'a form',
    'application/x-www-form-urlencoded',
    (reference: string) => `a=b&client_ref=${reference}&status=SUCCESS`,
  ],
  ['JSON of another name', 'text/plain', (reference: string) => JSON.stringify({ data: { reference } })],
  [
    'JSON of a vendor',
    'application/vnd.gateway+json; charset=utf-8',
    (reference: string) => JSON.stringify({ payload: { reference } }),
  ],
] as [string, string, (reference: string) => string][]) {
  scenarios[`any media type: ${name}`] = async (scene) => {
    const { payment } = await payWallet(scene);
    say(scene, payment, answer(approved));
    const answered = await notify(scene, { type, body: body(payment.gatewayReference) });
    expect(answered.status).toBe(200);
    await scene.client.waitForStatus(payment.id, 'succeeded');
  };
}

describe.each(anyStore)('a notification to the %s store', (store) => {
  sideBySide(() => startScene(store, { GATEWAY_TIMEOUT_MS: '20000' }), scenarios);
});

describe('with a secret', () => {
  const accepted: [string, Sent][] = [
    ['as a bearer token', { headers: { authorization: `Bearer ${secret}` } }],
    ['in its header', { headers: { 'x-notification-secret': secret } }],
    ['in the address', { path: `/${secret}` }],
  ];
  const refused: [string, Sent][] = [
    ['none', {}],
    ['a wrong bearer token', { headers: { authorization: `Bearer ${secret}x` } }],
    ['a basic one', { headers: { authorization: `Basic ${secret}` } }],
    ['a wrong header', { headers: { 'x-notification-secret': 'wrong' } }],
    ['a wrong address', { path: '/wrong' }],
    ['a longer address', { path: `/${secret}x` }],
  ];
  const withSecret: Record<string, Scenario<Scene>> = {};
  for (const [name, sent] of accepted) {
    withSecret[`it is taken ${name}`] = async (scene) => {
      const { payment } = await payWallet(scene);
      say(scene, payment, answer(approved));
      expect((await notify(scene, { ...sent, body: about(payment) })).status).toBe(200);
      await scene.client.waitForStatus(payment.id, 'succeeded');
    };
  }
  for (const [name, sent] of refused) {
    withSecret[`it is refused with ${name}, and nothing is stored`] = async (scene) => {
      const { payment } = await payWallet(scene);
      say(scene, payment, answer(approved));
      const answered = await notify(scene, { ...sent, body: about(payment) });
      expect([answered.status, ((await answered.json()) as { code: string }).code]).toEqual([
        401,
        'unauthorized',
      ]);
      await wait(300);
      expect(questions(scene, payment)).toBe(0);
      const rows = await storedRows(scene, `select id from notifications where payment_id = '${payment.id}'`);
      expect(rows).toEqual([]);
      expect(scene.tillfront.logs()).not.toContain(secret);
    };
  }
  sideBySide(() => startScene('embedded', { NOTIFICATION_SECRET: secret }), withSecret);
});

const schemes: [string, { header: string; [setting: string]: string }, (body: string) => string][] = [
  ['header-secret', { scheme: 'header-secret', header: 'x-signature' }, () => secret],
  [
    'hmac-sha256',
    { scheme: 'hmac-sha256', header: 'x-signature', encoding: 'base64', prefix: 'v1=' },
    (body: string) => `v1=${createHmac('sha256', secret).update(body).digest('base64')}`,
  ],
  [
    'hmac-sha512',
    { scheme: 'hmac-sha512', header: 'x-hook', encoding: 'hex', prefix: '' },
    (body: string) => createHmac('sha512', secret).update(body).digest('hex'),
  ],
];

describe.each(schemes)('signed by %s', (_scheme, signature, sign) => {
  let folder: string;
  let scene: Scene;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tillfront-test-signed-'));
    const path = join(folder, 'profile.json');
    await writeFile(path, JSON.stringify({ notification: { signature } }));
    scene = await startScene('embedded', { NOTIFICATION_SECRET: secret, GATEWAY_PROFILE: path });
  });
  afterAll(async () => {
    await scene.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('the right signature over the raw bytes is taken, any other refused', async () => {
    const { payment } = await payWallet(scene);
    say(scene, payment, answer(approved));
    const body = ` ${about(payment)}\n`;
    const right = sign(body);
    const { header } = signature;
    for (const headers of [
      {},
      { [header]: '' },
      { [header]: `${right}x` },
      { [header]: right.slice(0, -2) },
      { [header]: sign(body.trim()) === right ? 'wrong' : sign(body.trim()) },
      { authorization: `Bearer ${secret}` },
      { 'x-notification-secret': secret },
    ] as Record<string, string>[]) {
      expect((await notify(scene, { body, headers })).status).toBe(401);
    }
    expect((await notify(scene, { body, path: `/${secret}` })).status).toBe(401);
    await wait(300);
    expect(questions(scene, payment)).toBe(0);
    expect((await notify(scene, { body, headers: { [header]: right } })).status).toBe(200);
    await scene.client.waitForStatus(payment.id, 'succeeded');
  });
});

test('what was stored before a crash is followed up after it', async () => {
  const store = await createTestStore('embedded');
  const scene = await startScene(store);
  const { payment } = await payWallet(scene);
  say(scene, payment, { do: 'silent' });
  expect((await notify(scene, { body: about(payment) })).status).toBe(200);
  await until(() => questions(scene, payment) === 1);
  await scene.tillfront.kill();
  say(scene, payment, answer(approved));
  const again = await startScene(store, { GATEWAY_BASE_URL: scene.gateway.url });
  await again.client.waitForStatus(payment.id, 'succeeded');
  expect((await act(again, 'refresh', payment)).status).toBe(200);
  await again.stop();
  await scene.gateway.close();
  await store.dispose();
});
