import { afterEach, describe, expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { Secret } from '../secrets/secret.js';
import { Gateway, type CallOptions, type PaymentFacts } from './gateway.js';
import { loadProfile, parseProfile } from './profile/load.js';
import type { OperationName, Profile } from './profile/schema.js';
import { notifyUrlOf, settingsProblems, type GatewaySettings } from './settings.js';

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}
type Reply = { status?: number; body?: unknown; headers?: Record<string, string> };

const servers: Server[] = [];
const gateways: Gateway[] = [];
afterEach(async () => {
  await Promise.all(gateways.splice(0).map((gateway) => gateway.close()));
  for (const server of servers.splice(0)) server.close();
});

/** A gateway on a real port, whose answers the test gives, and what it has seen. */
async function start(profile: Profile, reply: (seen: Seen) => Reply, over: Partial<GatewaySettings> = {}) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = {
        method: request.method,
        url: request.url,
        headers: request.headers,
        text: Buffer.concat(chunks).toString(),
      };
      seen.push(one);
      const { status = 200, body = {}, headers = {} } = reply(one);
      response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const settings: GatewaySettings = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`,
    ...{
      apiKey: new Secret('KEY'),
      accessToken: new Secret('TOKEN'),
      timeoutMs: 5_000,
      mode: 'test' as const,
    },
    ...{ notifyUrl: 'https://shop.example/n', notificationSecrets: [] },
    ...over,
  };
  const calls: string[] = [];
  const gateway = new Gateway(
    profile,
    settings,
    ({ operation, outcome }) => void calls.push(`${operation} ${outcome}`),
  );
  gateways.push(gateway);
  return { gateway, seen, calls };
}

const facts: PaymentFacts = {
  clientRef: 'ORDER-1001_1',
  amount: 150000n,
  currency: 'NGN',
  returnUrl: 'https://shop.example/return',
  payer: { email: 'ada@example.com', phone: '+2348012345678', firstName: 'Ada' },
  billing: { street: '1 Marina', city: 'Lagos', country: 'NGA' },
  card: {
    number: new Secret('5060990580000217499'),
    expiryMonth: '12',
    expiryYear: '30',
    cvv: new Secret('111'),
    nameOnCard: new Secret('Ada Obi'),
  },
  device: {
    javaEnabled: false,
    language: 'en-NG',
    screenHeight: 1080,
    screenWidth: 1920,
    colorDepth: 30,
    timeZone: 'Africa/Lagos',
    userAgent: 'x',
  },
};

function profileOf(profile: object): Profile {
  return parseProfile(
    JSON.stringify({
      answer: {
        status: '/status',
        words: { succeeded: ['ok'], processing: ['wait'], unknownTransaction: ['none'] },
      },
      ...profile,
    }),
  );
}

const paid = { body: { status: 'ok' } };

test('the card call of the built-in profile is the seed’s, a missing last name a dash, and no PIN is no member', async () => {
  const { gateway, seen } = await start(loadProfile(), () => ({
    body: { error: false, data: { transaction: { status: 'SUCCESS', amount: '1500.00', currency: 'NGN' } } },
  }));
  expect(await gateway.call('payCard', facts)).toEqual({ fact: { is: 'paid', amount: 150000n } });
  const [{ method, url, headers, text } = seen[0]!] = seen;
  expect([method, url]).toEqual(['POST', '/api/payment/card']);
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    accept: 'application/json',
    'x-api-key': 'KEY',
    'access-token': 'TOKEN',
  });
  expect(text).toBe(
    '{"cardNumber":"5060990580000217499","expiryMonth":"12","expiryYear":"2030","cvv":"111","nameOnCard":"Ada Obi",' +
      '"amount":"1500.00","currency":"NGN","client_ref":"ORDER-1001_1","authNotifyUrl":"https://shop.example/return",' +
      '"payerEmail":"ada@example.com","payerPhone":"+2348012345678","firstName":"Ada","lastName":"-",' +
      '"billingStreet":"1 Marina","billingCity":"Lagos","billingCountry":"NGA","javaEnabled":false,"language":"en-NG",' +
      '"screenHeight":1080,"screenWidth":1920,"colorDepth":24,"timeZone":"Africa/Lagos","userAgent":"x"}',
  );
});

test('a wallet of the built-in profile carries no credentials', async () => {
  const { gateway, seen } = await start(loadProfile(), () => ({}));
  await gateway.call('initiateWallet', facts);
  expect(seen[0]?.headers).not.toHaveProperty('x-api-key');
});

describe('a form, a query, a path', () => {
  test('in the order written, values encoded, parameters without a value left out', async () => {
    const profile = profileOf({
      operations: {
        payCard: {
          post: '/pay/{client_ref}?mail={payerEmail}&ip={payerIp}&x=1',
          form: { b: { c: '{amountNumber}', d: ['{currency}', 'x'] }, a: '{payerName} & {lastName}' },
        },
      },
    });
    const { gateway, seen } = await start(profile, () => paid);
    await gateway.call('payCard', { ...facts, clientRef: 'a/b?c' });
    expect(seen[0]?.url).toBe('/api/pay/a%2Fb%3Fc?mail=ada%40example.com&x=1');
    expect(seen[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(seen[0]?.text).toBe('b%5Bc%5D=1500.00&b%5Bd%5D%5B0%5D=NGN&b%5Bd%5D%5B1%5D=x&a=Ada+%26+');
  });

  test.each<[OperationName, string, PaymentFacts, string]>([
    ['void', '/void/{transactionRef}', facts, 'refused'],
    ['transactionStatus', '/q/{transactionRef}', facts, 'unclear'],
    ['transactionStatus', '/q?t={transactionRef}', { ...facts, transactionRef: '' }, 'unclear'],
    ['void', '/void/{kept}', { ...facts, kept: { kept: '..' } }, 'refused'],
  ])('%s %s without what it names is not sent', async (operation, address, of, is) => {
    const profile = profileOf({
      operations: {
        payCard: { post: '/p', body: { r: '{client_ref}' }, keep: { kept: '/k' } },
        [operation]: { get: address },
      },
    });
    const { gateway, seen } = await start(profile, () => paid);
    const { fact } = await gateway.call(operation as 'void', of);
    expect([fact.is, seen.length]).toEqual([is, 0]);
    if (fact.is === 'refused')
      expect(fact).toMatchObject({ failure: { code: 'gateway_rejected' }, cardTried: false });
  });
});

test('credentials sign what is sent as it is sent', async () => {
  const sign = {
    scheme: 'hmac-sha512',
    key: 'accessToken',
    over: '{method}\n{path}\n{body}\n{client_ref}',
    encoding: 'base64',
  };
  const profile = profileOf({
    credentials: {
      default: {
        'X-Sig': '{signature}',
        authorization: 'Basic {basic:apiKey:accessToken}',
        'x-half': '{basic:apiKey:}',
        'x-none': '{billingPostCode}',
        sign,
      },
    },
    operations: { payCard: { post: '/pay?n={payerName}', body: { r: '{client_ref}' } } },
  });
  const { gateway, seen } = await start(profile, () => paid);
  await gateway.call('payCard', { ...facts, payer: { firstName: 'Àṣẹ', lastName: "O'Neil" } });
  const { url = '', headers, text } = seen[0]!;
  const expected = createHmac('sha512', 'TOKEN')
    .update(`POST\n${url}\n${text}\nORDER-1001_1`)
    .digest('base64');
  expect(headers).toMatchObject({
    'x-sig': expected,
    authorization: `Basic ${btoa('KEY:TOKEN')}`,
    'x-half': btoa('KEY:'),
  });
  expect(headers).not.toHaveProperty('x-none');
});

test('a header carries letters beyond Latin as UTF-8, and begins no other header', async () => {
  const profile = profileOf({
    operations: {
      payCard: { post: '/p', headers: { 'x-name': '{payerName}' }, body: { r: '{client_ref}' } },
    },
  });
  const { gateway, seen } = await start(profile, () => paid);
  await gateway.call('payCard', { ...facts, payer: { firstName: 'Ọlá\r\nx-evil: 1' } });
  expect(Buffer.from(String(seen[0]?.headers['x-name']), 'latin1').toString()).toBe('Ọlá x-evil: 1');
  expect(seen[0]?.headers).not.toHaveProperty('x-evil');
});

test.each<[Reply | undefined, string]>([
  [paid, 'answered'],
  [{ status: 422, body: {} }, 'rejected'],
  [{ status: 401, body: {} }, 'credentials-rejected'],
  [{ status: 403, body: '<html>' }, 'not-sent'],
  [{ status: 429 }, 'busy'],
  [{ status: 503 }, 'unknown'],
  [undefined, 'not-sent'],
])('a call that gets %j is counted as %s', async (reply, outcome) => {
  const nobody = reply ? {} : { baseUrl: 'http://127.0.0.1:1/' };
  const { gateway, calls } = await start(loadProfile(), () => reply ?? {}, nobody);
  await gateway.call('transactionStatus', facts);
  expect(calls).toEqual([`transactionStatus ${outcome}`]);
});

describe('a token', () => {
  const profile = profileOf({
    credentials: { default: { authorization: 'Bearer {token}' } },
    token: {
      post: '/oauth',
      headers: { authorization: 'Basic {basic:apiKey:accessToken}' },
      form: { grant_type: 'client_credentials' },
      value: ['/token', '/t'],
      expiresIn: ['/ends', '/in'],
    },
    operations: {
      payCard: { post: '/pay', body: { r: '{client_ref}' } },
      transactionStatus: { get: '/{client_ref}' },
    },
  });
  const tokens = (answers: (Reply | undefined)[] = [], valid: (token: string) => boolean = () => true) => {
    let made = 0;
    return ({ url, headers }: Seen): Reply => {
      if (url === '/api/oauth') return answers[made++] ?? { body: { t: `t${made}`, in: 3600 } };
      return valid(String(headers.authorization)) ? paid : { status: 401, body: {} };
    };
  };

  test('is fetched once for all, and again where a cached one is refused: that call alone is repeated, once', async () => {
    let revoked = '';
    const { gateway, seen } = await start(
      profile,
      tokens([], (token) => token !== revoked),
    );
    await Promise.all([1, 2, 3].map(() => gateway.call('payCard', facts)));
    expect(seen.map(({ url }) => url)).toEqual(['/api/oauth', '/api/pay', '/api/pay', '/api/pay']);
    expect(seen[0]?.text).toBe('grant_type=client_credentials');
    revoked = 'Bearer t1';
    expect((await gateway.call('payCard', facts)).fact.is).toBe('paid');
    expect(seen.slice(4).map(({ url }) => url)).toEqual(['/api/pay', '/api/oauth', '/api/pay']);
  });

  test('that is fresh and refused is not tried again', async () => {
    const { gateway, seen } = await start(
      profile,
      tokens([], () => false),
    );
    expect((await gateway.call('payCard', facts)).fact).toMatchObject({
      is: 'refused',
      failure: { code: 'gateway_credentials_rejected' },
    });
    expect(seen).toHaveLength(2);
    await gateway.call('payCard', facts);
    expect(seen).toHaveLength(4);
  });

  test.each<[Reply, string, number | undefined]>([
    [{ status: 401 }, 'gateway_credentials_rejected', undefined],
    [{ status: 403, body: '<html>' }, 'gateway_unavailable', undefined],
    [{ status: 429, headers: { 'retry-after': '9' } }, 'gateway_busy', 9],
    [{ status: 500 }, 'gateway_unavailable', undefined],
    [{ body: { t: 'has blanks', in: 1 } }, 'gateway_unavailable', undefined],
  ])('that is not to be had (%j): nothing was sent', async (answer, code, busySeconds) => {
    const { gateway, seen } = await start(profile, tokens([answer, answer]));
    const answered = await gateway.call('payCard', facts);
    expect(answered).toMatchObject({ fact: { is: 'notSent', failure: { code }, cardTried: false } });
    expect(answered.busySeconds).toBe(busySeconds);
    expect((await gateway.call('transactionStatus', facts)).fact.is).toBe('unclear');
    expect(seen.every(({ url }) => url === '/api/oauth')).toBe(true);
  });
});

describe('a call before another', () => {
  const profile = profileOf({
    operations: {
      payCard: {
        before: {
          post: '/orders',
          body: { ref: '{client_ref}', card: '{cardNumber}' },
          keep: { order: ['/id', '/order/id'], cardToken: '/token' },
          answer: { error: '/error', require: { '/fine': [true] }, code: '/code' },
        },
        post: '/orders/{order}/pay',
        body: { token: '{cardToken}' },
      },
      validateOtp: { post: '/otp', body: { order: '{order}', otp: '{otp}' } },
    },
  });
  const good = { body: { fine: true, order: { id: 7 }, token: 'T'.repeat(5000) } };
  const run = async (first: Reply, options?: CallOptions, second: Reply = paid) => {
    const started = await start(profile, ({ url }) => (url === '/api/orders' ? first : second));
    return { ...started, answered: await started.gateway.call('payCard', facts, options) };
  };

  test('what later calls use is committed before the call is sent; what it alone uses is not', async () => {
    const commits: unknown[] = [];
    const { answered, seen, calls } = await run(good, {
      commit: (kept) => Promise.resolve(commits.push(kept) > 0),
    });
    expect(answered.fact.is).toBe('paid');
    expect(commits).toEqual([{ order: '7' }]);
    expect(seen[1]).toMatchObject({
      url: '/api/orders/7/pay',
      text: JSON.stringify({ token: 'T'.repeat(5000) }),
    });
    expect(calls).toEqual(['before answered', 'payCard answered']);
  });

  test.each<[string, CallOptions['commit']]>([
    ['says no', () => Promise.resolve(false)],
    ['fails', () => Promise.reject(new Error('store down'))],
  ])('where the commit %s, the call itself is not sent', async (_name, commit) => {
    const { answered, seen } = await run(good, { commit: commit! });
    expect(answered.fact).toMatchObject({ is: 'notSent', failure: { code: 'gateway_unavailable' } });
    expect(seen).toHaveLength(1);
  });

  test.each<[Reply, string, string]>([
    [{ status: 500 }, 'notSent', 'gateway_unavailable'],
    [{ status: 401 }, 'notSent', 'gateway_unavailable'],
    [{ status: 403 }, 'notSent', 'gateway_unavailable'],
    [{ status: 429 }, 'notSent', 'gateway_unavailable'],
    [{ status: 404, body: '<html>' }, 'notSent', 'gateway_unavailable'],
    [{ status: 400, body: { code: 'E1' } }, 'refused', 'gateway_rejected'],
    [{ status: 302 }, 'refused', 'gateway_rejected'],
    [{ body: 'no json' }, 'refused', 'gateway_rejected'],
    [{ body: { ...good.body, fine: false } }, 'refused', 'gateway_rejected'],
    [{ body: { ...good.body, error: true } }, 'refused', 'gateway_rejected'],
    [{ body: { ...good.body, order: {} } }, 'refused', 'gateway_rejected'],
    [{ body: { ...good.body, order: { id: 'x'.repeat(513) } } }, 'refused', 'gateway_rejected'],
    [{ body: { ...good.body, token: 'x'.repeat(16 * 1024 + 1) } }, 'refused', 'gateway_rejected'],
  ])('%j: nothing was charged, and no card was tried', async (first, is, code) => {
    const { answered, seen } = await run(first);
    expect(answered.fact).toMatchObject({ is, failure: { code }, cardTried: false });
    expect(seen).toHaveLength(1);
  });
});

describe('the last check', () => {
  test('is made once, before the first of the calls; what it refuses is not sent', async () => {
    const profile = profileOf({
      operations: {
        payCard: {
          before: { post: '/a', body: { r: '{client_ref}' } },
          post: '/b',
          body: { r: '{client_ref}' },
        },
      },
    });
    const { gateway, seen } = await start(profile, () => paid);
    let asked = 0;
    expect((await gateway.call('payCard', facts, { mayBegin: () => ++asked > 1 })).fact).toMatchObject({
      is: 'notSent',
    });
    expect([asked, seen.length]).toEqual([1, 0]);
    expect((await gateway.call('payCard', facts, { mayBegin: () => ++asked > 1 })).fact.is).toBe('paid');
    expect([asked, seen.length]).toEqual([2, 2]);
  });

  test('a deadline that is over sends nothing', async () => {
    const { gateway, seen } = await start(loadProfile(), () => paid);
    expect((await gateway.call('payCard', facts, { deadline: performance.now() - 1 })).fact.is).toBe(
      'notSent',
    );
    expect(seen).toEqual([]);
  });
});

test('values that an answer has are kept for later calls', async () => {
  const profile = profileOf({
    operations: {
      payCard: { post: '/p', body: { r: '{client_ref}' }, keep: { flw: '/id', none: '/x', long: '/long' } },
      void: { post: '/v', body: { id: '{flw}' } },
    },
  });
  const { gateway, seen } = await start(profile, () => ({
    body: { status: 'wait', id: 12, long: 'x'.repeat(513) },
  }));
  const { fact } = await gateway.call('payCard', facts);
  expect(fact.kept).toEqual({ flw: '12' });
  await gateway.call('void', { ...facts, kept: fact.kept ?? {} });
  expect(seen[1]?.text).toBe('{"id":"12"}');
});

test('credentials that an answer repeats go no further', async () => {
  const profile = profileOf({
    credentials: {
      default: { authorization: 'Bearer {token}', 'x-api-key': '{apiKey}', 'x-own': '{accessToken}' },
    },
    token: { post: '/oauth', value: '/t', expiresIn: 60 },
    operations: {
      payCard: {
        post: '/p',
        body: { r: '{client_ref}' },
        keep: { id: '/id' },
        before: { post: '/b', keep: {} },
      },
    },
    answer: {
      status: '/status',
      words: { failed: ['no'], redirect: ['next'] },
      message: '/message',
      code: '/code',
      transactionRef: '/id',
      redirectUrl: '/url',
    },
  });
  const settings = { apiKey: new Secret('the-api-key'), accessToken: new Secret('the-access-token') };
  const secrets = /the-(?:api-key|access-token|bearer-token)/;
  const echo = ({ headers }: Seen): string =>
    `${String(headers['authorization'])} ${String(headers['x-api-key'])} ${String(headers['x-own'])}`;
  for (const status of ['no', 'next'])
    for (const failsBefore of [false, true]) {
      const { gateway } = await start(
        profile,
        (seen) => {
          if (seen.url === '/api/oauth') return { body: { t: 'the-bearer-token' } };
          const body = { status, message: echo(seen), code: echo(seen), id: echo(seen) };
          const code = failsBefore && seen.url === '/api/b' ? 400 : 200;
          return { status: code, body: { ...body, url: `https://acs.example/?k=${echo(seen)}` } };
        },
        settings,
      );
      const { fact } = await gateway.call('payCard', facts);
      expect(JSON.stringify(fact)).not.toMatch(secrets);
    }
});

test('nothing of a card is in what a failing call leaves behind', async () => {
  const { gateway } = await start(loadProfile(), () => paid, { baseUrl: 'http://127.0.0.1:1/' });
  const answered = await gateway.call('payCard', facts);
  expect(answered.fact).toMatchObject({ is: 'notSent', failure: { code: 'gateway_unavailable' } });
  expect(inspect([answered, gateway], { depth: 20, showHidden: true })).not.toContain('5060990580000217499');
});

test('banks of USSD', async () => {
  const reply = {
    body: { error: false, data: [{ code: 737, name: 'GTBank' }, { code: '1' }, null] } as object,
  };
  const { gateway } = await start(loadProfile(), () => reply);
  expect(await gateway.listUssdBanks()).toEqual([{ code: '737', name: 'GTBank' }]);
  reply.body = { error: true, data: [] };
  expect(await gateway.listUssdBanks()).toBeUndefined();
});

test('banks of USSD where they stand in one of several places', async () => {
  const banks = { list: ['/banks', '/list'], code: ['/code', '/id'], name: ['/title', '/name'] };
  const profile = profileOf({ operations: { listUssdBanks: { get: '/banks', banks } } });
  const { gateway } = await start(profile, () => ({ body: { list: [{ id: '058', name: 'GTBank' }] } }));
  expect(await gateway.listUssdBanks()).toEqual([{ code: '058', name: 'GTBank' }]);
});

describe('what the gateway can do', () => {
  const builtIn = new Gateway(loadProfile(), {
    baseUrl: 'https://gw.example',
    timeoutMs: 1,
    mode: 'live',
    notifyUrl: '',
    notificationSecrets: [],
  });

  test('and how it is asked', () => {
    expect([builtIn.has('void'), builtIn.has('refund')]).toEqual([true, false]);
    expect([builtIn.queryOf('card'), builtIn.queryOf('ussd'), builtIn.queryOf('unknown')]).toEqual([
      'transactionStatus',
      'transferUssdStatus',
      'transactionStatus',
    ]);
    expect(builtIn.asksByReference()).toEqual(['transactionStatus', 'transferUssdStatus']);
    expect(builtIn.clientRef('O', 2)).toBe('O_2');
  });

  test('a query that needs more than the reference, or knows no denial, cannot ask about what the store lost', () => {
    const of = (profile: object): string[] =>
      new Gateway(profileOf(profile), {
        baseUrl: 'https://gw.example',
        timeoutMs: 1,
        mode: 'live',
        notifyUrl: '',
        notificationSecrets: [],
      }).asksByReference();
    expect(of({ operations: { transactionStatus: { get: '/{client_ref}?a={amount}' } } })).toEqual([]);
    expect(of({ operations: { transactionStatus: { get: '/{client_ref}?t={transactionRef?}' } } })).toEqual([
      'transactionStatus',
    ]);
    expect(
      of({
        operations: { transactionStatus: { get: '/{client_ref}' } },
        answer: { status: '/s', words: { succeeded: ['ok'] } },
      }),
    ).toEqual([]);
  });

  test('references: prefix, separator and length', () => {
    const reference = { prefix: 'shop2.', separator: '--', maxLength: 12 };
    const gateway = new Gateway(
      profileOf({ operations: { void: { post: '/v/{client_ref}' } }, reference, digits: { IDR: 0 } }),
      { baseUrl: 'https://gw.example', timeoutMs: 1, mode: 'live', notifyUrl: '', notificationSecrets: [] },
    );
    expect(gateway.clientRef('ABC', 1)).toBe('shop2.ABC--1');
    expect(gateway.orderOf('shop2.A-1--12')).toEqual({ reference: 'A-1', n: 12 });
    for (const other of ['ABC--1', 'shop1.ABC--1', 'shop2.ABC-1', 'shop2.ABC--01', 'shop2.ABC'])
      expect(gateway.orderOf(other)).toBeUndefined();
    expect([gateway.fits('shop2.ABC--1'), gateway.fits('shop2.ABC--10')]).toEqual([true, false]);
    expect([gateway.canWrite(150000n, 'IDR'), gateway.canWrite(150050n, 'IDR')]).toEqual([true, false]);
  });
});

test('the configuration that a profile needs', () => {
  const profile = profileOf({
    credentials: { default: { authorization: 'Basic {basic:apiKey:}' } },
    encryption: { scheme: '3des-ecb' },
    operations: { payCard: { post: '/p', encrypt: { n: '{cardNumber}' }, body: { c: '{ciphertext}' } } },
  });
  expect(settingsProblems(profile, {}).map(({ variable }) => variable)).toEqual([
    'GATEWAY_API_KEY',
    'GATEWAY_ENCRYPTION_KEY',
  ]);
  expect(
    settingsProblems(profile, { apiKey: new Secret('a'), encryptionKey: new Secret('x'.repeat(24)) }),
  ).toEqual([]);
});

test('where notifications go', () => {
  const signed = {
    ...loadProfile(),
    notification: { reference: [['r']], signature: { scheme: 'hmac-sha256' as const, header: 'x' } },
  };
  expect(notifyUrlOf(loadProfile(), 'https://s.example/', [new Secret('a b'), new Secret('c')])).toBe(
    'https://s.example/v1/gateway/notifications/a%20b',
  );
  expect(notifyUrlOf(signed, 'https://s.example', [new Secret('a')])).toBe(
    'https://s.example/v1/gateway/notifications',
  );
});
