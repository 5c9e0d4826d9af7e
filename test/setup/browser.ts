import { expect } from '@jest/globals';
import { chromium, type Browser } from 'playwright-core';
import puppeteer, { type Browser as PuppeteerBrowser } from 'puppeteer-core';
import { service } from './service.js';

const chromiumFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // not the machine's own, which a bare one does not have
  '--lang=en-US',
  '--accept-lang=en-US',
  // What moves is painted by the processor here, sixty times a second for as long as a page waits.
  '--force-prefers-reduced-motion',
];

/** A headless Chromium that makes no network requests by itself. Close it in `afterAll`. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: await service('chromium'), args: chromiumFlags });
}

/** A headless Firefox, driven over WebDriver BiDi because Playwright cannot drive Debian's build. `prefs`: of `about:config`. */
export async function launchFirefox(prefs: Record<string, unknown> = {}): Promise<PuppeteerBrowser> {
  return puppeteer.launch({
    browser: 'firefox',
    executablePath: await service('firefox'),
    headless: true,
    extraPrefsFirefox: {
      'app.update.enabled': false,
      'datareporting.policy.dataSubmissionEnabled': false,
      'network.captive-portal-service.enabled': false,
      'network.connectivity-service.enabled': false,
      'ui.prefersReducedMotion': 1,
      ...prefs,
    },
  });
}

/**
 * The profiles that tests open in one browser. As soon as a later test opens one, those of earlier tests are closed: a page that stays open
 * goes on asking the service, and takes the machine's time.
 */
export class OpenProfiles {
  readonly #tests = new Map<{ close(): Promise<void> }, string | undefined>();

  /** `stays`: also for later tests. */
  async add(profile: { close(): Promise<void> }, { stays = false } = {}): Promise<void> {
    const { currentTestName } = expect.getState();
    const over = [...this.#tests].filter(([, test]) => test !== undefined && test !== currentTestName);
    for (const [former] of over) this.#tests.delete(former);
    await Promise.all(over.map(([former]) => former.close()));
    this.#tests.set(profile, stays ? undefined : currentTestName);
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#tests.keys()].map((profile) => profile.close()));
  }
}
