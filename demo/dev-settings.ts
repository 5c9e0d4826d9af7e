import { ROOT, readSettings } from './settings.ts';

/** The programs that `npm run dev` starts, and their variables. */
export interface DevSettings {
  url: string;
  port: number;
  dataDir: string;
  readyUrl: string;
  /** The service's variables. */
  service: Record<string, string>;
  /** Names of variables that nobody set, so that the demo's value is used. */
  defaults: readonly string[];
  /** Undefined where the service is to call another gateway. */
  sandbox?: { port: number; url: string; variables: Record<string, string> };
}

/**
 * The variables of the environment, completed by those of `.env`, completed by the demo's. An empty variable counts as
 * unset, and one that is given as `NAME_FILE` counts as set. The sandbox runs if the gateway's address is the sandbox's.
 */
export function devSettings(
  env: NodeJS.ProcessEnv,
  dotEnv: Readonly<Record<string, string | undefined>>,
): DevSettings {
  const given = { ...nonEmpty(dotEnv), ...nonEmpty(env) };
  const demo = readSettings(given);
  const demoValues = {
    PORT: String(demo.tillfrontPort),
    HOST: '127.0.0.1',
    // a store belongs to one gateway, so this store is not the demo's
    DATA_DIR: `${ROOT}data/dev`,
    GATEWAY_BASE_URL: demo.sandboxUrl,
    GATEWAY_API_KEY: demo.gatewayApiKey,
    GATEWAY_ACCESS_TOKEN: demo.gatewayAccessToken,
    MERCHANT_API_KEY: demo.merchantKey,
  };
  const isGiven = (name: string): boolean => given[name] !== undefined || given[`${name}_FILE`] !== undefined;
  const added = Object.entries(demoValues).filter(([name]) => !isGiven(name));
  const service = { ...demoValues, ...given };
  const health = given['MANAGEMENT_PORT'] ?? service.PORT;
  return {
    url: demo.tillfrontUrl,
    port: demo.tillfrontPort,
    dataDir: service.DATA_DIR,
    readyUrl: `http://localhost:${health}/health/ready`,
    service: { ...given, ...Object.fromEntries(added) },
    defaults: added.map(([name]) => name),
    ...(isSandbox(service.GATEWAY_BASE_URL, demo.sandboxPort) && {
      sandbox: {
        port: demo.sandboxPort,
        url: demo.sandboxUrl,
        variables: {
          SANDBOX_PORT: String(demo.sandboxPort),
          SANDBOX_API_KEY: service.GATEWAY_API_KEY,
          SANDBOX_ACCESS_TOKEN: service.GATEWAY_ACCESS_TOKEN,
          SANDBOX_NOTIFY_URL: `http://127.0.0.1:${service.PORT}/v1/gateway/notifications`,
          ...(given['NOTIFICATION_SECRET'] && { SANDBOX_NOTIFY_SECRET: given['NOTIFICATION_SECRET'] }),
          // it must remember the payments that the kept store may ask about
          SANDBOX_LEDGER_FILE: `${service.DATA_DIR}/sandbox-ledger.jsonl`,
        },
      },
    }),
  };
}

function isSandbox(address: string, port: number): boolean {
  const url = URL.parse(address);
  return url !== null && ['127.0.0.1', 'localhost'].includes(url.hostname) && url.port === String(port);
}

function nonEmpty(variables: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}
