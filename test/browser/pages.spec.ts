import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';

/** `/kit/merchant.json`. */
interface KitMerchant {
  refusedOrigin: string | null;
}

interface Integrity {
  version: string;
  files: Record<string, { path: string; integrity: string }>;
}

let gateway: MisbehavingGateway;
let tillfront: Tillfront;
beforeAll(async () => {
  gateway = await startMisbehavingGateway();
  tillfront = await startTillfront({ store: 'embedded', gatewayUrl: gateway.url });
});
afterAll(async () => {
  await tillfront.stop();
  await gateway.close();
});

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(tillfront.url + path, { headers: { 'accept-encoding': 'identity', ...headers } });

describe('the kit’s files', () => {
  test('stand at a plain address, and at one that never changes, with its hash', async () => {
    const integrity = (await (await get('/kit/integrity.json')).json()) as Integrity;
    for (const name of ['tillfront.js', 'tillfront-core.js', 'tillfront.d.ts', 'tillfront-core.d.ts']) {
      const plain = await get(`/kit/${name}`);
      expect(plain.status).toBe(200);
      expect(plain.headers.get('cache-control')).toBe('public, no-cache');
      const listed = integrity.files[name];
      expect(listed?.path).toBe(`/kit/${integrity.version}/${name}`);
      const pinned = await get(listed?.path ?? '');
      expect(pinned.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      const text = await pinned.text();
      expect(text).toBe(await plain.text());
      const hash = `sha384-${createHash('sha384').update(text).digest('base64')}`;
      expect(listed?.integrity).toBe(hash);
    }
  });

  test('are public, so that the element can say what is wrong at any origin', async () => {
    for (const origin of ['https://shop.example', 'https://any.example', 'null']) {
      const answer = await get('/kit/tillfront.js', { origin });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
      expect(answer.headers.get('content-type')).toMatch(/^(?:text|application)\/javascript/);
      const { refusedOrigin } = (await (await get('/kit/merchant.json', { origin })).json()) as KitMerchant;
      expect(refusedOrigin).toBe(origin === 'https://shop.example' ? null : origin);
    }
    for (const path of ['/checkout', '/console']) {
      const answer = await get(path, { origin: 'https://any.example' });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
    // calls are not
    expect((await get('/v1/checkout-session', { origin: 'https://any.example' })).status).toBe(403);
  });

  test('keep their budget', async () => {
    const size = async (name: string): Promise<number> =>
      gzipSync(await (await get(`/kit/${name}`)).text(), { level: 9 }).length;
    expect(await size('tillfront-core.js')).toBeLessThanOrEqual(20_000);
    expect(await size('tillfront.js')).toBeLessThanOrEqual(40_000);
  });

  test('are sent small, and not again when nothing changed', async () => {
    const plain = await (await get('/kit/tillfront.js')).text();
    for (const [accepted, encoding] of [
      ['gzip', 'gzip'],
      ['gzip, br', 'br'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
    ] as const) {
      const answer = await get('/kit/tillfront.js', { 'accept-encoding': accepted });
      expect(answer.headers.get('content-encoding')).toBe(encoding);
      expect(answer.headers.get('vary')?.toLowerCase()).toContain('accept-encoding');
      expect(await answer.text()).toBe(plain);
      const again = await get('/kit/tillfront.js', {
        'accept-encoding': accepted,
        'if-none-match': answer.headers.get('etag') ?? '',
        // Otherwise fetch adds no-cache, which asks for the whole file.
        'cache-control': 'max-age=0',
      });
      expect(again.status).toBe(304);
    }
    expect(() => gunzipSync(plain)).toThrow();
  });

  test('load nothing from elsewhere and keep nothing of a card', async () => {
    const text = await (await get('/kit/tillfront.js')).text();
    const addresses = text.match(/https?:\/\/[\w./-]+/g) ?? [];
    expect(addresses.filter((address) => !address.startsWith('http://www.w3.org/'))).toEqual([]);
    expect(text).not.toMatch(/localStorage|innerHTML|document\.cookie|eval\(/);
  });

  test('any other address is not found', async () => {
    for (const path of [
      '/kit/none.js',
      '/kit/0000/tillfront.js',
      '/kit/..%2fmanifest.json',
      '/checkout/none.js',
      '/console/%2e%2e/package.json',
      '/console/..%2fpackage.json',
    ]) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
  });
});

describe.each(['/checkout', '/console'])('the page %s', (path) => {
  test('has a strict policy and belongs into no frame', async () => {
    const answer = await get(path, { accept: 'text/html' });
    expect(answer.status).toBe(200);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe|\s\*(\s|;|$)|data:|blob:/);
    expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('has no script or style inside, and a hash for each outside', async () => {
    const page = await (await get(path)).text();
    expect(page).not.toMatch(/<style|style=|onclick=|<script(?![^>]*\bsrc=)/);
    for (const [, kind, address, integrity] of page.matchAll(
      /<(script|link)[^>]*(?:src|href)="([^"]+)" integrity="([^"]+)"/g,
    )) {
      const text = await (await get(`/${address}`)).text();
      expect([kind, `sha384-${createHash('sha384').update(text).digest('base64')}`]).toEqual([
        kind,
        integrity,
      ]);
    }
    expect(page.match(/integrity=/g)?.length).toBe(path === '/checkout' ? 3 : 2);
  });
});

test('the frame’s page may be framed by allowed origins, and has the same policy else', async () => {
  const answer = await get('/checkout/frame');
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain(`frame-ancestors ${tillfront.url} https://shop.example;`);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|\s\*(\s|;|$)|data:|blob:/);
  expect(answer.headers.get('x-frame-options')).toBeNull();
  const page = await answer.text();
  expect(page).not.toMatch(/<style|style=|onclick=|<script(?![^>]*\bsrc=)/);
  const files = [...page.matchAll(/(?:src|href)="\.\.\/([^"]+)" integrity="([^"]+)"/g)];
  expect(files).toHaveLength(3);
  for (const [, address = '', integrity] of files) {
    const text = await (await get(`/${address}`)).text();
    expect(`sha384-${createHash('sha384').update(text).digest('base64')}`).toBe(integrity);
  }
});
