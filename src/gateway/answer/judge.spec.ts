import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { factOf, whole, type Said } from '../../../test/gateway/judged.js';
import type { Fact } from '../fact.js';
import { MEANINGS, OPERATIONS, type Meaning, type OperationName } from '../profile/schema.js';

const is = (operation: OperationName, said: Said): string => factOf(operation, said).is;

const STARTS = ['initiateWallet', 'initiateTransfer', 'generateUssdCode'] as const;
const CODES = ['validateOtp', 'validatePin'] as const;
const QUERIES = ['transactionStatus', 'transferUssdStatus'] as const;

describe('a listed word in a 200', () => {
  const table: Record<
    Meaning,
    Partial<
      Record<
        'payCard' | 'start' | 'code' | 'query' | 'complete' | 'void' | 'refund' | 'refundStatus',
        Fact['is']
      >
    >
  > = {
    succeeded: {
      payCard: 'paid',
      start: 'unclear',
      code: 'paid',
      query: 'paid',
      complete: 'paid',
      void: 'paid',
      refund: 'refundDone',
      refundStatus: 'refundDone',
    },
    authorized: {
      payCard: 'held',
      start: 'unclear',
      code: 'held',
      query: 'held',
      complete: 'held',
      void: 'held',
      refund: 'unclear',
      refundStatus: 'unclear',
    },
    failed: {
      payCard: 'failed',
      start: 'failed',
      code: 'failed',
      query: 'failed',
      complete: 'failed',
      void: 'failed',
      refund: 'refundFailed',
      refundStatus: 'refundFailed',
    },
    expired: {
      payCard: 'expired',
      start: 'expired',
      code: 'expired',
      query: 'expired',
      complete: 'expired',
      void: 'expired',
      refund: 'unclear',
      refundStatus: 'unclear',
    },
    voided: {
      payCard: 'reversed',
      start: 'reversed',
      code: 'reversed',
      query: 'reversed',
      complete: 'reversed',
      void: 'reversed',
      refund: 'unclear',
      refundStatus: 'unclear',
    },
    processing: {
      payCard: 'waiting',
      start: 'waiting',
      code: 'waiting',
      query: 'waiting',
      complete: 'accepted',
      void: 'accepted',
      refund: 'accepted',
      refundStatus: 'accepted',
    },
    otp: {
      payCard: 'waiting',
      start: 'waiting',
      code: 'waiting',
      query: 'waiting',
      complete: 'accepted',
      void: 'accepted',
      refund: 'accepted',
      refundStatus: 'accepted',
    },
    pin: {
      payCard: 'waiting',
      start: 'waiting',
      code: 'waiting',
      query: 'waiting',
      complete: 'accepted',
      void: 'accepted',
      refund: 'accepted',
      refundStatus: 'accepted',
    },
    redirect: {
      payCard: 'waiting',
      start: 'waiting',
      code: 'waiting',
      query: 'waiting',
      complete: 'accepted',
      void: 'accepted',
      refund: 'accepted',
      refundStatus: 'accepted',
    },
    unsupported: {
      payCard: 'waiting',
      start: 'waiting',
      code: 'waiting',
      query: 'waiting',
      complete: 'accepted',
      void: 'accepted',
      refund: 'accepted',
      refundStatus: 'accepted',
    },
    refunded: {
      payCard: 'givenBack',
      start: 'givenBack',
      code: 'givenBack',
      query: 'givenBack',
      complete: 'givenBack',
      void: 'givenBack',
      refund: 'refundDone',
      refundStatus: 'refundDone',
    },
    partiallyRefunded: {
      payCard: 'givenBack',
      start: 'givenBack',
      code: 'givenBack',
      query: 'givenBack',
      complete: 'givenBack',
      void: 'givenBack',
      refund: 'refundDone',
      refundStatus: 'refundDone',
    },
    chargedBack: {
      payCard: 'chargedBack',
      start: 'chargedBack',
      code: 'chargedBack',
      query: 'chargedBack',
      complete: 'chargedBack',
      void: 'chargedBack',
      refund: 'unclear',
      refundStatus: 'unclear',
    },
    disputeWon: {
      payCard: 'disputeWon',
      start: 'disputeWon',
      code: 'disputeWon',
      query: 'disputeWon',
      complete: 'disputeWon',
      void: 'disputeWon',
      refund: 'unclear',
      refundStatus: 'unclear',
    },
    unknownTransaction: {
      payCard: 'unclear',
      start: 'unclear',
      code: 'unclear',
      query: 'denied',
      complete: 'unclear',
      void: 'unclear',
      refund: 'unclear',
      refundStatus: 'denied',
    },
    undecided: {
      payCard: 'unclear',
      start: 'unclear',
      code: 'unclear',
      query: 'unclear',
      complete: 'unclear',
      void: 'unclear',
      refund: 'unclear',
      refundStatus: 'unclear',
    },
    referenceUsed: {
      payCard: 'unclear',
      start: 'unclear',
      code: 'unclear',
      query: 'unclear',
      complete: 'unclear',
      void: 'unclear',
      refund: 'unclear',
      refundStatus: 'unclear',
    },
  };
  const operationsOf = {
    payCard: ['payCard'],
    start: STARTS,
    code: CODES,
    query: QUERIES,
    complete: ['complete'],
    void: ['void'],
    refund: ['refund'],
    refundStatus: ['refundStatus'],
  } as const;

  test.each([...MEANINGS])('%s', (meaning) => {
    for (const [kind, expected] of Object.entries(table[meaning]))
      for (const operation of operationsOf[kind as keyof typeof operationsOf])
        expect([operation, is(operation, { body: { status: meaning } })]).toEqual([operation, expected]);
  });

  test('in any case of ASCII letters, but not of others', () => {
    expect(is('payCard', { body: { status: ' SUCCEEDED ' } })).toBe('paid');
    expect(is('payCard', { body: { status: 'ſucceeded' } })).toBe('unlisted');
  });
});

describe('the HTTP status', () => {
  const page = '<!doctype html><h1>Forbidden</h1>';
  const json = { message: 'No' };
  test.each<[number, unknown, Fact['is'], string | undefined, boolean | undefined]>([
    [200, '', 'unclear', undefined, undefined],
    [200, page, 'unclear', undefined, undefined],
    [200, '[', 'unclear', undefined, undefined],
    [200, '{"status":"succeeded","m":"a\nb\tc\u0000"}', 'paid', undefined, undefined],
    [200, '\uFEFF{"status":"succeeded"}', 'paid', undefined, undefined],
    [201, { status: 'succeeded' }, 'paid', undefined, undefined],
    [202, { status: 'succeeded' }, 'paid', undefined, undefined],
    [203, { status: 'succeeded' }, 'unclear', undefined, undefined],
    [204, '', 'unclear', undefined, undefined],
    [302, page, 'unclear', undefined, undefined],
    [400, json, 'refused', 'gateway_rejected', true],
    [404, json, 'refused', 'gateway_rejected', true],
    [422, json, 'refused', 'gateway_rejected', true],
    [422, { status: 'succeeded' }, 'refused', 'gateway_rejected', true],
    [400, page, 'refused', 'gateway_unavailable', false],
    [404, ` \uFEFF\n${page}`, 'refused', 'gateway_unavailable', false],
    [422, page, 'refused', 'gateway_unavailable', false],
    [401, json, 'refused', 'gateway_credentials_rejected', false],
    [403, json, 'refused', 'gateway_credentials_rejected', false],
    [401, page, 'refused', 'gateway_unavailable', false],
    [403, page, 'refused', 'gateway_unavailable', false],
    [429, json, 'refused', 'gateway_busy', false],
    [409, json, 'unclear', undefined, undefined],
    [500, { status: 'failed' }, 'unclear', undefined, undefined],
    [503, page, 'unclear', undefined, undefined],
  ])('%d with %j of a card is %s %s', (status, body, expected, code, cardTried) => {
    const fact = factOf('payCard', { status, body });
    expect(fact.is).toBe(expected);
    if (fact.is === 'refused') expect([fact.failure.code, fact.cardTried]).toEqual([code, cardTried]);
  });

  test.each([400, 401, 403, 404, 422, 429, 500])('%d of a query says nothing about the payment', (status) => {
    for (const operation of [...QUERIES, 'refundStatus'] as const)
      for (const body of [json, page, { error: true }])
        expect(is(operation, { status, body })).toBe('unclear');
  });

  test('names when a busy gateway may be asked again', () => {
    const fact = factOf('void', { status: 429, body: {}, headers: { retryAfter: '17' } });
    expect(fact).toMatchObject({
      is: 'refused',
      failure: { code: 'gateway_busy', retryable: true },
      retryAfterSeconds: 17,
    });
  });

  test('a refused wallet, transfer or code tried no card', () => {
    for (const operation of [...STARTS, ...CODES])
      for (const said of [{ status: 400, body: {} }, { body: { error: true } }])
        expect(factOf(operation, said)).toMatchObject({ is: 'refused', cardTried: false });
  });

  test('of readStatuses: a listed word counts as in a 200, else the status does', () => {
    const profile = {
      ...whole,
      operations: {
        ...whole.operations,
        transactionStatus: { get: '/{client_ref}', answer: { readStatuses: [404, 500] } },
        void: { post: '/v/{client_ref}', answer: { readStatuses: [409] } },
      },
    };
    const at = (operation: OperationName, status: number, body: unknown): string =>
      factOf(operation, { status, body }, {}, profile).is;
    expect(at('transactionStatus', 404, { status: 'unknownTransaction' })).toBe('denied');
    expect(at('transactionStatus', 500, { status: 'failed' })).toBe('failed');
    expect(at('transactionStatus', 404, { status: 'nothing listed' })).toBe('unclear');
    expect(at('transactionStatus', 400, { status: 'failed' })).toBe('unclear');
    expect(at('void', 409, { status: 'voided' })).toBe('reversed');
    expect(at('void', 409, { status: 'who knows' })).toBe('unclear');
  });
});

describe('the reference was used before', () => {
  test.each([200, 201, 202, 400, 409, 422])(
    'a start is unknown with %d, at any status or code pointer',
    (status) => {
      for (const operation of ['payCard', ...STARTS] as const) {
        expect(is(operation, { status, body: { error: true, code: 'referenceUsed' } })).toBe('unclear');
        expect(
          is(operation, { status, body: { error: true, status: 'failed', code: 'REFERENCEUSED' } }),
        ).toBe('unclear');
      }
    },
  );

  test('of another operation it is a word like any other', () => {
    expect(is('refund', { status: 400, body: { code: 'referenceUsed' } })).toBe('refused');
    expect(is('payCard', { status: 404, body: { code: 'referenceUsed' } })).toBe('refused');
  });
});

describe('error, words and what they say together', () => {
  test.each<[object, Fact['is']]>([
    [{ error: 'yes', status: 'succeeded' }, 'unclear'],
    [{ error: null, status: 'succeeded' }, 'unclear'],
    [{ error: false, status: 'succeeded' }, 'paid'],
    [{ error: true }, 'refused'],
    [{ error: true, status: 'never heard' }, 'refused'],
    [{ error: true, status: 'failed' }, 'failed'],
    [{ error: true, status: 'processing' }, 'waiting'],
    [{ error: true, status: 'voided' }, 'reversed'],
    [{ error: true, code: 'undecided' }, 'unclear'],
    [{ error: true, status: 'succeeded' }, 'unclear'],
    [{ error: true, status: 'authorized' }, 'unclear'],
    [{ error: true, status: 'refunded' }, 'unclear'],
    [{ status: 'succeeded', code: 'failed' }, 'unclear'],
    [{ status: 'failed', code: 'succeeded' }, 'unclear'],
    [{ status: 'never heard', code: 'succeeded' }, 'unlisted'],
    [{ status: 'never heard', code: 'failed' }, 'failed'],
    [{ status: 'never heard' }, 'unlisted'],
    [{ status: {}, code: 'succeeded' }, 'unlisted'],
    [{ status: null, code: 'succeeded' }, 'paid'],
    [{ status: '', code: 'succeeded' }, 'paid'],
    [{}, 'unclear'],
    [{ error: false }, 'unclear'],
  ])('%j is %s', (body, expected) => {
    expect(is('payCard', { body })).toBe(expected);
  });

  test('an operation on what the gateway does not know is refused where it is an error', () => {
    for (const operation of ['complete', 'void', 'refund', ...CODES] as const)
      expect(is(operation, { body: { error: true, code: 'unknownTransaction' } })).toBe('refused');
    expect(is('payCard', { body: { error: true, code: 'unknownTransaction' } })).toBe('unclear');
    expect(is('transactionStatus', { body: { error: true, code: 'unknownTransaction' } })).toBe('denied');
  });

  test('a refusal says why: the code is looked up before the message', () => {
    expect(factOf('payCard', { body: { error: true, code: '51', message: 'No' } })).toMatchObject({
      failure: {
        code: 'declined',
        reason: 'insufficientFunds',
        gatewayCode: '51',
        message: 'No',
        retryable: false,
      },
    });
    expect(factOf('payCard', { body: { error: true, message: 'NOT ENOUGH' } })).toMatchObject({
      failure: { reason: 'insufficientFunds', gatewayCode: null },
    });
    expect(factOf('payCard', { body: { status: 'failed', code: '19' } })).toMatchObject({
      is: 'failed',
      failure: { reason: 'tryAgain', retryable: true },
    });
  });
});

describe('require', () => {
  const profile = {
    ...whole,
    answer: {
      ...whole.answer,
      require: [
        { pointer: ['ok'], values: new Set(['true']) },
        { pointer: ['result'], values: new Set(['00', '01']) },
      ],
    },
  };
  test.each<[object, Fact['is']]>([
    [{ status: 'succeeded', ok: true, result: '01' }, 'paid'],
    [{ status: 'succeeded', ok: 'true', result: '00' }, 'paid'],
    [{ status: 'succeeded', ok: false, result: '00' }, 'unclear'],
    [{ status: 'succeeded', ok: true }, 'unclear'],
    [{ status: 'processing', ok: false, error: true }, 'refused'],
    [{ status: 'failed', ok: false, error: true }, 'refused'],
    [{ status: 'otp', ok: false, error: true }, 'unclear'],
    [{ status: 'failed', ok: false }, 'unclear'],
    [{ error: true, ok: false }, 'refused'],
  ])('%j is %s', (body, expected) => {
    expect(factOf('payCard', { body }, {}, profile).is).toBe(expected);
  });
});

describe('about something else', () => {
  test.each<[object, object]>([
    [{ ref: 'O_2' }, { is: 'foreign', differs: 'reference' }],
    [{ ref: 'o_1' }, { is: 'foreign', differs: 'reference' }],
    [{ ref: 'R1' }, { is: 'foreign', differs: 'reference' }],
    [{ ref: ' O_1\t' }, { is: 'paid' }],
    [{ ref: 'O_1\u0007x' }, { is: 'foreign', differs: 'reference' }],
    [{ ref: 'O_1'.repeat(1_000) }, { is: 'foreign', differs: 'reference' }],
    [{ ref: '' }, { is: 'paid' }],
    [{ currency: 'USD' }, { is: 'foreign', differs: 'currency' }],
    [{ currency: 'ngn' }, { is: 'paid' }],
    [{ currency: 566 }, { is: 'paid' }],
    [{ amount: '1500.00' }, { is: 'paid', amount: 150000n }],
    [{ amount: 99.5 }, { is: 'paid', amount: 9950n }],
    [{ amount: '1,500.00' }, { is: 'unclear' }],
    [{ amount: '1500.001' }, { is: 'unclear' }],
    [{ amount: '1500.0000' }, { is: 'paid', amount: 150000n }],
    [{ amount: null }, { is: 'paid' }],
  ])('%j', (body, expected) => {
    expect(factOf('payCard', { body: { status: 'succeeded', ...body } })).toMatchObject(expected);
  });

  test('a refund may name the payment or itself', () => {
    for (const [ref, expected] of [
      ['O_1', 'refundDone'],
      ['R1', 'refundDone'],
      ['R2', 'foreign'],
    ])
      for (const operation of ['refund', 'refundStatus'] as const)
        expect(is(operation, { body: { status: 'succeeded', ref } })).toBe(expected);
  });

  test('a denial names nothing', () => {
    expect(
      factOf('transactionStatus', {
        body: { status: 'unknownTransaction', ref: 'O_2', amount: 'x', tx: 'T' },
      }),
    ).toEqual({ is: 'denied' });
  });

  test('a success without the amount that the gateway repeats is not believed', () => {
    const profile = { ...whole, answer: { ...whole.answer, amountOptional: false } };
    for (const status of ['succeeded', 'authorized'])
      expect(factOf('payCard', { body: { status } }, {}, profile).is).toBe('unclear');
    expect(factOf('refund', { body: { status: 'refunded' } }, {}, profile).is).toBe('unclear');
    for (const status of ['failed', 'voided', 'processing'])
      expect(factOf('payCard', { body: { status } }, {}, profile).is).not.toBe('unclear');
  });

  test('digits: a gateway that counts otherwise', () => {
    const profile = {
      ...whole,
      digits: { UGX: 2, IDR: 0 },
      answer: { ...whole.answer, amountUnit: 'minor' as const },
    };
    const amountOf = (amount: unknown, currency: string): unknown =>
      factOf('payCard', { body: { status: 'succeeded', amount } }, { currency }, profile);
    expect(amountOf(150000, 'UGX')).toMatchObject({ amount: 1500n });
    expect(amountOf(150001, 'UGX')).toMatchObject({ is: 'unclear' });
    expect(amountOf(1500, 'IDR')).toMatchObject({ amount: 150000n });
  });
});

test('no answer makes the judge throw, nor money of what is no listed word', () => {
  const json = fc.json({ maxDepth: 4 });
  fc.assert(
    fc.property(
      fc.constantFrom(...OPERATIONS),
      fc.integer({ min: 100, max: 599 }),
      fc.oneof(json, fc.string()),
      (operation, status, text) => {
        const fact = factOf(operation, { status, body: text });
        expect([
          'paid',
          'held',
          'refundDone',
          'givenBack',
          'chargedBack',
          'disputeWon',
          'reversed',
          'denied',
        ]).not.toContain(fact.is);
      },
    ),
    { numRuns: 500 },
  );
});

test('an answer that ends too early, whatever it was, is unclear', () => {
  const text = JSON.stringify({
    error: false,
    status: 'succeeded',
    ref: 'O_1',
    amount: '1500.00',
    currency: 'NGN',
  });
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: text.length - 1 }),
      (length) => is('payCard', { body: text.slice(0, length) }) === 'unclear',
    ),
  );
});

test('a decline names its transaction, unless it is about another payment', () => {
  const named = { error: true, code: '51', tx: 'TX9' };
  expect(factOf('payCard', { body: named })).toMatchObject({ is: 'refused', transactionRef: 'TX9' });
  expect(factOf('payCard', { body: { ...named, ref: 'ANOTHER_1' } })).not.toHaveProperty('transactionRef');
  expect(factOf('refund', { body: named })).not.toHaveProperty('transactionRef');
});

test.each([
  ['1732000000000000001', '1732000000000000001'],
  ['-1732000000000000001', '-1732000000000000001'],
  ['173200000000000', '173200000000000'],
  ['1.7320000000000000001', '1.732'],
])('a reference that is the number %s is %s', (number, reference) => {
  expect(factOf('payCard', { body: `{"error":true,"code":"51","tx":${number}}` })).toMatchObject({
    is: 'refused',
    transactionRef: reference,
  });
});
