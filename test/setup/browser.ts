import { chromium, type Browser } from 'playwright-core';
import puppeteer, { type Browser as Firefox } from 'puppeteer-core';
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
];

/** A headless Chromium that makes no network requests by itself. Close it in `afterAll`. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: await service('chromium'), args: chromiumFlags });
}

/** A headless Firefox, driven over WebDriver BiDi because Playwright cannot drive Debian's build. */
export async function launchFirefox(): Promise<Firefox> {
  return puppeteer.launch({
    browser: 'firefox',
    executablePath: await service('firefox'),
    headless: true,
    extraPrefsFirefox: {
      'app.update.enabled': false,
      'datareporting.policy.dataSubmissionEnabled': false,
      'network.captive-portal-service.enabled': false,
      'network.connectivity-service.enabled': false,
    },
  });
}
