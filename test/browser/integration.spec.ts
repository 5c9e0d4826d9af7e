import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { service } from '../setup/service.js';
import { startCheckoutScene, type CheckoutScene } from './checkout-scene.js';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../../', import.meta.url));

/** How a shop takes Tillfront in: the README's lines as they are printed, the npm package, a page with styles of its own. */

let page = '';
let shop: Server;
let shopOrigin: string;
let scene: CheckoutScene;

beforeAll(async () => {
  shop = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  shopOrigin = `http://localhost:${(shop.address() as AddressInfo).port}`;
  scene = await startCheckoutScene({ ALLOWED_ORIGINS: `${shopOrigin},https://shop.example` });
});
afterAll(async () => {
  await scene.stop();
  shop.closeAllConnections();
  await new Promise((resolve) => shop.close(resolve));
});

async function readmeSnippet(kind: 'js' | 'html'): Promise<string> {
  const readme = await readFile(join(repository, 'README.md'), 'utf8');
  const section = readme.split('## Your shop in ten lines')[1]?.split('\n## ')[0] ?? '';
  const snippet = new RegExp(`\`\`\`${kind}\\n([\\s\\S]*?)\`\`\``).exec(section)?.[1];
  if (snippet === undefined) throw new Error(`the README has no ${kind} in "Your shop in ten lines"`);
  return snippet.replaceAll('http://localhost:3000', scene.tillfront.url);
}

describe('the README’s ten lines', () => {
  test('take a payment, as they are printed', async () => {
    const server = await readmeSnippet('js');
    const html = await readmeSnippet('html');
    const lines = `${server}${html}`.split('\n').filter((line) => /\w/.test(line) && !line.startsWith('//'));
    expect(lines.length).toBeLessThanOrEqual(14);
    const AsyncFunction = readmeSnippet.constructor as new (
      ...words: string[]
    ) => (order: object, process: object) => Promise<string>;
    const openSession = new AsyncFunction('order', 'process', `${server}\nreturn clientToken;`);
    const clientToken = await openSession(
      { id: 'README-1', email: 'ada@example.com' },
      { env: { MERCHANT_API_KEY: scene.tillfront.merchantKey } },
    );
    page = `<!doctype html><html lang="en"><title>Shop</title><body>${html.replace('CLIENT_TOKEN', clientToken)}`;
    const { page: tab, faults } = await scene.newPage();
    const logged: string[] = [];
    tab.on('console', (message) => logged.push(message.text()));
    await tab.goto(shopOrigin);
    await tab.getByRole('radio', { name: 'Wallet' }).check();
    await tab.getByRole('button', { name: 'Pay ₦1,500.00' }).click();
    await tab.getByRole('button', { name: 'Approve' }).click();
    await tab.getByText('The order is paid').waitFor();
    await tab.goto(shopOrigin);
    await tab.getByRole('heading', { name: 'Payment successful' }).waitFor();
    expect(logged.join()).toContain('succeeded');
    expect(faults).toEqual([]);
  });
});

describe('the npm package', () => {
  test('has the kit, its types and nothing else, and the types hold', async () => {
    // The package is made of what `npm run build` has left in this checkout.
    await service('build');
    const built = fileURLToPath(new URL('../..', import.meta.url));
    const folder = await mkdtemp(join(tmpdir(), 'tillfront-test-pack-'));
    try {
      const packed = await run('npm', ['pack', '--json', '--pack-destination', folder], {
        cwd: join(built, 'browser'),
      });
      const [{ files, filename } = { files: [], filename: '' }] = JSON.parse(packed.stdout) as {
        files: { path: string }[];
        filename: string;
      }[];
      expect(files.map(({ path }) => path).sort()).toEqual([
        'README.md',
        'dist/tillfront-core.d.ts',
        'dist/tillfront-core.js',
        'dist/tillfront.d.ts',
        'dist/tillfront.js',
        'package.json',
      ]);
      await writeFile(join(folder, 'package.json'), '{ "name": "shop", "type": "module", "private": true }');
      await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${filename}`], { cwd: folder });
      await writeFile(
        join(folder, 'shop.ts'),
        `import { collectDeviceData, createTillfront, TillfrontError, type Payment } from 'tillfront-kit';
         import { createTillfront as core } from 'tillfront-kit/core';
         const client = createTillfront({ baseUrl: 'https://pay.shop.example', clientToken: 'cst_cs_1.x' });
         export const same: typeof core = createTillfront;
         export async function pay(): Promise<Payment | string> {
           try {
             const payment = await client.payByCard({
               card: { number: '1', expiryMonth: '12', expiryYear: '2030', cvv: '1', nameOnCard: 'A' },
               device: collectDeviceData(),
             });
             return payment.nextAction?.type === 'otp' ? client.submitOtp(payment, '1') : client.waitFor(payment.id);
           } catch (error) {
             return error instanceof TillfrontError ? error.code : 'other';
           }
         }
         document.querySelector('tillfront-checkout')?.addEventListener('tillfront-result', ({ detail }) => detail.payment.id);
         // @ts-expect-error there is no such method
         client.payByCheque();
        `,
      );
      const tsc = join(repository, 'node_modules/typescript/bin/tsc');
      const options = [
        '--noEmit',
        '--strict',
        '--module',
        'nodenext',
        '--target',
        'es2022',
        '--lib',
        'es2023,dom',
      ];
      const checked = await run(process.execPath, [tsc, ...options, 'shop.ts'], { cwd: folder }).catch(
        (error: unknown) => error as { stdout: string },
      );
      expect(checked.stdout).toBe('');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('in a page with styles of its own', () => {
  test('the form looks as it should', async () => {
    const { clientToken } = await scene.client.createSession();
    const looks = async (style: string): Promise<string[]> => {
      page = `<!doctype html><html lang="en"><title>Shop</title>
        <style>html, body { margin: 0 !important; padding: 0 !important } ${style}</style>
        <body><script type="module" src="${scene.tillfront.url}/kit/tillfront.js"></script>
        <tillfront-checkout base-url="${scene.tillfront.url}" client-token="${clientToken}"></tillfront-checkout>`;
      const { page: tab } = await scene.newPage({ viewport: { width: 500, height: 900 } });
      await tab.goto(shopOrigin);
      await tab.getByLabel('Card number').waitFor();
      return tab.evaluate(() => {
        const properties = ['color', 'font', 'padding', 'margin', 'border', 'display', 'position', 'opacity'];
        return [...document.querySelectorAll('tillfront-checkout *:not(svg *)')].map((element) => {
          const style = getComputedStyle(element);
          const { width, height } = element.getBoundingClientRect();
          const looks = properties.map((property) => `${property}: ${style.getPropertyValue(property)}`);
          return `${element.tagName} ${element.className} ${width}x${height} ${looks.join('; ')}`.slice(
            0,
            500,
          );
        });
      });
    };
    const plain = await looks('');
    const styled = await looks(`
      body { font: italic 700 30px/3 fantasy; color: red; text-align: right; letter-spacing: 9px; text-transform: uppercase }
      * { margin: 7px; padding: 3px; box-sizing: content-box }
      input, button, select, label, h2, p, fieldset, div { display: inline; width: 20px; border: 9px dotted red; border-radius: 50%; color: lime; float: left }
      .view, .row, .field, .primary, .error, .badge, .label, .icon, .control { position: absolute; display: none; opacity: 0.1 }
    `);
    expect(plain.length).toBeGreaterThan(50);
    const differing = plain.flatMap((look, index) => (look === styled[index] ? [] : [[look, styled[index]]]));
    expect(differing.slice(0, 3)).toEqual([]);
  });
});
