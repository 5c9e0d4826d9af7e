import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Bank } from './bank/bank.ts';
import type { Context } from './context.ts';
import { handleControl } from './control/control.ts';
import { BUILTIN } from './dialects/builtin.ts';
import { SECOND } from './dialects/second.ts';
import { THIRD } from './dialects/third.ts';
import { SignedDoor, TOKEN_PATH } from './credentials/signed-door.ts';
import { Decryptor } from './encryption/encryption.ts';
import { readExchange, sendText } from './control/exchange.ts';
import { FaultQueue } from './faults/fault-queue.ts';
import { type GatewayParts, handleCall } from './bank/gateway-call.ts';
import { Ledger } from './ledger/ledger.ts';
import { OrderBook } from './ledger/order-book.ts';
import { Notifications } from './notifications/notifications.ts';
import type { SandboxOptions } from './options.ts';
import { handlePages } from './pages/pages.ts';
import { headerNames, Recorder } from './control/recorder.ts';
import { createRouter } from './routes.ts';
import { handleSealing, SEALING_PATH } from './encryption/sealing-endpoint.ts';
import { changeSettings, DEFAULT_SETTINGS, type Settings } from './settings.ts';

/** A running sandbox. Tests in the same process can reach its parts. */
export interface Sandbox {
  /** `http://127.0.0.1:4010`. */
  readonly url: string;
  readonly port: number;
  readonly settings: Settings;
  readonly ledger: Ledger;
  readonly bank: Bank;
  readonly faults: FaultQueue;
  readonly recorder: Recorder;
  readonly notifications: Notifications;
  /** The value for the caller's encryption key. Empty where no key is used. */
  readonly encryptionKey: string;
  /** Closes every connection and timer. */
  close(): Promise<void>;
}

const DIALECTS = { builtin: BUILTIN, second: SECOND, third: THIRD };

/** Starts a sandbox gateway. Throws an `Error` where a setting is wrong or the port is taken. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings: Settings = { ...DEFAULT_SETTINGS };
  const problems = changeSettings(settings, { ...options.settings });
  if (problems.length > 0) throw new Error(problems.join('; '));

  const dialect = DIALECTS[options.dialect ?? 'builtin'];
  const encryption = options.encryption === undefined ? dialect.encryption : { scheme: options.encryption };
  const decryptor = new Decryptor(encryption, options.encryptionKey);

  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 60_000 });
  const host = options.host ?? '127.0.0.1';
  const port = await listen(server, options.port ?? 4010, host);
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

  const ledger = new Ledger(options.ledgerFile);
  const notifications = new Notifications(settings, dialect);
  const bank = new Bank(ledger, settings, (transaction) => notifications.tell(transaction));
  const context: Context = {
    settings,
    ledger,
    bank,
    orders: new OrderBook(),
    asksPinLater: dialect.asksPinLater ?? false,
    publicUrl: options.publicUrl ?? url,
  };
  const apiKey = options.apiKey ?? 'sandbox-key';
  const accessToken = options.accessToken ?? 'sandbox-token';
  const faults = new FaultQueue();
  const recorder = new Recorder(settings);
  const parts: GatewayParts = {
    context,
    dialect,
    decryptor,
    faults,
    recorder,
    apiKey,
    accessToken,
    ...(dialect.signed && { door: new SignedDoor(apiKey, accessToken, settings) }),
  };
  const route = createRouter(dialect);

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const exchange = await readExchange(request, response);
    if (!exchange) return;
    const { pathname } = exchange.url;
    if (pathname === '/sandbox' || pathname.startsWith('/sandbox/'))
      return handleControl({ ...parts, notifications }, exchange);
    if (pathname.startsWith('/elsewhere/')) return followed(recorder, request, response, pathname);
    if (handlePages(context, exchange)) return;
    if (encryption.scheme === 'gateway-endpoint' && pathname === SEALING_PATH && request.method === 'POST')
      return handleSealing(parts, exchange);
    if (parts.door && pathname === TOKEN_PATH && request.method === 'POST')
      return parts.door.handleToken(exchange);
    const call = route(request.method ?? '', pathname);
    if (call) return handleCall(parts, call.operation, call.path, exchange);
    sendText(
      response,
      404,
      'application/json; charset=utf-8',
      JSON.stringify(dialect.writeRefusal('NO_ROUTE', 'No such operation')),
    );
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    handle(request, response).catch((error: unknown) => {
      process.stderr.write(
        `sandbox: ${error instanceof Error ? (error.stack ?? error.message) : 'unknown error'}\n`,
      );
      if (!response.headersSent)
        sendText(response, 500, 'text/plain; charset=utf-8', 'The sandbox itself failed');
    });
  });

  return {
    url,
    port,
    settings,
    ledger,
    bank,
    faults,
    recorder,
    notifications,
    encryptionKey: decryptor.callerKey,
    close: async () => {
      notifications.close();
      bank.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      ledger.close();
    },
  };
}

/** A redirect was followed. The names of what was sent are recorded, never the values. */
function followed(
  recorder: Recorder,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): void {
  const presence = (name: string): 'absent' | 'wrong' =>
    request.headers[name] === undefined ? 'absent' : 'wrong';
  recorder.record({
    operation: 'elsewhere',
    method: request.method ?? '',
    path,
    clientRef: '',
    headers: headerNames(request),
    credentials: { apiKey: presence('x-api-key'), accessToken: presence('access-token') },
    contentType: request.headers['content-type'] ?? '',
    encrypted: false,
    fields: {},
    values: {},
    unexpected: [],
    problems: [],
    processed: false,
    answered: 200,
  });
  sendText(response, 200, 'text/plain; charset=utf-8', 'Nobody should come here');
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
