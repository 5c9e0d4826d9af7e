import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { fillCard, pressPay, startCheckoutScene, type CheckoutScene } from '../browser/checkout-scene.js';
import { installPacked, runIn } from './packed.js';

/** packages/tillfront-react from its packed form: its README's component, in a browser and on a server. */

let folder: string;
let shop: Server;
let shopUrl: string;
let scene: CheckoutScene;
let script = '';

const MAIN = `
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Checkout } from './checkout';
const { baseUrl, clientToken } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
createRoot(document.getElementById('root')).render(
  <StrictMode><Checkout baseUrl={baseUrl} clientToken={clientToken} /></StrictMode>,
);`;

const WRONG = `
import 'tillfront-react';
// @ts-expect-error Its address is missing.
export const one = <tillfront-checkout client-token="cst_1" />;
// @ts-expect-error There is no such attribute.
export const two = <tillfront-checkout base-url="" colour="red" />;
export const three = <tillfront-checkout base-url="" framed="" className="till" key="1" />;`;

const ON_SERVER = `
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { Checkout } from './checkout.mjs';
console.log(renderToString(createElement(Checkout, { baseUrl: 'http://localhost:3000', clientToken: 'cst_1' })));`;

beforeAll(async () => {
  // npm would fetch React, which a shop has.
  folder = await installPacked('tillfront-react', '--legacy-peer-deps');
  const links = ['react', 'react-dom', 'scheduler', 'csstype', '@types'];
  for (const name of links) await symlink(resolve('node_modules', name), join(folder, 'node_modules', name));
  const readme = await readFile('packages/tillfront-react/README.md', 'utf8');
  const [, component = ''] = /^```tsx file=checkout\.tsx\n([^]*?)^```$/m.exec(readme) ?? [];
  await writeFile(join(folder, 'checkout.tsx'), component);
  await writeFile(join(folder, 'main.jsx'), MAIN);
  const bundled = await build({
    ...{ entryPoints: [join(folder, 'main.jsx')], bundle: true, write: false, jsx: 'automatic' },
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  script = bundled.outputFiles[0]?.text ?? '';
  shop = createServer((request, response) => {
    const isScript = request.url === '/main.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    const page =
      '<!doctype html><html lang="en"><title>Shop</title><div id="root"></div><script src="/main.js"></script>';
    response.end(isScript ? script : page);
  });
  await new Promise<void>((done) => shop.listen(0, '127.0.0.1', done));
  shopUrl = `http://localhost:${(shop.address() as AddressInfo).port}`;
  scene = await startCheckoutScene({ ALLOWED_ORIGINS: shopUrl });
});
afterAll(async () => {
  await scene?.stop();
  shop?.closeAllConnections();
  if (shop) await new Promise((done) => shop.close(done));
  if (folder) await rm(folder, { recursive: true, force: true });
});

test('the component of its README takes a payment, and hears of it once the page has loaded the element once', async () => {
  const session = await scene.client.createSession({ returnUrl: undefined });
  const { page, faults } = await scene.newPage();
  const hash = new URLSearchParams({ baseUrl: scene.tillfront.url, clientToken: session.clientToken });
  await page.goto(`${shopUrl}/#${hash.toString()}`);
  await fillCard(page, { number: '4111111111111111' });
  await pressPay(page);
  await page.getByText('Thank you. We have received 1500.00.').waitFor();
  expect(await page.locator('script[src$="/kit/tillfront.js"]').count()).toBe(1);
  expect(await scene.charges(session.reference)).toBe(1);
  expect(faults).toEqual([]);
});

test('its types are those of the element, to a strict compiler', async () => {
  await writeFile(join(folder, 'wrong.tsx'), WRONG);
  const words = ['--noEmit', '--strict', '--jsx', 'react-jsx', '--module', 'nodenext', '--target', 'ES2022'];
  const files = ['--types', 'react', 'checkout.tsx', 'wrong.tsx'];
  const tsc = resolve('node_modules/typescript/bin/tsc');
  const said = await runIn(folder, [process.execPath, tsc, '--ignoreConfig', ...words, ...files]);
  expect(said).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('on a server the element is rendered with its attributes', async () => {
  await build({
    ...{
      entryPoints: [join(folder, 'checkout.tsx')],
      outfile: join(folder, 'checkout.mjs'),
      jsx: 'automatic',
    },
  });
  await writeFile(join(folder, 'server.mjs'), ON_SERVER);
  expect(await runIn(folder, [process.execPath, 'server.mjs'])).toMatchObject({
    ...{ code: 0, stderr: '' },
    stdout:
      '<tillfront-checkout base-url="http://localhost:3000" client-token="cst_1"></tillfront-checkout>\n',
  });
});
