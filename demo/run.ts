import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { during } from './progress.ts';
import { startShop, type Shop } from './shop/server.ts';
import { assertFree, ready, start, stopAll, type Running } from './processes.ts';
import { ROOT, readSettings, withFreePorts, type DemoSettings } from './settings.ts';
import { openCheckout, showPayments, Unexpected } from './steps.ts';

/** Runs the complete demo: a sandbox gateway, Tillfront and a shop, with three payments made on the way. */
async function main(): Promise<void> {
  const exitAfterwards = process.argv.includes('--exit');
  const wanted = readSettings(process.env);
  await assertFree(
    wanted.sandboxPort,
    'the sandbox gateway',
    `stop what uses it. The payments in ${wanted.dataDir} belong to the sandbox at this address; for another one set SANDBOX_PORT and DATA_DIR.`,
  );
  const settings = await withFreePorts(wanted);
  sayWhichPorts(wanted, settings);
  if (!existsSync(`${ROOT}dist/main.js`)) throw new Error('Nothing is built yet: run `npm run build`.');
  await mkdir(settings.dataDir, { recursive: true });

  const shop = await startShop(settings);
  const running: Running[] = [];
  let ending: Promise<never> | undefined;
  const end = (code: number): Promise<never> => (ending ??= stop(running, shop, code));
  // not "once", because a second Ctrl-C must not leave the other programs behind
  process.on('SIGINT', () => void end(0));
  process.on('SIGTERM', () => void end(0));
  try {
    const sandbox = startSandbox(settings);
    running.push(sandbox);
    await during('Starting the sandbox gateway', () => ready(sandbox, `${settings.sandboxUrl}/sandbox`));
    const tillfront = startTillfront(settings);
    running.push(tillfront);
    await during('Starting Tillfront', () => ready(tillfront, `${settings.tillfrontUrl}/health/ready`));
    await showPayments(settings, shop);
    if (!exitAfterwards) announce(settings, await openCheckout(settings));
  } catch (error) {
    if (ending) {
      await ending;
      return;
    }
    const text =
      error instanceof Unexpected ? `✘ ${error.message}` : error instanceof Error ? error.message : 'failed';
    process.stderr.write(`\n${text}\n`);
    return end(1);
  }
  if (exitAfterwards) {
    process.stdout.write('\nAll came out as expected.\n');
    return end(0);
  }
  for (const one of running) {
    one.child.once('exit', () => {
      if (ending) return;
      process.stderr.write(`\n${one.name} has ended:\n${one.output()}\n`);
      void end(1);
    });
  }
}

async function stop(running: readonly Running[], shop: Shop, code: number): Promise<never> {
  await stopAll(running);
  await shop.stop();
  process.exit(code);
}

function sayWhichPorts(wanted: DemoSettings, settings: DemoSettings): void {
  const moved = [
    ['Tillfront', wanted.tillfrontPort, settings.tillfrontPort],
    ['the demo shop', wanted.shopPort, settings.shopPort],
  ] as const;
  for (const [what, from, to] of moved)
    if (from !== to) process.stdout.write(`  Port ${from} is in use: ${what} takes ${to}.\n`);
}

function startSandbox(settings: DemoSettings): Running {
  return start(
    'The sandbox gateway',
    ['sandbox/main.ts'],
    {
      SANDBOX_PORT: String(settings.sandboxPort),
      SANDBOX_API_KEY: settings.gatewayApiKey,
      SANDBOX_ACCESS_TOKEN: settings.gatewayAccessToken,
      SANDBOX_NOTIFY_URL: `http://127.0.0.1:${settings.tillfrontPort}/v1/gateway/notifications`,
      SANDBOX_RETURN_URL: `${settings.shopUrl}/back?order={client_ref}`,
      // it must remember the payments that the kept store may ask about
      SANDBOX_LEDGER_FILE: `${settings.dataDir}/sandbox-ledger.jsonl`,
    },
    ROOT,
  );
}

/** Tillfront runs in the demo's own folder, where it finds no `.env`: the merchant's is for the merchant's service. */
function startTillfront(settings: DemoSettings): Running {
  return start(
    'Tillfront',
    [`${ROOT}dist/main.js`],
    {
      PORT: String(settings.tillfrontPort),
      // its key is public, so nobody else may reach it
      HOST: '127.0.0.1',
      PUBLIC_BASE_URL: settings.tillfrontUrl,
      DATA_DIR: settings.dataDir,
      GATEWAY_BASE_URL: settings.sandboxUrl,
      GATEWAY_API_KEY: settings.gatewayApiKey,
      GATEWAY_ACCESS_TOKEN: settings.gatewayAccessToken,
      GATEWAY_TIMEOUT_MS: '8000',
      MERCHANT_API_KEY: settings.merchantKey,
      MERCHANT_WEBHOOK_URL: `http://127.0.0.1:${settings.shopPort}/webhooks`,
      MERCHANT_WEBHOOK_SECRET: settings.webhookSecret,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      ALLOWED_ORIGINS: settings.shopUrl,
      LOG_LEVEL: 'warn',
    },
    settings.dataDir,
  );
}

function announce(settings: DemoSettings, checkoutUrl: string): void {
  process.stdout.write(`
Everything is running, until Ctrl-C:

  the demo shop           ${settings.shopUrl}
  a checkout page         ${checkoutUrl}
  the API, described      ${settings.tillfrontUrl}/docs
  the merchant's console  ${settings.tillfrontUrl}/console   (sign in with ${settings.merchantKey})
  the sandbox gateway     ${settings.sandboxUrl}   (test cards, the payer's bank)
`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : 'The demo failed'}\n`);
  process.exit(1);
});
