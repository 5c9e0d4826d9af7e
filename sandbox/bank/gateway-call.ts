import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../dialects/answer.ts';
import type { Context } from '../context.ts';
import { deliver, reset } from '../notifications/delivery.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { type Decryptor, EnvelopeError } from '../encryption/encryption.ts';
import { mediaTypeOf, readBody } from '../dialects/body.ts';
import type { SignedDoor } from '../credentials/signed-door.ts';
import { type Exchange, sendJson } from '../control/exchange.ts';
import type { Fault } from '../faults/fault.ts';
import { distort } from '../faults/fault-answer.ts';
import type { FaultQueue } from '../faults/fault-queue.ts';
import type { Operation } from '../dialects/operations.ts';
import { perform } from './perform.ts';
import { headerNames, maskValues, type RecordedRequest, type Recorder } from '../control/recorder.ts';
import { type ReadRequest, readRequest } from '../dialects/request.ts';
import { testAmount } from './test-amounts.ts';
import { testCard } from './test-cards.ts';

export interface GatewayParts {
  context: Context;
  dialect: Dialect;
  decryptor: Decryptor;
  faults: FaultQueue;
  recorder: Recorder;
  apiKey: string;
  accessToken: string;
  /** Where the dialect signs: its door. */
  door?: SignedDoor;
}

/** Handles one call of an operation, from its bytes to its answer. */
export async function handleCall(
  parts: GatewayParts,
  operation: Operation,
  path: Record<string, string>,
  exchange: Exchange,
): Promise<void> {
  const { dialect, recorder } = parts;
  const { request, response } = exchange;
  const route = dialect.routes[operation];
  if (!route) throw new Error(`The dialect has no ${operation}`);
  const text = readBody(route, exchange.body, exchange.url.searchParams, dialect.amountIn === 'major-number');
  const received = 'body' in text ? text.body : undefined;
  const opened = await openBody(parts.decryptor, operation, received);
  const order = path.orderId === undefined ? {} : parts.context.orders.find(path.orderId);
  const read = readRequest(dialect, operation, opened.body, path, order);
  const wrong = [
    ...('problem' in text ? [text.problem] : []),
    ...(order === undefined ? ['there is no such order'] : []),
    ...(opened.problems.length > 0 ? opened.problems : read.problems),
  ];
  const credentials = parts.door?.check(exchange) ?? credentialsOf(parts, request);
  const record = recorder.record({
    operation,
    method: request.method ?? '',
    path: exchange.url.pathname,
    clientRef: read.input.text('client_ref'),
    headers: headerNames(request),
    credentials,
    contentType: request.headers['content-type'] ?? '',
    encrypted: opened.encrypted,
    fields: Object.fromEntries(Object.entries(read.values).map(([name, value]) => [name, typeof value])),
    values: maskValues(read.values),
    unexpected: read.unexpected,
    problems: wrong,
    processed: false,
    ...(parts.context.settings.recordBodies ? { body: received, decrypted: opened.body } : {}),
  });
  const refuse = (status: number, code: string, message: string): void => {
    record.answered = status;
    sendJson(response, status, dialect.writeRefusal(code, message));
  };

  if (route.credentials && (credentials.apiKey !== 'right' || credentials.accessToken !== 'right'))
    return refuse(401, 'UNAUTHORIZED', 'A credential is missing or wrong');
  for (const [name, value] of Object.entries(route.headers ?? {}))
    if (request.headers[name] !== value)
      return refuse(400, 'INVALID_REQUEST', `The header ${name} is missing or wrong`);
  const type = mediaTypeOf(route);
  if (type !== undefined && record.contentType.split(';')[0]?.trim().toLowerCase() !== type)
    return refuse(415, 'INVALID_REQUEST', `The body must be ${type}`);
  if (record.problems.length > 0) return refuse(400, 'INVALID_REQUEST', record.problems.join('; '));

  const fault = parts.faults.take(operation, record.clientRef) ?? ownFault(parts.context, operation, read);
  if (fault) record.fault = fault.kind;
  await answer(parts, operation, read, exchange, fault, record);
}

async function answer(
  { context, dialect }: GatewayParts,
  operation: Operation,
  { input }: ReadRequest,
  exchange: Exchange,
  fault: Fault | undefined,
  record: RecordedRequest,
): Promise<void> {
  if (fault?.kind === 'reset-before') {
    reset(exchange.request.socket);
    record.answered = 0;
  }
  const processed =
    fault === undefined ||
    (fault.processed && (fault.kind !== 'reset-before' || fault.processAfterMs !== undefined));
  if (fault?.processAfterMs !== undefined) await sleep(fault.processAfterMs, undefined, { ref: false });
  const truth = processed
    ? perform(operation, context, input)
    : context.ledger.rehearse(() => perform(operation, context, input));
  record.processed = processed;
  if (fault?.kind === 'reset-before') return;

  const said = fault ? distort(truth, fault) : truth;
  if (fault?.delayMs !== undefined) await sleep(fault.delayMs, undefined, { ref: false });
  record.answered = await deliver(
    {
      exchange,
      status: dialect.statusOf?.(said) ?? 200,
      body: dialect.write(operation, said),
      bothTruths: () => [
        dialect.write(operation, claim(truth, 'succeeded')),
        dialect.write(operation, claim(truth, 'failed')),
      ],
      errorPointer: dialect.errorPointer,
      elsewhere: `${context.publicUrl}/elsewhere/${operation}`,
    },
    fault,
  );
}

/** Whether both credential headers were sent, and with the right values. */
export function credentialsOf(
  { apiKey, accessToken }: Pick<GatewayParts, 'apiKey' | 'accessToken'>,
  request: IncomingMessage,
): RecordedRequest['credentials'] {
  return {
    apiKey: check(request, 'x-api-key', apiKey),
    accessToken: check(request, 'access-token', accessToken),
  };
}

/** A test card or a test amount may define a fault of its own. */
function ownFault(context: Context, operation: Operation, { input }: ReadRequest): Fault | undefined {
  if (operation === 'payCard') {
    const fault = testCard(input.text('cardNumber'))?.fault;
    return fault?.kind === 'delay' ? { ...fault, delayMs: context.settings.slowMs } : fault;
  }
  if (operation !== 'initiateWallet' && operation !== 'initiateTransfer' && operation !== 'generateUssdCode')
    return undefined;
  const currency = input.text('currency');
  return testAmount(input.minor(currency), currency)?.fault;
}

function claim(answer: Answer, state: 'succeeded' | 'failed'): Answer {
  const transaction = answer.transaction ? { ...answer.transaction, state } : undefined;
  return { ...answer, error: state === 'failed', ...(transaction ? { transaction } : {}) };
}

interface OpenedBody {
  body: unknown;
  encrypted: boolean;
  problems: string[];
}

async function openBody(decryptor: Decryptor, operation: Operation, received: unknown): Promise<OpenedBody> {
  if (operation !== 'payCard' || decryptor.settings.scheme === 'none')
    return { body: received, encrypted: false, problems: [] };
  try {
    return { body: await decryptor.open(received), encrypted: true, problems: [] };
  } catch (error) {
    if (error instanceof EnvelopeError)
      return { body: undefined, encrypted: false, problems: [error.message] };
    throw error;
  }
}

function check(request: IncomingMessage, header: string, expected: string): 'right' | 'wrong' | 'absent' {
  const value = request.headers[header];
  if (typeof value !== 'string') return 'absent';
  const [given, wanted] = [Buffer.from(value), Buffer.from(expected)];
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? 'right' : 'wrong';
}
