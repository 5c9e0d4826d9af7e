import { jest } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, FrameLocator, Page } from 'playwright-core';
import type { Sandbox } from '../../sandbox/server.ts';
import { TillfrontClient, type SessionBody } from '../harness/client.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { launchChromium, OpenProfiles } from '../setup/browser.js';

/** Where an order's money went, by the sandbox's own ledger. */
interface LedgerLine {
  kind: string;
}

/** The service in front of the sandbox. */
export interface ServiceScene {
  sandbox: Sandbox;
  tillfront: Tillfront;
  client: TillfrontClient;
  /** How often the gateway took money for a reference. */
  charges(reference: string): Promise<number>;
  /** Moves a transaction at the gateway by hand. */
  move(gatewayReference: string, move: string, body?: object): Promise<void>;
  /** Changes the sandbox's settings from now on. */
  configure(settings: object): Promise<void>;
  /** Whether the sandbox tells the service of its moves from now on. */
  notify(mode: 'normal' | 'drop'): Promise<void>;
  stop(): Promise<void>;
}

/** The same, and a browser to pay with. */
export interface CheckoutScene extends ServiceScene {
  browser: Browser;
  /** A page of a fresh browser profile; what it did wrong shows in `faults`. */
  newPage(options?: BrowserContextOptions): Promise<WatchedPage>;
  /** Opens a session's checkout page and waits until it shows something. */
  open(session: SessionBody, options?: BrowserContextOptions): Promise<WatchedPage>;
}

export interface WatchedPage {
  page: Page;
  context: BrowserContext;
  /** Breaches of the content security policy, errors that nobody caught, and errors on the console. */
  faults: string[];
}

// A browser beside a service, a gateway and other tests has its time.
jest.setTimeout(180_000);
/** More than the 25 s for which the service may hold a read: what changes between two reads of a page is seen after that. */
const PATIENCE_MS = 60_000;

export const RIGHT_OTP = '123456';

export async function startServiceScene(env: Record<string, string> = {}): Promise<ServiceScene> {
  const sandbox = await startTestSandbox({ settings: { settleAfterMs: 1_000 } });
  const tillfront = await startTillfront({
    store: 'embedded',
    gatewayUrl: sandbox.url,
    env: { GATEWAY_TIMEOUT_MS: '2000', ...env },
  });
  const client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
  const configure = async (settings: object): Promise<void> => {
    const answer = await post(`${sandbox.url}/sandbox/config`, settings);
    if (!answer.ok) throw new Error(`the sandbox refused its settings: ${await answer.text()}`);
  };
  await configure({ notifyUrl: `${tillfront.url}/v1/gateway/notifications` });

  return {
    sandbox,
    tillfront,
    client,
    charges: async (reference) => {
      const answers = await Promise.all(
        [1, 2, 3, 4].map(async (attempt) => {
          const answer = await fetch(`${sandbox.url}/sandbox/ledger?client_ref=${reference}_${attempt}`);
          return ((await answer.json()) as { data: LedgerLine[] }).data;
        }),
      );
      return answers.flat().filter(({ kind }) => kind === 'charge').length;
    },
    configure,
    notify: async (mode) => {
      const answer = await post(`${sandbox.url}/sandbox/notifications`, { mode });
      if (!answer.ok) throw new Error(`the sandbox refused the mode ${mode}: ${await answer.text()}`);
    },
    move: async (gatewayReference, move, body = {}) => {
      const answer = await post(`${sandbox.url}/sandbox/transactions/${gatewayReference}/${move}`, body);
      if (!answer.ok) throw new Error(`the sandbox refused ${move}: ${await answer.text()}`);
    },
    stop: async () => {
      await tillfront.stop();
      await sandbox.close();
    },
  };
}

export async function startCheckoutScene(env: Record<string, string> = {}): Promise<CheckoutScene> {
  const scene = await startServiceScene(env);
  const browser = await launchChromium();
  const profiles = new OpenProfiles();

  const newPage = async (options: BrowserContextOptions = {}): Promise<WatchedPage> => {
    // As in the browser's own flags, which Playwright overrides.
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    await profiles.add(context);
    const faults: string[] = [];
    const watch = (page: Page): void => {
      page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`));
      page.on('console', (message) => {
        if (message.type() === 'error' && !isExpected(message.text())) faults.push(message.text());
      });
    };
    context.on('page', watch);
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) =>
        console.error(`content security policy: ${event.violatedDirective} ${event.blockedURI}`),
      );
    });
    return { page: await context.newPage(), context, faults };
  };

  return {
    ...scene,
    browser,
    newPage,
    open: async (session, options) => {
      const watched = await newPage(options);
      await watched.page.goto(session.checkoutUrl);
      await watched.page.locator('[data-view]:not([data-view=loading])').waitFor();
      return watched;
    },
    stop: async () => {
      await profiles.closeAll();
      await browser.close();
      await scene.stop();
    },
  };
}

/** What Chromium logs by itself when a request fails, which tests make happen on purpose. */
function isExpected(text: string): boolean {
  return text.startsWith('Failed to load resource');
}

function post(url: string, body: object): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** What axe finds wrong with the page as it is, by WCAG 2.2 AA and good practice. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const run = (globalThis as unknown as { axe: typeof axe }).axe.run;
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const { violations } = await run(document, { runOnly: tags });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ''}`),
    );
  });
}

export interface TypedCard {
  number: string;
  expiry?: string;
  securityCode?: string;
  name?: string;
  pin?: string;
}

/** Fills the card form as a payer would. */
export async function fillCard(page: Page | FrameLocator, card: TypedCard): Promise<void> {
  await page.getByRole('radio', { name: 'Card', exact: true }).check();
  await page.getByLabel('Card number').fill(card.number);
  await page.getByLabel('Expiry date').fill(card.expiry ?? '12 / 30');
  await page.getByLabel('Security code').fill(card.securityCode ?? '111');
  await page.getByLabel('Name on card').fill(card.name ?? 'Ada Obi');
  if (card.pin !== undefined) await page.getByLabel('Card PIN').fill(card.pin);
}

export async function pressPay(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Pay ₦1,500.00' }).click();
}

/** Waits for the heading of an outcome, in its live region. */
export async function outcome(page: Page, heading: string): Promise<void> {
  await page.getByRole('status').getByRole('heading', { name: heading }).waitFor();
}

/** The checkout inside of the element, on a shop's page. */
export function inElement(page: Page): FrameLocator {
  return page.frameLocator('tillfront-checkout iframe');
}
