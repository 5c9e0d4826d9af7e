import { moveByHand, HAND_MOVES } from '../pages/by-hand.ts';
import { type Exchange, parseJson, sendJson, sendText } from './exchange.ts';
import { readFault } from '../faults/fault-queue.ts';
import type { GatewayParts } from '../bank/gateway-call.ts';
import { NOTIFICATION_MODES, type Notifications } from '../notifications/notifications.ts';
import { isObject, type JsonObject, textOf } from '../dialects/pointer.ts';
import { decodeStep } from '../routes.ts';
import { SEALING_PATH } from '../encryption/sealing-endpoint.ts';
import { changeSettings } from '../settings.ts';
import { TEST_AMOUNTS } from '../bank/test-amounts.ts';
import { CsvText, PLANTS, settlementReport } from './settlement-report.ts';
import { TEST_CARDS } from '../bank/test-cards.ts';
import { attemptView, referenceView } from '../ledger/transaction-view.ts';

export interface ControlParts extends GatewayParts {
  notifications: Notifications;
}

/** The answer to a control call: a status and JSON. */
type Reply = [status: number, body: unknown];
type Handler = (
  parts: ControlParts,
  call: { name: string; move: string; query: URLSearchParams; body: JsonObject },
) => Reply;

const done = (body: unknown = { ok: true }): Reply => [200, body];
const refused = (...problems: string[]): Reply => [400, { problems }];
const unknown = (what: string): Reply => [404, { problems: [`no such ${what}`] }];

/** `METHOD /sandbox/…` → handler. `:name` and `:move` each match one step of the path. */
const CONTROLS: Record<string, Handler> = {
  'GET /sandbox': ({ dialect, decryptor, context }) =>
    done({
      dialect: dialect.name,
      routes: dialect.routes,
      encryption: decryptor.settings,
      settings: shown(context.settings),
      testCards: TEST_CARDS.map(({ number, brand, title }) => ({ number, brand, title })),
      testAmounts: TEST_AMOUNTS.map(({ minor, title }) => ({ ending: `.${minor}`, title })),
      controls: Object.keys(CONTROLS),
    }),
  'GET /sandbox/encryption': ({ decryptor }) =>
    done({
      ...decryptor.settings,
      key: decryptor.callerKey,
      ...(decryptor.settings.scheme === 'gateway-endpoint' ? { path: SEALING_PATH } : {}),
    }),
  'GET /sandbox/config': ({ context }) => done(shown(context.settings)),
  'POST /sandbox/config': ({ context }, { body }) => {
    const problems = changeSettings(context.settings, body);
    return problems.length > 0 ? refused(...problems) : done(shown(context.settings));
  },
  'GET /sandbox/transactions': ({ context, recorder }) => {
    const references = new Set(context.ledger.transactions().map(({ clientRef }) => clientRef));
    return done({
      data: [...references].map((clientRef) => referenceView(context.ledger, recorder, clientRef)),
    });
  },
  'GET /sandbox/transactions/:name': ({ context, recorder }, { name }) => {
    for (const attempt of context.ledger.attempts(name)) context.bank.byClock(attempt);
    const view = referenceView(context.ledger, recorder, name);
    return view ? done(view) : unknown('client_ref');
  },
  'POST /sandbox/transactions/:name/:move': ({ context }, { name, move, body }) => {
    const known = HAND_MOVES.find((one) => one === move);
    if (!known) return unknown('move');
    const transaction = context.ledger.find(
      name,
      typeof body.transactionRef === 'string' ? body.transactionRef : undefined,
    );
    if (!transaction) return unknown('transaction');
    const why = moveByHand(context, transaction, known, body);
    return why === undefined ? done(attemptView(transaction)) : [409, { problems: [why] }];
  },
  'GET /sandbox/settlement.csv': ({ context }, { query }) => {
    const words = (query.get('plant') ?? '').split(',').filter((word) => word !== '');
    const plants = PLANTS.filter((plant) => words.includes(plant));
    if (words.some((word) => !plants.some((plant) => plant === word)))
      return refused(`plant: may hold only ${PLANTS.join(', ')}`);
    return done(settlementReport(context.ledger, plants));
  },
  'GET /sandbox/ledger': ({ context }, { query }) =>
    done({ data: context.ledger.entries(query.get('client_ref') ?? undefined) }),
  'GET /sandbox/requests': ({ recorder }, { query }) =>
    done({ data: recorder.list(query.get('client_ref') ?? undefined, query.get('operation') ?? undefined) }),
  'GET /sandbox/faults': ({ faults }) => done({ data: faults.list() }),
  'POST /sandbox/faults': ({ faults }, { body }) => {
    const read = (Array.isArray(body.faults) ? body.faults : [body]).map(readFault);
    const problems = read.flatMap((one) => (Array.isArray(one) ? one : []));
    if (problems.length > 0) return refused(...problems);
    for (const one of read) if (!Array.isArray(one)) faults.add(one);
    return done({ data: faults.list() });
  },
  'DELETE /sandbox/faults': ({ faults }) => {
    faults.clear();
    return done();
  },
  'GET /sandbox/notifications': ({ notifications }, { query }) =>
    done({
      mode: notifications.mode,
      delayMs: notifications.delayMs,
      data: notifications.list(query.get('client_ref') ?? undefined),
    }),
  'POST /sandbox/notifications': ({ notifications }, { body }) => {
    const mode = NOTIFICATION_MODES.find((one) => one === body.mode);
    const delayMs = body.delayMs ?? 0;
    if (!mode) return refused(`mode: must be one of ${NOTIFICATION_MODES.join(', ')}`);
    if (!Number.isSafeInteger(delayMs) || Number(delayMs) < 0)
      return refused('delayMs: must be a whole number from 0');
    notifications.mode = mode;
    notifications.delayMs = Number(delayMs);
    return done({ mode, delayMs });
  },
  'POST /sandbox/notifications/send': ({ context, notifications }, { body }) => {
    const transaction = context.ledger.find(textOf(body, 'client_ref', ''));
    if (!transaction) return unknown('client_ref');
    notifications.tell(transaction);
    return done();
  },
  'POST /sandbox/tokens/end': ({ door }) => {
    if (!door) return unknown('token');
    door.endTokens();
    return done();
  },
  'POST /sandbox/reset': ({ context, faults, recorder, notifications }) => {
    context.bank.close();
    context.ledger.reset();
    context.orders.reset();
    faults.clear();
    recorder.reset();
    notifications.reset();
    return done();
  },
};

const ROUTES = Object.entries(CONTROLS).map(([key, handler]) => {
  const [method = '', path = ''] = key.split(' ');
  return { method, handler, pattern: new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`) };
});

/** Answers a control call. There are no credentials, so calls from pages of other origins are refused. */
export function handleControl(parts: ControlParts, exchange: Exchange): void {
  const { request, response, url } = exchange;
  const { origin } = request.headers;
  if (origin !== undefined && URL.parse(origin)?.host !== request.headers.host)
    return sendJson(response, 403, { problems: ['not from a page of another origin'] });
  const body = exchange.body === '' ? {} : parseJson(exchange.body);
  if (!isObject(body) && !Array.isArray(body))
    return sendJson(response, 400, { problems: ['the body must be JSON'] });
  for (const { method, handler, pattern } of ROUTES) {
    const groups =
      method === request.method
        ? (pattern.exec(url.pathname)?.groups ?? (pattern.test(url.pathname) ? {} : undefined))
        : undefined;
    if (!groups) continue;
    const call = {
      name: decodeStep(groups.name ?? ''),
      move: groups.move ?? '',
      query: url.searchParams,
      body: Array.isArray(body) ? { faults: body } : body,
    };
    const [status, answer] = handler(parts, call);
    if (answer instanceof CsvText) return sendText(response, status, 'text/csv; charset=utf-8', answer.text);
    return sendJson(response, status, answer);
  }
  sendJson(response, 404, { problems: ['no such control'], controls: Object.keys(CONTROLS) });
}

function shown<T extends { notifySecret: string }>(settings: T): T {
  return { ...settings, notifySecret: settings.notifySecret === '' ? '' : '[secret]' };
}
