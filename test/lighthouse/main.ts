import { existsSync } from 'node:fs';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { ready, stopAll, type Running } from '../../demo/processes.ts';
import { choosePorts, startSandbox, startTillfront } from '../../demo/programs.ts';
import { readSettings, ROOT, type DemoSettings } from '../../demo/settings.ts';
import { SHOPPER } from '../../demo/shop/shopper.ts';
import { Measurer, type Device, type Result } from './lighthouse.ts';
import { faultsOf, markdown, missedGoals, scoreOf, type Figure } from './report.ts';

/**
 * Measures the pages of the built service and writes `docs/lighthouse.md`: `npm run lighthouse`. `--dry` only shows the figures. The whole
 * reports are in `artifacts/lighthouse`.
 */

const RUNS = 3;
const DEVICES = ['mobile', 'desktop'] as const;

interface Stage {
  browser: Browser;
  measurer: Measurer;
  settings: DemoSettings;
}

/** A page, and how one visit of it is measured. */
interface Subject {
  name: string;
  measure(stage: Stage, page: Page, device: Device): Promise<Result>;
}

const SUBJECTS: readonly Subject[] = [
  {
    name: 'checkout',
    measure: async ({ settings, measurer }, page, device) =>
      measurer.visit(page, (await session(settings, SHOPPER)).checkoutUrl, device),
  },
  {
    name: 'payment link',
    measure: async ({ settings, measurer }, page, device) =>
      measurer.visit(page, (await session(settings, { expiresInSeconds: 2_592_000 })).checkoutUrl, device),
  },
  ...(['', ' framed'] as const).map((framed) => ({
    name: framed ? 'shop with the framed checkout' : 'shop with the checkout element',
    measure: async ({ settings, measurer }: Stage, page: Page, device: Device): Promise<Result> => {
      const { clientToken } = await session(settings, SHOPPER);
      return withShop(settings, shopPage(settings, clientToken, framed), () =>
        measurer.visit(page, settings.shopUrl, device),
      );
    },
  })),
  {
    name: 'console, sign-in',
    measure: ({ settings, measurer }, page, device) =>
      measurer.visit(page, `${settings.tillfrontUrl}/console`, device),
  },
  {
    name: 'console, overview',
    measure: async ({ settings, measurer }, page, device) => {
      const size = device === 'mobile' ? { width: 412, height: 823 } : { width: 1350, height: 940 };
      await page.setViewport({ ...size, isMobile: device === 'mobile' });
      await page.goto(`${settings.tillfrontUrl}/console`);
      await page.locator('input[type=password]').fill(settings.merchantKey);
      await page.locator('button[type=submit]').click();
      await page.waitForSelector('nav');
      await page.waitForNetworkIdle();
      return measurer.look(page, device);
    },
  },
];

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tillfront-lighthouse-'));
  const env = { DATA_DIR: dataDir, PORT: '3800', SHOP_PORT: '3801', SANDBOX_PORT: '4810' };
  const settings = await choosePorts(readSettings(env), 'the shop');
  await mkdir(settings.dataDir, { recursive: true });
  const measurer = await Measurer.load();
  const running: Running[] = [];
  const browser = await puppeteer.launch({
    executablePath: wholeChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--lang=en-US'],
  });
  try {
    const sandbox = startSandbox(settings, '/');
    running.push(sandbox);
    await ready(sandbox, `${settings.sandboxUrl}/sandbox`);
    const tillfront = startTillfront(settings);
    running.push(tillfront);
    await ready(tillfront, `${settings.tillfrontUrl}/health/ready`);
    await finish(await figuresOf({ browser, measurer, settings }), await browser.version());
  } finally {
    await browser.close();
    await stopAll(running);
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The Chromium that npm brings lacks the parts that Lighthouse drives. */
function wholeChromium(): string {
  const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const found = process.env['CHROMIUM_PATH'] ?? places.find((path) => existsSync(path));
  if (found === undefined) throw new Error('Lighthouse needs a Chromium or Chrome: set CHROMIUM_PATH to it.');
  return found;
}

async function finish(figures: readonly Figure[], chromium: string): Promise<void> {
  if (!process.argv.includes('--dry'))
    await writeFile(join(ROOT, 'docs/lighthouse.md'), markdown(figures, chromium, RUNS));
  const missed = missedGoals(figures);
  for (const line of missed) process.stderr.write(`✘ ${line}\n`);
  if (missed.length > 0) process.exitCode = 1;
}

async function figuresOf(stage: Stage): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const subject of SUBJECTS) {
    for (const device of DEVICES) {
      const visits: Figure[] = [];
      for (let run = 0; run < RUNS; run++) visits.push(await visit(stage, subject, device));
      const by = (figure: Figure): number => scoreOf(figure, 'performance') ?? 0;
      const median = visits.sort((one, other) => by(one) - by(other))[Math.floor(RUNS / 2)];
      if (!median) throw new Error('nothing was measured');
      show(median);
      await keep(median);
      figures.push(median);
    }
  }
  return figures;
}

/** Each visit has an empty cache and nothing kept. Lighthouse now and then loses a visit's trace, and asks to be run again. */
async function visit(stage: Stage, subject: Subject, device: Device, attempts = 3): Promise<Figure> {
  const context = await stage.browser.createBrowserContext();
  try {
    const result = await subject.measure(stage, await context.newPage(), device);
    return { page: subject.name, device, result };
  } catch (error) {
    if (attempts <= 1) throw error;
    return await visit(stage, subject, device, attempts - 1);
  } finally {
    await context.close();
  }
}

function show(figure: Figure): void {
  const names = ['performance', 'accessibility', 'best-practices'] as const;
  const scores = names.map((name) => `${name} ${scoreOf(figure, name) ?? '–'}`).join(', ');
  const faults = names.flatMap((name) => faultsOf(figure, name)).map((title) => `\n    ${title}`);
  process.stdout.write(`  ${figure.page}, ${figure.device}: ${scores}${faults.join('')}\n`);
}

async function keep({ page, device, result }: Figure): Promise<void> {
  const folder = join(ROOT, 'artifacts/lighthouse');
  await mkdir(folder, { recursive: true });
  const name = `${page.replaceAll(/\W+/g, '-')}-${device}.json`;
  await writeFile(join(folder, name), JSON.stringify(result));
}

let made = 0;

async function session(
  { tillfrontUrl, merchantKey }: DemoSettings,
  more: object,
): Promise<{ checkoutUrl: string; clientToken: string }> {
  const reference = `ORDER-${++made}`;
  const answer = await fetch(`${tillfrontUrl}/v1/checkout-sessions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${merchantKey}`,
      'content-type': 'application/json',
      'idempotency-key': reference,
    },
    body: JSON.stringify({ reference, amount: '1500.00', currency: 'NGN', ...more }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as { checkoutUrl: string; clientToken: string };
}

function shopPage({ tillfrontUrl }: DemoSettings, clientToken: string, framed: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Shop</title>
    <link rel="icon" href="data:," />
    <script type="module" src="${tillfrontUrl}/kit/tillfront.js"></script>
  </head>
  <body>
    <main>
      <h1>Your order</h1>
      <tillfront-checkout${framed} base-url="${tillfrontUrl}" client-token="${clientToken}"></tillfront-checkout>
    </main>
  </body>
</html>
`;
}

/** A shop's server with one page, at the origin that Tillfront allows. */
async function withShop<T>({ shopPort }: DemoSettings, html: string, work: () => Promise<T>): Promise<T> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(html);
  });
  await new Promise<void>((resolve) => server.listen(shopPort, resolve));
  try {
    return await work();
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

await main();
