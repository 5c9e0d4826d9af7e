import { mkdir } from 'node:fs/promises';
import { ready, start, stopAll, type Running } from './processes.ts';
import { choosePorts, startSandbox, startTillfront } from './programs.ts';
import { during } from './progress.ts';
import { ROOT, readSettings, type DemoSettings } from './settings.ts';

/** The shops in `examples`, and how each is started. */
const SHOPS: Record<string, (settings: DemoSettings) => [program: string, ...words: string[]]> = {
  'node-shop': () => [process.execPath, `${ROOT}examples/node-shop/shop.mjs`],
  'php-shop': ({ shopPort }) => ['php', '-S', `127.0.0.1:${shopPort}`, `${ROOT}examples/php-shop/shop.php`],
};

/** Runs one of the example shops, with a sandbox gateway and Tillfront configured for it. */
async function main(name = ''): Promise<void> {
  const command = SHOPS[name];
  if (!command) throw new Error(`Name one of these shops: ${Object.keys(SHOPS).join(', ')}`);
  const own = { folder: `examples/${name}`, shopPort: 8080 };
  const settings = await choosePorts(readSettings(process.env, own), 'the shop');
  await mkdir(settings.dataDir, { recursive: true });

  const running: Running[] = [];
  let ending: Promise<never> | undefined;
  const end = (code: number): Promise<never> => (ending ??= stopAll(running).then(() => process.exit(code)));
  process.on('SIGINT', () => void end(0));
  process.on('SIGTERM', () => void end(0));
  const run = async (what: string, program: Running, url: string): Promise<void> => {
    running.push(program);
    await during(`Starting ${what}`, () => ready(program, url));
  };
  try {
    const sandbox = startSandbox(settings, '/thanks?order={client_ref}');
    await run('the sandbox gateway', sandbox, `${settings.sandboxUrl}/sandbox`);
    await run('Tillfront', startTillfront(settings), `${settings.tillfrontUrl}/health/ready`);
    const shop = startShop(name, command(settings), settings);
    await run('the shop', shop, settings.shopUrl);
    for (const stream of [shop.child.stdout, shop.child.stderr]) stream?.pipe(process.stdout);
  } catch (error) {
    if (!ending) process.stderr.write(`\n${error instanceof Error ? error.message : 'failed'}\n`);
    await end(1);
  }
  for (const one of running) {
    one.child.once('exit', () => {
      if (!ending) process.stderr.write(`\n${one.name} has ended:\n${one.output()}\n`);
      void end(1);
    });
  }
  process.stdout.write(`
Everything is running, until Ctrl-C:

  the shop                ${settings.shopUrl}   (its code: examples/${name})
  the merchant's console  ${settings.tillfrontUrl}/console   (sign in with ${settings.merchantKey})
  the sandbox gateway     ${settings.sandboxUrl}   (test cards, the payer's bank)

Pay with the card 4111 1111 1111 1111, any future date and any security code.
`);
}

function startShop(name: string, [program, ...words]: string[], settings: DemoSettings): Running {
  return start(
    `The shop of examples/${name}`,
    words,
    {
      PORT: String(settings.shopPort),
      SHOP_URL: settings.shopUrl,
      TILLFRONT_URL: settings.tillfrontUrl,
      MERCHANT_API_KEY: settings.merchantKey,
      MERCHANT_WEBHOOK_SECRET: settings.webhookSecret,
      ORDERS_FOLDER: `${settings.dataDir}/orders`,
    },
    ROOT,
    program,
  );
}

main(process.argv[2]).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : 'The example failed'}\n`);
  process.exit(1);
});
