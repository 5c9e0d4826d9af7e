import { TillfrontClient, expectStatus, sessionRequest, type SessionBody } from '../../harness/client.js';
import {
  answer,
  approved,
  declined,
  held,
  otpRequired,
  walletStarted,
} from '../../harness/gateway-answers.js';
import type { Responder } from '../../harness/gateway-behaviour.js';
import type { MisbehavingGateway } from '../../harness/misbehaving-gateway.js';
import { newReference } from '../../harness/client.js';
import type { Listener, Known, Page } from './described-calls.js';

/** Sessions in which payments are started, in turn. */
const PAYING_SESSIONS = 150;
/** Attempts on one session, or as many as the service takes. */
const ATTEMPTS = 500;

export interface Addresses {
  readonly payers: string;
  readonly merchant: string;
}

/** A reference says what the gateway answers about its cards. */
const cardAnswers: Responder = ({ text }) => {
  if (text.includes('WAIT-')) return answer(otpRequired);
  if (text.includes('PAID-')) return answer(approved);
  if (text.includes('HELD-')) return answer(held);
  return answer(declined);
};

/**
 * Makes one of everything that the calls are about.
 *
 * @param former what was made before. Calls use most of it up; what they only read is made once: the crowded session, which takes
 *   hundreds of payments, and a reference that a notification has named, of which an address may name few in a minute.
 */
export async function makeKnown(
  gateway: MisbehavingGateway,
  { payers, merchant }: Addresses,
  key: string,
  former?: Known,
): Promise<Known> {
  gateway.script('POST /payment/card', cardAnswers);
  gateway.script('POST /init-partner', walletStarted());
  gateway.script('GET /ussd/banks', answer({ error: false, data: [{ code: '058', name: 'Bank' }] }));
  for (const route of [
    'POST /payment/transfer',
    'POST /ussd/code',
    'POST /payment/validate-otp',
    'POST /payment/completion',
    'POST /payment/void',
  ])
    gateway.script(route, answer(declined));
  const shop = new TillfrontClient(merchant, key);
  const browser = new TillfrontClient(payers, key);
  const create = async (kind: string): Promise<SessionBody> =>
    expectStatus(
      await shop.post<SessionBody>(
        '/v1/checkout-sessions',
        sessionRequest({ reference: `${kind}-${newReference()}`.slice(0, 40) }),
      ),
      201,
    ).body;
  const pay = async (session: SessionBody): Promise<string> =>
    expectStatus(await browser.payCard(session), 201, 202).body.id;

  const waiting = await create('WAIT');
  const waitingPayment = await pay(waiting);
  const returnToken = gateway.requests
    .flatMap(({ text }) => /\/return\/([A-Za-z0-9_-]+)/.exec(text)?.[1] ?? [])
    .at(-1);
  const crowd = async (): Promise<Known['crowded']> => {
    const session = await create('MANY');
    for (let attempt = 0; attempt < ATTEMPTS; attempt++)
      if ((await browser.payCard(session)).status !== 201) break;
    return session;
  };
  const crowded = former?.crowded ?? (await crowd());
  const paid = await pay(await create('PAID'));
  const events = await shop.get<{ data: { id: string }[] }>('/v1/events?limit=1');
  const paying: string[] = [];
  while (paying.length < PAYING_SESSIONS) {
    const made = await Promise.all(Array.from({ length: 10 }, () => create('TRY')));
    paying.push(...made.map(({ clientToken }) => clientToken));
  }
  let turn = 0;
  return {
    merchantKey: key,
    clientToken: waiting.clientToken,
    payingToken: () => paying[turn++ % paying.length] as string,
    crowded,
    ids: {
      payments: waitingPayment,
      return: returnToken ?? 'none',
      notifications: 'a-secret-that-is-none',
      'payments/complete': await pay(await create('HELD')),
      'payments/void': await pay(await create('HELD')),
      'payments/resolve': paid,
      'payments/refresh': paid,
      'payments/refunds': paid,
      'checkout-sessions': crowded.id,
      'checkout-sessions/close': (await create('SHUT')).id,
      'checkout-sessions/redact': (await create('FADE')).id,
      // None waits here: it is looked for in vain, which costs no less.
      approvals: 'apr_mi7v0s2k3q2x7wRrUtQ1yZ0a',
      events: expectStatus(events, 200).body.data[0]?.id ?? 'none',
    },
    references: { reference: crowded.reference },
  };
}

/** The pages that people open; what these load is found in them. */
const STARTS: readonly [listener: Listener, path: string][] = [
  ['merchant', '/docs'],
  ['merchant', '/'],
  ['merchant', '/console'],
  ['payers', '/checkout'],
];

/** Pages with all the files that they name, what is nowhere, and the description itself. */
export async function findPages({ payers, merchant }: Addresses): Promise<Page[]> {
  const found = new Map<string, Page>();
  const add = (path: string, listener: Listener): void => void found.set(path, { path, listener });
  for (const [listener, path] of STARTS) {
    add(path, listener);
    const page = await (await fetch((listener === 'merchant' ? merchant : payers) + path)).text();
    for (const [, file = ''] of page.matchAll(/(?:src|href)="(\/[^"#?]+)"/g))
      add(file, file.startsWith('/kit/') ? 'payers' : listener);
  }
  add('/openapi.json', 'merchant');
  add('/kit/tillfront.js', 'payers');
  add('/kit/merchant.json', 'payers');
  add('/nothing/here', 'payers');
  return [...found.values()];
}
