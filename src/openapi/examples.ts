import { approvals } from './approval-examples.js';

/** Examples of every body, by operation: of requests by name, of answers by status (or `any`) and name. */
type Examples = Readonly<Record<string, unknown>>;

const CREATED = '2031-01-01T10:03:51.002Z';
const MOVED = '2031-01-01T10:04:05.678Z';

const payer = { email: 'ada@example.com', phone: '+2348012345678', firstName: 'Ada', lastName: 'Obi' };
const billing = {
  street: '1 Marina',
  city: 'Lagos',
  stateProvince: 'Lagos',
  postCode: '101001',
  country: 'NGA',
};
const device = {
  javaEnabled: false,
  language: 'en-NG',
  screenHeight: 1080,
  screenWidth: 1920,
  colorDepth: 24,
  timeZone: 'Africa/Lagos',
};

const paid = {
  id: 'pay_8Yk2cQ0nVtXw4u7LhZ1sRb6E',
  livemode: false,
  sessionId: 'cs_Jg1hK6vX2bWq8r0mT5yNd3Pz',
  reference: 'ORDER-1001',
  gatewayReference: 'ORDER-1001_1',
  method: 'card',
  status: 'succeeded',
  amount: '1500.00',
  amountAuthorized: null,
  amountCaptured: '1500.00',
  amountRefunded: null,
  disputed: false,
  amountDisputed: null,
  amountReceived: null,
  currency: 'NGN',
  nextAction: null,
  pendingOperation: null,
  duplicateOf: null,
  needsAttention: false,
  attentionReasons: [],
  failure: null,
  card: { brand: 'verve', last4: '7499' },
  metadata: { cart: '42' },
  paidAt: MOVED,
  createdAt: CREATED,
  updatedAt: MOVED,
};
const open = { ...paid, amountCaptured: null, paidAt: null };
const waiting = { ...open, status: 'requires_action' };
const unknown = {
  ...open,
  status: 'processing',
  pendingOperation: { type: 'pay', since: CREATED },
};
const declined = {
  ...open,
  status: 'failed',
  failure: {
    code: 'declined',
    message: 'Insufficient funds',
    reason: 'insufficientFunds',
    gatewayCode: '51',
    retryable: false,
  },
};
const held = { ...open, status: 'authorized', amountAuthorized: '1500.00' };
const otp = { ...waiting, nextAction: { type: 'otp', message: 'Enter the code sent to *******5678' } };
const bankPage = {
  ...waiting,
  nextAction: { type: 'redirect', url: 'https://acs.bank.example/challenge/8f2c', method: 'GET' },
};
const cashier = {
  ...waiting,
  method: 'wallet',
  card: null,
  nextAction: { type: 'redirect', url: 'https://cashier.gateway.example/?orderToken=8f2c', method: 'GET' },
};
const account = {
  ...waiting,
  method: 'transfer',
  card: null,
  nextAction: {
    type: 'transfer',
    bankName: 'Wema Bank',
    accountNumber: '9920011234',
    accountName: 'Shop Checkout',
    amount: '1500.00',
    expiresAt: '2031-01-01T10:33:51Z',
  },
};
const dial = {
  ...waiting,
  method: 'ussd',
  card: null,
  nextAction: { type: 'ussd', code: '*737*000*9041#', bankName: 'Guaranty Trust Bank' },
};

const refund = {
  id: 'ref_8Yk2cQ0nVtXw4u7LhZ1sRb6E',
  paymentId: paid.id,
  amount: '500.00',
  status: 'succeeded',
  reason: 'One of two books was out of stock.',
  createdAt: MOVED,
};
const refunding = { ...refund, status: 'processing' };

const seen = {
  id: 'cs_Jg1hK6vX2bWq8r0mT5yNd3Pz',
  livemode: false,
  status: 'open',
  reference: 'ORDER-1001',
  amount: '1500.00',
  currency: 'NGN',
  returnUrl: 'https://shop.example/thanks',
  methods: ['card', 'wallet', 'transfer', 'ussd'],
  locale: 'en-NG',
  expiresAt: '2031-01-01T10:33:50.000Z',
  createdAt: '2031-01-01T10:03:50.000Z',
};
const fields = {
  card: {
    payer: Object.keys(payer),
    billing: ['street', 'city', 'country'],
    card: ['number', 'expiryMonth', 'expiryYear', 'cvv', 'nameOnCard'],
    device: [...Object.keys(device), 'userAgent'],
    pin: { when: 'with', brands: ['verve'] },
  },
  wallet: { payer: ['email'], billing: [] },
  transfer: { payer: Object.keys(payer), billing: [] },
  ussd: { payer: ['email'], billing: [] },
};
const session = { ...seen, closedReason: null, payer, metadata: { cart: '42' }, payments: [] };
const token = 'cst_cs_Jg1hK6vX2bWq8r0mT5yNd3Pz.mac-of-this-session-and-of-nothing-else-1';
const created = { ...session, clientToken: token, checkoutUrl: `https://pay.shop.example/checkout#${token}` };

const event = {
  id: 'evt_3q2f7wRrK8sVn1XcZ5tYb0Ld',
  type: 'payment.succeeded',
  apiVersion: 'v1',
  livemode: false,
  timestamp: MOVED,
  sequence: 2,
  data: paid,
  delivery: { status: 'delivered', attempts: 1, nextAttemptAt: null, lastResult: 'http_200' },
};
const redelivery = { status: 'pending', attempts: 0, nextAttemptAt: MOVED, lastResult: 'http_500' };

/** By operation and name. */
export const exampleRequests: Readonly<Record<string, Examples>> = {
  'sessions.create': {
    least: { reference: 'ORDER-1001', amount: '1500.00', currency: 'NGN' },
    whole: {
      reference: 'ORDER-1001',
      amount: '1500.00',
      currency: 'NGN',
      payer,
      billing,
      returnUrl: 'https://shop.example/thanks',
      methods: ['card', 'wallet', 'transfer', 'ussd'],
      expiresInSeconds: 1800,
      locale: 'en-NG',
      metadata: { cart: '42' },
    },
  },
  'sessions.close': { empty: {} },
  'sessions.redact': { empty: {} },
  'cards.pay': {
    card: {
      card: {
        number: '5060990580000217499',
        expiryMonth: '12',
        expiryYear: '2030',
        cvv: '111',
        pin: '1111',
        nameOnCard: 'Ada Obi',
      },
      payer,
      billing,
      device,
    },
    encrypted: {
      encryptedCard: 'eyJhbGciOiJSU0EtT0FFUC0yNTYifQ.a2V5.aXY.Y2FyZA.dGFn',
      device,
    },
  },
  'wallets.pay': { session: {}, payer: { payer: { email: 'ada@example.com' } } },
  'transfers.pay': { session: {} },
  'ussd.pay': { bank: { bankCode: '058' } },
  'payments.otp': { code: { otp: '123456' } },
  'cardPin.pin': {
    plain: { pin: '1111' },
    encrypted: { encryptedPin: 'eyJhbGciOiJSU0EtT0FFUC0yNTYifQ.a2V5.aXY.cGlu.dGFn' },
  },
  'payments.cancel': { empty: {} },
  'payments.complete': { all: {}, part: { amount: '1000.00' } },
  'payments.void': { empty: {} },
  'payments.resolve': {
    paid: {
      status: 'succeeded',
      amountReceived: '1500.00',
      note: 'Seen on the bank statement of 21 November.',
    },
    refund: { refundId: refund.id, status: 'failed', note: 'The gateway’s portal has no such refund.' },
  },
  'refunds.refund': { rest: {}, part: { amount: '500.00', reason: 'One of two books was out of stock.' } },
  'payments.refresh': { empty: {} },
  'approvals.approve': { silent: {}, note: { note: 'Checked with the warehouse.' } },
  'approvals.decline': { note: { note: 'The order was not sent back.' } },
  'paymentSearch.search': { email: { query: 'ada@example.com' }, order: { query: '1001' } },
  'events.redeliver': { empty: {} },
  'events.redeliverWaiting': { empty: {} },
  'signIns.signIn': { empty: {} },
};

/** By operation, status (or `any`) and name. */
export const exampleResponses: Readonly<Record<string, Readonly<Record<string, Examples>>>> = {
  'sessions.create': { any: { session: created } },
  'sessions.list': { any: { sessions: { data: [session] } } },
  'sessions.find': { any: { session } },
  'sessions.close': { any: { session: { ...session, status: 'closed' } } },
  'sessions.redact': { any: { session: { ...session, status: 'paid', payer: null, payments: [paid] } } },
  'browserSession.find': {
    any: {
      session: {
        ...seen,
        provided: { payer: Object.keys(payer), billing: Object.keys(billing) },
        fields,
        requiredIn: { stateProvince: ['CAN', 'USA'], postCode: ['CAN', 'DEU', 'GBR', 'USA'] },
        payments: [],
      },
    },
  },
  'cards.pay': {
    '200': { replay: paid },
    '201': { paid, declined, oneTimeCode: otp, bankPage, held },
    '202': { outcomeUnknown: unknown },
  },
  'wallets.pay': {
    '202': { outcomeUnknown: { ...unknown, method: 'wallet', card: null } },
    any: { cashier },
  },
  'transfers.pay': {
    '202': { outcomeUnknown: { ...unknown, method: 'transfer', card: null } },
    any: { account },
  },
  'ussd.pay': { '202': { outcomeUnknown: { ...unknown, method: 'ussd', card: null } }, any: { dial } },
  'payments.list': { any: { payments: { data: [paid], nextCursor: null } } },
  'paymentSearch.search': { any: { found: { data: [paid], nextCursor: null } } },
  'payments.find': { any: { paid, oneTimeCode: otp } },
  'payments.otp': { '202': { outcomeUnknown: unknown }, any: { paid } },
  'cardPin.pin': { '202': { outcomeUnknown: unknown }, any: { paid, oneTimeCode: otp } },
  'payments.cancel': {
    any: {
      canceled: {
        ...open,
        status: 'canceled',
        failure: { code: 'canceled', message: 'The payment was canceled.', reason: null, retryable: true },
      },
    },
  },
  'payments.complete': {
    '202': {
      outcomeUnknown: { ...held, pendingOperation: { type: 'complete', amount: '1000.00', since: MOVED } },
    },
    any: { completed: { ...held, status: 'succeeded', amountCaptured: '1000.00', paidAt: MOVED } },
  },
  'payments.void': {
    '202': { outcomeUnknown: { ...paid, pendingOperation: { type: 'void', since: MOVED } } },
    any: { voided: { ...paid, status: 'voided' } },
  },
  'payments.resolve': {
    '200': { paid, approved: { ...approvals.approvedResolution, result: paid } },
    '202': { waits: { approval: { ...approvals.waiting, kind: 'resolve' } } },
  },
  'refunds.refund': {
    '200': { replay: refund, approved: { ...approvals.approvedRefund, result: refund } },
    '201': { refund },
    '202': { outcomeUnknown: refunding, waits: { approval: approvals.waiting } },
  },
  'refunds.list': { any: { refunds: { data: [refund, refunding] } } },
  'payments.refresh': { any: { paid } },
  'approvals.list': { any: { waiting: { data: [approvals.waiting], nextCursor: null } } },
  'approvals.approve': { any: { approved: { ...approvals.approvedRefund, result: refund } } },
  'approvals.decline': { any: { declined: approvals.declinedRefund } },
  'events.list': { any: { events: { data: [event], nextCursor: event.id } } },
  'events.redeliverWaiting': { any: { some: { events: 128 } } },
  'events.redeliver': { any: { event: { ...event, delivery: redelivery } } },
};
