import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contrast, lightened, readLogo } from './brand.js';
import { readConfig } from './read-config.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillfront-test-brand-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(content: string | Buffer): string {
  const path = join(folder, 'logo');
  writeFileSync(path, content);
  return path;
}

describe('an accent colour', () => {
  test('has the contrast that WCAG reckons', () => {
    expect(contrast('#000000', '#ffffff')).toBe(21);
    expect(contrast('#ffffff', '#767676')).toBeCloseTo(4.54, 2);
    expect(contrast('#8a4b1f', '#8a4b1f')).toBe(1);
  });

  test('every one can be told from the dark, once it is lightened', () => {
    const color = fc
      .integer({ min: 0, max: 0xffffff })
      .map((value) => `#${value.toString(16).padStart(6, '0')}`);
    fc.assert(
      fc.property(color, (text) => {
        const light = lightened(text, '#18211f');
        expect(light).toMatch(/^#[0-9a-f]{6}$/);
        expect(contrast(light, '#18211f')).toBeGreaterThan(4.5);
        expect(contrast(light, '#06251d')).toBeGreaterThan(4.5);
      }),
    );
  });
});

describe('a logo', () => {
  test.each([
    ['<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['<?xml version="1.0"?>\n<!-- <html> -->\n<!DOCTYPE svg>\n<svg viewBox="0 0 1 1"></svg>'],
    ['\ufeff<svg></svg>'],
  ])('may be the SVG %j', (text) => {
    expect(readLogo(file(text))).toMatchObject({ type: 'image/svg+xml' });
  });

  test('may be a PNG', () => {
    expect(readLogo(file(PNG))).toEqual({ type: 'image/png', content: PNG });
  });

  test.each([
    ['text', 'hello'],
    ['a page', '<!doctype html><svg></svg><html></html>'.replace('<svg></svg>', '')],
    ['another element', '<svgs></svgs>'],
    ['a comment without an end', '<!-- <svg>'],
    ['a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
    ['nothing', ''],
    ['bytes that are no UTF-8', Buffer.from([0x3c, 0x73, 0x76, 0x67, 0x3e, 0xff, 0xfe])],
  ])('is not %s', (_, content) => {
    expect(readLogo(file(content))).toBe('names a file that is neither SVG nor PNG');
  });

  test('has at most 100 KB', () => {
    const svg = (bytes: number): string => `<svg>${'x'.repeat(bytes - 11)}</svg>`;
    expect(readLogo(file(svg(102_400)))).toMatchObject({ type: 'image/svg+xml' });
    expect(readLogo(file(svg(102_401)))).toBe('names a file of more than 100 KB');
  });

  test('must be there', () => {
    expect(readLogo(join(folder, 'none'))).toBe('names a file that cannot be read');
    expect(readLogo(folder)).toBe('names a file that cannot be read');
  });
});

test('the start names each fault by its variable', () => {
  const { problems } = readConfig({
    GATEWAY_BASE_URL: 'https://gateway.example',
    GATEWAY_API_KEY: 'key',
    GATEWAY_ACCESS_TOKEN: 'token',
    MERCHANT_NAME: `Ada\u2028${'a'.repeat(60)}`,
    MERCHANT_LOGO_FILE: join(folder, 'none'),
    MERCHANT_ACCENT_COLOR: '#8a4',
  });
  expect(problems.map(({ variable }) => variable)).toEqual([
    'MERCHANT_NAME',
    'MERCHANT_LOGO_FILE',
    'MERCHANT_ACCENT_COLOR',
  ]);
});
