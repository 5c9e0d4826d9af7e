import { assertFree, start, type Running } from './processes.ts';
import { ROOT, withFreePorts, type DemoSettings } from './settings.ts';

/** The settings with ports that are free. Says which ones had to change. Throws where the sandbox's port is in use. */
export async function choosePorts(wanted: DemoSettings, shop: string): Promise<DemoSettings> {
  await assertSandboxPortFree(wanted);
  const settings = await withFreePorts(wanted, shop);
  const moved = [
    ['Tillfront', wanted.tillfrontPort, settings.tillfrontPort],
    [shop, wanted.shopPort, settings.shopPort],
  ] as const;
  for (const [what, from, to] of moved)
    if (from !== to) process.stdout.write(`  Port ${from} is in use: ${what} takes ${to}.\n`);
  return settings;
}

/** Throws where the sandbox's port is in use. No other port will do, because the kept payments belong to this address. */
export function assertSandboxPortFree({ sandboxPort }: DemoSettings): Promise<void> {
  return assertFree(
    sandboxPort,
    'the sandbox gateway',
    'stop what uses it. The payments kept from earlier runs belong to the sandbox at this address; for another one set SANDBOX_PORT and DATA_DIR.',
  );
}

/** Starts the sandbox gateway. The wallet's cashier sends payers back to this path of the shop. */
export function startSandbox(settings: DemoSettings, returnPath: string): Running {
  return start(
    'The sandbox gateway',
    ['sandbox/main.ts'],
    {
      SANDBOX_PORT: String(settings.sandboxPort),
      SANDBOX_API_KEY: settings.gatewayApiKey,
      SANDBOX_ACCESS_TOKEN: settings.gatewayAccessToken,
      SANDBOX_NOTIFY_URL: `http://127.0.0.1:${settings.tillfrontPort}/v1/gateway/notifications`,
      SANDBOX_RETURN_URL: settings.shopUrl + returnPath,
      // it must remember the payments that the kept store may ask about
      SANDBOX_LEDGER_FILE: `${settings.dataDir}/sandbox-ledger.jsonl`,
    },
    ROOT,
  );
}

/**
 * Starts Tillfront in the demo's own folder. There is no `.env` there: the merchant's is for the merchant's service.
 */
export function startTillfront(settings: DemoSettings): Running {
  return start(
    'Tillfront',
    [`${ROOT}dist/service/main.js`],
    {
      PORT: String(settings.tillfrontPort),
      // its key is public, so nobody else may reach it
      HOST: '127.0.0.1',
      PUBLIC_BASE_URL: settings.tillfrontUrl,
      DATA_DIR: settings.dataDir,
      GATEWAY_BASE_URL: settings.sandboxUrl,
      GATEWAY_API_KEY: settings.gatewayApiKey,
      GATEWAY_ACCESS_TOKEN: settings.gatewayAccessToken,
      // The built-in profile has no refunds; the sandbox does.
      GATEWAY_PROFILE: `${ROOT}sandbox/refunds.profile.json`,
      GATEWAY_TIMEOUT_MS: '8000',
      MERCHANT_API_KEY: [settings.merchantKey, settings.people].filter(Boolean).join(','),
      ...(settings.approvalAbove !== undefined && { APPROVAL_ABOVE: settings.approvalAbove }),
      MERCHANT_WEBHOOK_URL: `http://127.0.0.1:${settings.shopPort}/webhooks`,
      MERCHANT_WEBHOOK_SECRET: settings.webhookSecret,
      ALLOWED_ORIGINS: settings.shopUrl,
      LOG_LEVEL: 'warn',
    },
    settings.dataDir,
  );
}
