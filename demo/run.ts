import { existsSync } from 'node:fs';
import { startShop } from './shop/server.ts';
import { assertFree, ready, start, stopAll, type Running } from './processes.ts';
import { ROOT, SANDBOX_PORT, readSettings, type DemoSettings } from './settings.ts';
import { Unexpected, showPayments } from './steps.ts';

/** Shows everything: a sandbox gateway, Tillfront and a shop, with three payments made before your eyes. */
async function main(): Promise<void> {
  const exitAfterwards = process.argv.includes('--exit');
  const settings = readSettings(process.env);
  await assertFree(SANDBOX_PORT, 'the sandbox gateway', 'stop what uses it.');
  await assertFree(settings.tillfrontPort, 'Tillfront', 'stop what uses it, or set PORT.');
  await assertFree(settings.shopPort, 'the demo shop', 'stop what uses it, or set SHOP_PORT.');
  if (!existsSync(`${ROOT}dist/main.js`)) throw new Error('Nothing is built yet: run `npm run build`.');

  const running: Running[] = [];
  const stopShop = await startShop(settings);
  const end = async (code: number): Promise<never> => {
    await stopAll(running);
    await stopShop();
    process.exit(code);
  };
  process.once('SIGINT', () => void end(0));
  process.once('SIGTERM', () => void end(0));
  try {
    running.push(startSandbox(settings), startTillfront(settings));
    const [sandbox, tillfront] = running as [Running, Running];
    await ready(sandbox, `${settings.sandboxUrl}/sandbox`);
    await ready(tillfront, `${settings.tillfrontUrl}/health/ready`);
    await showPayments(settings);
  } catch (error) {
    const text =
      error instanceof Unexpected ? `✘ ${error.message}` : error instanceof Error ? error.message : 'failed';
    process.stderr.write(`\n${text}\n`);
    await end(1);
  }
  if (exitAfterwards) {
    process.stdout.write('\nAll came out as expected.\n');
    await end(0);
  }
  announce(settings);
}

function startSandbox(settings: DemoSettings): Running {
  return start(
    'The sandbox gateway',
    ['sandbox/main.ts'],
    {
      SANDBOX_PORT: String(SANDBOX_PORT),
      SANDBOX_API_KEY: settings.gatewayApiKey,
      SANDBOX_ACCESS_TOKEN: settings.gatewayAccessToken,
      SANDBOX_NOTIFY_URL: `http://127.0.0.1:${settings.tillfrontPort}/v1/gateway/notifications`,
      SANDBOX_RETURN_URL: `${settings.shopUrl}/orders`,
    },
    ROOT,
  );
}

function startTillfront(settings: DemoSettings): Running {
  return start(
    'Tillfront',
    ['dist/main.js'],
    {
      PORT: String(settings.tillfrontPort),
      PUBLIC_BASE_URL: settings.tillfrontUrl,
      DATA_DIR: settings.dataDir,
      GATEWAY_BASE_URL: settings.sandboxUrl,
      GATEWAY_API_KEY: settings.gatewayApiKey,
      GATEWAY_ACCESS_TOKEN: settings.gatewayAccessToken,
      MERCHANT_API_KEY: settings.merchantKey,
      MERCHANT_WEBHOOK_URL: `http://127.0.0.1:${settings.shopPort}/webhooks`,
      MERCHANT_WEBHOOK_SECRET: settings.webhookSecret,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      ALLOWED_ORIGINS: settings.shopUrl,
      LOG_LEVEL: 'warn',
    },
    ROOT,
  );
}

function announce(settings: DemoSettings): void {
  process.stdout.write(`
Everything is running, until Ctrl-C:

  the demo shop          ${settings.shopUrl}
  the API, described     ${settings.tillfrontUrl}/docs
  the merchant's console ${settings.tillfrontUrl}/console   (sign in with ${settings.merchantKey})
  the sandbox gateway    ${settings.sandboxUrl}   (test cards, the payer's bank)
`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : 'The demo failed'}\n`);
  process.exit(1);
});
