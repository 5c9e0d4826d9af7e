import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodedFor, readPageFiles, type PageFile } from './page-files.js';
import { pageSecurityPolicy, type Page } from './pages.controller.js';

const file: PageFile = {
  path: 'kit/tillfront.js',
  type: 'text/javascript',
  caching: 'revalidate',
  integrity: 'sha384-x',
  plain: Buffer.from('plain'),
  gzip: Buffer.from('gzip'),
  brotli: Buffer.from('br'),
};

describe('the form in which a file is sent', () => {
  test.each([
    [undefined, undefined, 'plain'],
    ['', undefined, 'plain'],
    ['identity', undefined, 'plain'],
    ['gzip', 'gzip', 'gzip'],
    ['gzip, deflate, br', 'br', 'br'],
    ['BR;q=0.1', 'br', 'br'],
    ['br;q=0, gzip', 'gzip', 'gzip'],
    ['br;q=0.000, gzip; q=0', undefined, 'plain'],
    ['vibrant', undefined, 'plain'],
    ['*', undefined, 'plain'],
  ])('with %j is %s', (accepted, encoding, body) => {
    const sent = encodedFor(file, accepted);
    expect([sent.encoding, sent.body.toString()]).toEqual([encoding, body]);
  });
});

describe('reading the files', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tillfront-test-pages-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('finds nothing where nothing was built', async () => {
    expect(await readPageFiles(join(folder, 'none'))).toBeUndefined();
  });

  test('reads what the manifest lists, and stops where a file of it is missing', async () => {
    const { path, type, caching, integrity } = file;
    await mkdir(join(folder, 'kit'));
    await writeFile(
      join(folder, 'manifest.json'),
      JSON.stringify({ files: [{ path, type, caching, integrity }] }),
    );
    await writeFile(join(folder, path), 'plain');
    await writeFile(join(folder, `${path}.gz`), 'gzip');
    await expect(readPageFiles(folder)).rejects.toThrow('ENOENT');
    await writeFile(join(folder, `${path}.br`), 'br');
    expect((await readPageFiles(folder))?.get(path)).toEqual(file);
  });
});

describe('the pages’ policy', () => {
  const policy = (page: Page, mode: 'live' | 'test'): string =>
    pageSecurityPolicy(page, {
      gateway: { mode },
      http: { allowedOrigins: ['https://pay.example', 'https://shop.example'] },
    });

  test('lets forms go to banks only by https, but for the sandbox’s', () => {
    expect(policy('checkout', 'live')).toContain("form-action 'self' https:;");
    expect(policy('checkout', 'test')).toContain(
      "form-action 'self' https: http://localhost:* http://127.0.0.1:*;",
    );
    for (const mode of ['live', 'test'] as const) {
      expect(policy('console', mode)).toContain("form-action 'none';");
      expect(policy('frame', mode)).toContain("form-action 'none';");
    }
  });

  test('lets allowed origins frame the frame, and nobody the other pages', () => {
    expect(policy('frame', 'live')).toContain('frame-ancestors https://pay.example https://shop.example;');
    expect(policy('checkout', 'live')).toContain("frame-ancestors 'none';");
    expect(policy('console', 'live')).toContain("frame-ancestors 'none';");
  });
});
