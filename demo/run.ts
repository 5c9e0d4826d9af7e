import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { during } from './progress.ts';
import { startShop, type Shop } from './shop/server.ts';
import { ready, stopAll, type Running } from './processes.ts';
import { choosePorts, startSandbox, startTillfront } from './programs.ts';
import { ROOT, readSettings, type DemoSettings } from './settings.ts';
import { openCheckout, showPayments, Unexpected } from './steps.ts';

/** Runs the complete demo: a sandbox gateway, Tillfront and a shop, with three payments on the way. */
async function main(): Promise<void> {
  const exitAfterwards = process.argv.includes('--exit');
  const settings = await choosePorts(readSettings(process.env), 'the demo shop');
  if (!existsSync(`${ROOT}dist/service/main.js`))
    throw new Error('Nothing is built yet: run `npm run build`.');
  await mkdir(settings.dataDir, { recursive: true });

  const shop = await startShop(settings);
  const running: Running[] = [];
  let ending: Promise<never> | undefined;
  const end = (code: number): Promise<never> => (ending ??= stop(running, shop, code));
  // not "once", because a second Ctrl-C must not leave the other programs behind
  process.on('SIGINT', () => void end(0));
  process.on('SIGTERM', () => void end(0));
  try {
    const sandbox = startSandbox(settings, '/back?order={client_ref}');
    running.push(sandbox);
    await during('Starting the sandbox gateway', () => ready(sandbox, `${settings.sandboxUrl}/sandbox`));
    const tillfront = startTillfront(settings);
    running.push(tillfront);
    await during('Starting Tillfront', () => ready(tillfront, `${settings.tillfrontUrl}/health/ready`));
    announce(settings, await openCheckout(settings));
    await showPayments(settings, shop);
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
  process.stdout.write('\nAll came out as expected.\n');
  if (exitAfterwards) return end(0);
  process.stdout.write('Everything keeps running until Ctrl-C.\n');
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

function announce(settings: DemoSettings, checkoutUrl: string): void {
  process.stdout.write(`
  the demo shop           ${settings.shopUrl}
  a checkout page         ${checkoutUrl}
  the API, described      ${settings.tillfrontUrl}/docs
  the merchant's console  ${settings.tillfrontUrl}/console   (sign in with ${settings.merchantKey})
  the sandbox gateway     ${settings.sandboxUrl}   (test cards, the payer's bank)
  a card to pay with      4111 1111 1111 1111, any future date and any security code
`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : 'The demo failed'}\n`);
  process.exit(1);
});
