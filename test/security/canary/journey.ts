import { CompactEncrypt, importJWK, type JWK } from 'jose';
import {
  billing,
  device,
  newReference,
  TillfrontClient,
  type Answer,
  type CallOptions,
  type PaymentBody,
  type SessionBody,
} from '../../harness/client.js';
import {
  answer,
  approved,
  cardAnswer,
  held,
  notFoundAnswer,
  otpRequired,
  redirectRequired,
  walletStarted,
} from '../../harness/gateway-answers.js';
import type { Behaviour, Responder } from '../../harness/gateway-behaviour.js';
import type { MisbehavingGateway } from '../../harness/misbehaving-gateway.js';
import { sendRaw } from '../../harness/raw-http.js';
import type { Tillfront } from '../../harness/tillfront.js';
import { until } from '../../harness/until.js';
import { madeSecret, type Canaries, type Canary } from './canaries.js';
import type { Haystack } from './haystacks.js';

/** Calls the service and keeps every answer, headers included, as a place to search. */
class WatchedClient extends TillfrontClient {
  readonly answers: Haystack[] = [];

  constructor(
    tillfront: Tillfront,
    private readonly canaries: Canaries,
  ) {
    super(tillfront.url, canaries.secrets.merchantKey);
  }

  override async call<T>(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    options: CallOptions = {},
  ): Promise<Answer<T>> {
    const { callerAddress, userAgent } = this.canaries.secrets;
    // The audit keeps from where a merchant key was used, and a payer's address nowhere.
    const address = options.token === undefined ? '2001:db8::1' : callerAddress;
    const answered = await super.call<T>(method, path, body, {
      ...options,
      headers: { 'x-forwarded-for': address, 'user-agent': userAgent, ...options.headers },
    });
    const made = path === '/v1/checkout-sessions' && method === 'POST' && answered.status < 300;
    const kind = made ? 'made' : options.token === undefined ? 'merchant' : 'answer';
    this.keep(
      kind,
      `answer ${answered.status} to ${method} ${path.slice(0, 60)}`,
      [...answered.headers].join('\n') + answered.text,
    );
    return answered;
  }

  keep(kind: string, where: string, text: string): void {
    this.answers.push({ kind, where, bytes: Buffer.from(text) });
  }
}

export interface Journey {
  readonly answers: readonly Haystack[];
  /** Tokens that the service made on the way. */
  readonly tokens: readonly Canary[];
  /** A session that was redacted at the end. */
  readonly calls: number;
}

/**
 * A gateway that repeats what it was sent, and card and one-time code again and again, in whatever it says. The name on the card only
 * where it has just been sent: nobody keeps it, so in a later answer nobody would know it for one.
 */
const echoing = (
  canaries: Canaries,
  rest: { error: unknown; errorCode?: string; transaction?: object },
): Responder => {
  const { verve, otp } = canaries.secrets;
  return (request) =>
    answer(
      cardAnswer(
        { ...rest.transaction },
        {
          error: rest.error,
          message: `Refused ${request.text} for ${verve} ${verve.match(/.{1,4}/g)?.join(' ')} otp ${otp}`,
          errorCode: rest.errorCode ?? verve,
        },
      ),
    );
};

/** What the gateway makes of card payments, one after the other; each may repeat what it was sent. */
function cardBehaviours(canaries: Canaries): (Behaviour | Responder)[] {
  const text =
    (status: number, contentType = 'text/html'): Responder =>
    (request) => ({
      do: 'text',
      status,
      contentType,
      text: `<p>${request.text}</p>`,
    });
  return [
    answer(approved),
    echoing(canaries, { error: true, errorCode: '05' }),
    echoing(canaries, { error: true }),
    echoing(canaries, { error: false, transaction: { status: 'FAILED' } }),
    (request) =>
      answer({
        error: true,
        message: request.json,
        data: { transactionRef: canaries.secrets.visa, errorCode: canaries.secrets.visa },
      }),
    (request) =>
      answer({
        ...cardAnswer({ status: 'PENDING' }, { message: request.text }),
        data: {
          transactionRef: (request.json as { cardNumber: string }).cardNumber,
          transaction: { status: 'PENDING' },
        },
      }),
    (request) =>
      answer(
        cardAnswer({
          status: 'REDIRECT_REQUIRED',
          redirectUrl: `https://acs.example/?pan=${(request.json as { cardNumber: string }).cardNumber}`,
        }),
      ),
    text(200),
    text(500),
    text(200, 'application/json'),
    ...[400, 401, 403, 404, 409, 422, 429, 503].map((status) => text(status, 'application/json')),
    echoing(canaries, { error: 'false', transaction: { status: 'SUCCESS' } }),
    echoing(canaries, { error: true, transaction: { status: 'SUCCESS' } }),
    echoing(canaries, { error: false, transaction: { status: canaries.secrets.nameOnCard } }),
    { do: 'reset-after-reading' },
    { do: 'reset-before-reading' },
    { do: 'close-after-reading' },
    { do: 'cut' },
    { do: 'huge', megabytes: 2 },
    { do: 'silent' },
    { do: 'redirect', status: 307, location: `http://127.0.0.1:9/?pan=${canaries.secrets.verve}` },
  ];
}

/** Drives every success and error path of the service with the run's canaries. */
export async function travel(
  tillfront: Tillfront,
  gateway: MisbehavingGateway,
  canaries: Canaries,
): Promise<Journey> {
  const client = new WatchedClient(tillfront, canaries);
  const tokens: Canary[] = [];
  const { secrets, short } = canaries;
  const jwk = (await client.get<JWK>('/v1/card-encryption-key', { token: 'none' })).body;

  const open = async (over: object = {}): Promise<SessionBody> => {
    const session = await client.createSession({
      payer: canaries.sessionPayer,
      billing: canaries.sessionBilling,
      reference: newReference(),
      ...over,
    });
    tokens.push(madeSecret('client token', session.clientToken.split('.')[1] ?? '', 'made'));
    return session;
  };
  const card = (number: string) => ({
    number,
    expiryMonth: '12',
    expiryYear: '2031',
    cvv: number === secrets.amex ? short.cvv : short.cvv.slice(0, 3),
    pin: short.pin,
    nameOnCard: secrets.nameOnCard,
  });
  const body = (number: string) => ({
    card: card(number),
    payer: canaries.bodyPayer,
    billing: canaries.bodyBilling,
    device: { ...device, userAgent: secrets.userAgent },
  });
  const encrypted = async (session: SessionBody, content: string) =>
    new CompactEncrypt(Buffer.from(content))
      .setProtectedHeader({
        alg: 'RSA-OAEP-256',
        enc: 'A256GCM',
        kid: jwk.kid ?? '',
        sid: session.id,
        iat: Math.floor(Date.now() / 1000),
      })
      .encrypt(await importJWK(jwk, 'RSA-OAEP-256'));
  const pay = (session: SessionBody, content: unknown, options: CallOptions = {}) =>
    client.post<PaymentBody>('/v1/payments/card', content, { token: session.clientToken, ...options });

  gateway.script(
    'GET /transaction/*',
    echoing(canaries, { error: true, errorCode: 'NOT_FOUND' }),
    echoing(canaries, { error: false, transaction: { status: 'FAILED' } }),
  );
  gateway.script('POST /payment/status', answer(notFoundAnswer));
  gateway.script('POST /payment/card', ...cardBehaviours(canaries), answer(held));

  // Every answer that a card payment can get: by turns plain and encrypted, and each brand.
  const numbers = [secrets.verve, secrets.visa, secrets.amex];
  for (let turn = 0; turn < cardBehaviours(canaries).length; turn++) {
    const session = await open();
    const number = numbers[turn % numbers.length] ?? secrets.verve;
    const { card: content, ...rest } = body(number);
    const sent =
      turn % 2 === 0
        ? body(number)
        : { ...rest, encryptedCard: await encrypted(session, JSON.stringify(content)) };
    const key = { idempotencyKey: crypto.randomUUID() };
    const paid = await pay(session, sent, key);
    await pay(session, sent, key);
    await pay(session, { ...sent, device: { ...device, language: 'fr' } }, key);
    await client.get('/v1/checkout-session', { token: session.clientToken });
    const id = paid.body.id ?? (paid.body as unknown as { paymentId?: string }).paymentId;
    if (id !== undefined) await look(client, id, session);
  }

  await confirmAndDecide(client, gateway, canaries, open, (session) => pay(session, body(secrets.verve)));
  await cardPins(client, gateway, canaries, open, (session) => pay(session, body(secrets.visa)), encrypted);
  await otherMethods(client, gateway, canaries, open);
  await refused(client, tillfront, canaries, await open(), body, encrypted);
  await typedWhereTextsStand(client, canaries, open);
  await notify(client, tillfront, canaries, gateway);

  for (const request of gateway.requests) {
    for (const [, token] of request.text.matchAll(/\/return\/([A-Za-z0-9_-]{20,})/g)) {
      if (token !== undefined) tokens.push(madeSecret('return token', token));
    }
  }
  await until(() =>
    client.get<{ data: unknown[] }>('/v1/events?limit=100').then(({ body: { data } }) => data.length > 0),
  );
  return { answers: client.answers, tokens, calls: client.answers.length };
}

/** All views of a payment, by both sides. */
async function look(client: WatchedClient, id: string, session: SessionBody): Promise<void> {
  await client.get(`/v1/payments/${id}`, { token: session.clientToken });
  await client.get(`/v1/payments/${id}/events`);
  await client.get(`/v1/payments?reference=${session.reference}`);
  await client.get(`/v1/checkout-sessions?reference=${session.reference}`);
}

/** One-time codes, redirects, completion, void, cancel, refresh, resolve, close and redact. */
async function confirmAndDecide(
  client: WatchedClient,
  gateway: MisbehavingGateway,
  canaries: Canaries,
  open: () => Promise<SessionBody>,
  pay: (session: SessionBody) => Promise<Answer<PaymentBody>>,
): Promise<void> {
  const { otp } = canaries.secrets;
  const repeating =
    (status: number): Responder =>
    (request) => ({ do: 'text', status, contentType: 'application/json', text: request.text });
  gateway.script('POST /payment/card', answer(otpRequired));
  gateway.script(
    'POST /payment/validate-otp',
    echoing(canaries, { error: true, errorCode: 'X1' }),
    repeating(422),
    repeating(401),
    echoing(canaries, { error: false, transaction: { status: 'OTP_REQUIRED' } }),
    repeating(500),
  );
  gateway.script(
    'GET /transaction/*',
    echoing(canaries, { error: false, transaction: { status: 'OTP_REQUIRED' } }),
  );
  const waiting = await open();
  const { id } = (await pay(waiting)).body;
  for (const code of [otp, otp, otp, otp, otp, otp, `${otp}x`, '12']) {
    await client.submitOtp(waiting, id, code);
    await client.post(`/v1/payments/${id}/refresh`);
  }
  await look(client, id, waiting);
  await client.post(`/v1/payments/${id}/cancel`, {}, { token: waiting.clientToken });

  gateway.script('POST /payment/card', answer(redirectRequired));
  const away = await open();
  const redirected = (await pay(away)).body;
  const back = gateway.requests.findLast(({ text }) => text.includes(redirected.id));
  const returnUrl = /"(http[^"]*\/return\/[^"]+)"/.exec(back?.text ?? '')?.[1] ?? '';
  for (const init of [
    {},
    {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://acs.example' },
      body: `pan=${canaries.secrets.verve}&cvv=${canaries.short.cvv}`,
    },
  ]) {
    const answered = await fetch(returnUrl, { redirect: 'manual', ...init });
    client.keep('answer', 'the way back', [...answered.headers].join('\n') + (await answered.text()));
  }

  gateway.script('POST /payment/card', answer(held));
  gateway.script(
    'POST /payment/completion',
    echoing(canaries, { error: true, errorCode: 'X1' }),
    repeating(503),
    answer(approved),
  );
  gateway.script('POST /payment/void', echoing(canaries, { error: true, errorCode: 'X1' }), repeating(500));
  gateway.script('GET /transaction/*', answer(held));
  const holding = await open();
  const authorized = (await pay(holding)).body;
  await client.post(`/v1/payments/${authorized.id}/void`);
  await client.post(`/v1/payments/${authorized.id}/complete`);
  await client.post(`/v1/payments/${authorized.id}/complete`, { amount: '10000000.00' });
  await client.post(`/v1/payments/${authorized.id}/complete`, { amount: canaries.secrets.visa });
  await client.post(`/v1/payments/${authorized.id}/resolve`, { status: 'succeeded', note: 'nobody asked' });
  await client.post(`/v1/payments/${authorized.id}/void`);
  await look(client, authorized.id, holding);

  const closed = await open();
  await client.post(`/v1/checkout-sessions/${closed.id}/close`);
  await client.post(`/v1/checkout-sessions/${closed.id}/redact`);
  await client.get(`/v1/checkout-sessions/${closed.id}`);
}

/** The card's PIN, asked for after the card: in clear, encrypted, and in forms that are refused. */
async function cardPins(
  client: WatchedClient,
  gateway: MisbehavingGateway,
  canaries: Canaries,
  open: () => Promise<SessionBody>,
  pay: (session: SessionBody) => Promise<Answer<PaymentBody>>,
  encrypted: (session: SessionBody, content: string) => Promise<string>,
): Promise<void> {
  const { pin } = canaries.short;
  const asked = answer(cardAnswer({ status: 'PIN_REQUIRED' }));
  const repeating: Responder = (request) => ({
    do: 'text',
    status: 422,
    contentType: 'application/json',
    text: request.text,
  });
  const echoed: Responder = (request) =>
    answer(
      cardAnswer({ status: 'DECLINED', reference: `T-${pin}` }, { error: false, message: request.text }),
    );
  gateway.script('POST /payment/card', asked);
  gateway.script('GET /transaction/*', asked);
  const session = await open();
  const { id } = (await pay(session)).body;
  gateway.script('POST /payment/validate-pin', repeating, asked, echoed);
  const clear = { pin };
  const sealed = async (content: unknown): Promise<object> => ({
    encryptedPin: await encrypted(session, JSON.stringify(content)),
  });
  for (const content of [
    clear,
    await sealed(clear),
    { pin: `${pin}x` },
    { ...clear, ...(await sealed(clear)) },
    await sealed(pin),
    await sealed({ ...clear, more: pin }),
    await sealed(clear),
  ]) {
    await client.post(`/v1/payments/${id}/pin`, content, { token: session.clientToken });
    await client.post(`/v1/payments/${id}/refresh`);
  }
  await look(client, id, session);
}

async function otherMethods(
  client: WatchedClient,
  gateway: MisbehavingGateway,
  canaries: Canaries,
  open: () => Promise<SessionBody>,
): Promise<void> {
  const payer = canaries.bodyPayer;
  gateway.script('GET /ussd/banks', answer({ error: false, data: [{ code: '058', name: 'Bank' }] }));
  const echo: Responder = (request) => answer(cardAnswer({}, { error: true, message: request.text }));
  const scripts: [string, (Behaviour | Responder)[]][] = [
    [
      'POST /init-partner',
      [walletStarted(), echo, (request) => ({ do: 'text', status: 500, text: request.text })],
    ],
    [
      'POST /payment/transfer',
      [
        answer(
          cardAnswer({
            status: 'PENDING',
            accountNumber: '0123456789',
            accountName: 'Shop',
            bankName: 'Bank',
          }),
        ),
        echo,
        (request) => ({ do: 'text', status: 200, text: request.text }),
      ],
    ],
    [
      'POST /ussd/code',
      [answer(cardAnswer({ status: 'PENDING', ussdCode: '*123#' })), echo, { do: 'close-after-reading' }],
    ],
  ];
  for (const [route, behaviours] of scripts) gateway.script(route, ...behaviours);
  gateway.script('GET /transaction/*', answer(notFoundAnswer));
  for (let turn = 0; turn < 3; turn++) {
    for (const [method, rest] of [
      ['wallet', { payer: { email: payer.email } }],
      ['transfer', { payer }],
      ['ussd', { payer, bankCode: '058' }],
    ] as const) {
      const session = await open();
      const { id } = (
        await client.post<PaymentBody>(`/v1/payments/${method}`, rest, { token: session.clientToken })
      ).body;
      if (id !== undefined) await look(client, id, session);
    }
  }
  await client.get('/v1/ussd/banks', { token: (await open()).clientToken });
}

/** What is refused for its form, each with a secret in the wrong place. */
async function refused(
  client: WatchedClient,
  tillfront: Tillfront,
  canaries: Canaries,
  session: SessionBody,
  body: (number: string) => { card: object; device: object },
  encrypted: (session: SessionBody, content: string) => Promise<string>,
): Promise<void> {
  const { verve, visa, strangeToken, otp } = canaries.secrets;
  const token = session.clientToken;
  const good = body(verve);
  const text = JSON.stringify(good);
  const bodies: unknown[] = [
    { ...good, card: verve },
    { ...good, card: { ...good.card, number: `${verve}x` } },
    { ...good, card: { ...good.card, number: Number(visa) } },
    { ...good, card: { ...good.card, [verve]: 1 } },
    { ...good, [verve]: verve },
    { ...good, card: [verve] },
    { ...good, card: { ...good.card, cvv: verve, pin: verve, nameOnCard: `${verve}\u202e` } },
    { ...good, device: { ...good.device, colorDepth: verve } },
    text.slice(0, -1),
    text.replace('{', `{"card":"${verve}",`),
    text.replace('{', `{"__proto__":"${verve}",`),
    `${text}${' '.repeat(40_000)}`,
    `${verve}`,
    { encryptedCard: verve, device },
    { encryptedCard: await encrypted(session, verve), device },
    {
      encryptedCard: await encrypted(session, JSON.stringify({ ...good.card, number: `${verve}1` })),
      device,
    },
    { encryptedCard: await encrypted({ ...session, id: 'cs_other' }, JSON.stringify(good.card)), device },
  ];
  for (const content of bodies) await client.post('/v1/payments/card', content, { token });
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    await client.post('/v1/payments/card', text, { token, headers: { 'content-type': type } });
  }
  for (const path of [
    `/v1/payments/${verve}`,
    `/v1/payments?reference=${verve}`,
    `/v1/payments?cardNumber=${visa}`,
    `/${visa}?cvv=${otp}`,
    `/v1/payments/${visa}/return/${strangeToken}`,
  ]) {
    await client.get(path);
    await client.get(path, { token });
  }
  await client.post('/v1/payments/card', good, { token: strangeToken });
  await client.post('/v1/payments/card', good, { token, idempotencyKey: null });
  await client.post('/v1/payments/card', good, { token, headers: { origin: `https://${visa}.example` } });
  await client.post('/v1/payments/card', good, { token, headers: { cookie: `pan=${visa}`, 'x-card': visa } });
  await client.post('/v1/checkout-sessions', {
    reference: newReference(),
    amount: visa,
    currency: 'NGN',
    payer: { ...canaries.sessionPayer, email: visa },
    billing,
  });
  for (const raw of [
    `${text}\r\n\r\n`,
    `POST /v1/payments/card HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n${text}`,
    `GET /${visa} HTTP/1.1\r\nhost: x\r\nx-card: ${verve.repeat(1000)}\r\n\r\n`,
    `GET /v1/payments/${visa}?${'x'.repeat(9000)} HTTP/1.1\r\nhost: ${visa}.example\r\nconnection: close\r\n\r\n`,
    `DELETE /v1/payments/${visa} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${strangeToken}\r\nconnection: close\r\n\r\n`,
  ]) {
    const answered = await sendRaw(tillfront.port, [raw], { withinMs: 3_000 });
    client.keep('answer', `answer ${answered.status} to raw bytes`, JSON.stringify(answered));
  }
}

/** Cards and a security code that somebody types where a text is stored, or where an id is kept. */
async function typedWhereTextsStand(
  client: WatchedClient,
  canaries: Canaries,
  open: () => Promise<SessionBody>,
): Promise<void> {
  const { visa, amex, verve } = canaries.secrets;
  const grouped = visa.match(/.{1,4}/g) ?? [];
  const session = { reference: newReference(), amount: '1500.00', currency: 'NGN' };
  const { id, clientToken: token } = await open();
  for (const card of [visa, amex, verve, grouped.join(' '), grouped.join('-')]) {
    const word = card.replaceAll(' ', '-');
    for (const more of [
      { reference: word },
      { payer: { ...canaries.sessionPayer, firstName: card } },
      { payer: { ...canaries.sessionPayer, lastName: `of ${card}` } },
      { payer: { ...canaries.sessionPayer, email: `${word}@canary.example` } },
      { billing: { ...billing, street: card } },
      { billing: { ...billing, city: card } },
      { billing: { ...billing, stateProvince: card } },
      { returnUrl: `https://shop.example/${word}` },
      { metadata: { note: card } },
      { metadata: { [word]: 'x' } },
      { metadata: { cvv: canaries.short.cvv } },
    ])
      await client.post('/v1/checkout-sessions', { ...session, ...more });
    await client.post('/v1/payments/wallet', { payer: { firstName: card } }, { token });
    await client.post('/v1/payments/transfer', {}, { token, idempotencyKey: word });
    await client.post('/v1/checkout-sessions', session, { idempotencyKey: word });
    await client.post('/v1/payments/pay_none/refunds', { reason: card });
    await client.post('/v1/payments/pay_none/resolve', { status: 'failed', note: `card ${card}` });
    await client.post(`/v1/payments/${word}/void`);
    const headers = { 'x-request-id': word, 'tillfront-command-user': word };
    await client.post(`/v1/checkout-sessions/${id}/redact`, {}, { headers });
    await client.get('/v1/payments', { headers });
    await client.get('/v1/payments', {
      headers: { ...headers, 'x-forwarded-for': '2001:db8::1' },
      token: 'wrong-key',
    });
  }
  const note = `cvv ${canaries.short.cvv}`;
  await client.post('/v1/payments/pay_none/resolve', { status: 'failed', note });
  await client.post('/v1/payments/pay_none/refunds', { reason: note });
}

/** Notifications with what they must not hold, in every form and by every way in. */
async function notify(
  client: WatchedClient,
  tillfront: Tillfront,
  canaries: Canaries,
  gateway: MisbehavingGateway,
): Promise<void> {
  const { verve, otp, notificationSecret, nameOnCard } = canaries.secrets;
  const { cvv, pin } = canaries.short;
  const reference =
    /ORDER-[0-9a-f-]+_1/.exec(gateway.requests.map(({ text }) => text).join())?.[0] ?? 'ORDER-none';
  const documents: [string, string][] = [
    [
      'application/json',
      JSON.stringify({
        client_ref: reference,
        cardNumber: verve,
        cvv,
        card_pin: pin,
        otp,
        nameOnCard,
        nested: [{ pan: verve, message: `otp: ${otp} pin=${pin}` }],
      }),
    ],
    ['application/json', JSON.stringify(JSON.stringify({ cardNumber: verve, cvv }))],
    [
      'application/x-www-form-urlencoded',
      `client_ref=${reference}&cardNumber=${verve}&cvv=${cvv}&otp=${otp}`,
    ],
    [
      'text/xml',
      `<n><cardNumber>${verve}</cardNumber><cvv>${cvv}</cvv><pin>${pin}</pin><otp>${otp}</otp></n>`,
    ],
    ['text/plain', `card ${verve.match(/.{1,4}/g)?.join(' ')} cvv: ${cvv} otp=${otp}`],
    ['', `{"cardNumber":"${verve}`],
  ];
  for (const [type, content] of documents) {
    for (const [path, headers] of [
      [`/v1/gateway/notifications/${notificationSecret}`, {}],
      ['/v1/gateway/notifications', { 'x-notification-secret': notificationSecret }],
      ['/v1/gateway/notifications', { authorization: `Bearer ${notificationSecret}` }],
      [`/v1/gateway/notifications/${canaries.secrets.strangeToken}`, {}],
    ] as const) {
      const answered = await fetch(tillfront.url + path, {
        method: 'POST',
        headers: { 'content-type': type || 'x', ...headers },
        body: content,
      });
      client.keep(
        'answer',
        `answer ${answered.status} to a notification`,
        [...answered.headers].join('\n') + (await answered.text()),
      );
    }
  }
}
