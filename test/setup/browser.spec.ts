import { expect, test } from '@jest/globals';
import { launchChromium, launchFirefox } from './browser.js';

const page = 'data:text/html,<title>Ready</title><p id="out"></p><script>out.textContent = 1 + 1</script>';

test('Chromium starts here and runs a page', async () => {
  const browser = await launchChromium();
  try {
    const tab = await browser.newPage();
    await tab.goto(page);
    expect(await tab.textContent('#out')).toBe('2');
    // whatever the machine's own language is
    expect(await tab.evaluate(() => navigator.language)).toBe('en-US');
  } finally {
    await browser.close();
  }
});

test('Firefox starts here and runs a page', async () => {
  const browser = await launchFirefox();
  try {
    const tab = await browser.newPage();
    await tab.goto(page);
    expect(await tab.$eval('#out', (element) => element.textContent)).toBe('2');
  } finally {
    await browser.close();
  }
}, 120_000);
