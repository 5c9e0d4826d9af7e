import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { get } from 'node:http';
import { Body, Controller, Get, HttpCode, Module, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiProperty, ApiTags, type OpenAPIObject } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { type Browser, chromium } from 'playwright-core';
import { serveApiDocs } from '../../src/openapi/api-docs.js';
import { Idempotent } from '../../src/idempotency/idempotent.js';
import { buildOpenApi } from '../../src/openapi/openapi.js';
import { Access } from '../../src/auth/access.guard.js';
import { EdgeRoute } from '../../src/http/route.js';
import { problemCodes } from '../../src/http/problems/problem.js';
import { findChromium } from '../setup/browser-programs.js';
import { accessibilityFaults } from '../browser/checkout-scene.js';
import { startProbe, type Probe } from './probe-app.js';
import { expectProblem, send } from './wire.js';

class ThingDto {
  @ApiProperty({ description: 'What it is called.' })
  @IsString()
  name: string;
}

@ApiTags('payments')
@Controller('v1/things')
class ThingsController {
  private get broken(): never {
    throw new Error('Nobody asked for this.');
  }

  @Get()
  @Access('full')
  @ApiOkResponse({ type: [ThingDto] })
  list(): ThingDto[] {
    return [];
  }

  @Post(':id/paint')
  @HttpCode(200)
  @Access('client', 'full')
  @Idempotent()
  @ApiOkResponse({ type: ThingDto })
  paint(@Param('id') _: string, @Body() dto: ThingDto): ThingDto {
    return dto;
  }

  @Get('open')
  @EdgeRoute({ openAt: 'payers' })
  @ApiOkResponse({ type: ThingDto })
  open(): ThingDto {
    return { name: 'door' };
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

let probe: Probe;
let document: OpenAPIObject;

beforeAll(async () => {
  probe = await startProbe(
    { publicBaseUrl: 'http://localhost:3000' },
    {
      module: ThingsModule,
      prepare: (app) =>
        serveApiDocs(app, () => buildOpenApi(app, { version: '1.2.3', serverUrl: 'https://pay.example' })),
    },
  );
  document = (await send(probe.port, 'GET', '/openapi.json')).body as unknown as OpenAPIObject;
});

afterAll(async () => {
  await probe.app.close();
});

/** How many bytes a browser gets, packed as they come. */
function bytesOf(path: string): Promise<number> {
  const headers = { 'accept-encoding': 'gzip, br' };
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port: probe.port, path, headers }, (answer) => {
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => (bytes += chunk.length));
      answer.on('end', () => resolve(bytes));
    }).on('error', reject);
  });
}

describe('the description', () => {
  test('is OpenAPI 3.1 with both credentials', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info).toMatchObject({ title: 'Tillfront', version: '1.2.3' });
    expect(document.servers).toMatchObject([{ url: 'https://pay.example' }]);
    expect(document.components?.securitySchemes).toMatchObject({
      merchantKey: { type: 'http', scheme: 'bearer' },
      clientToken: { type: 'http', scheme: 'bearer' },
    });
    expect(Object.keys(document.paths)).toEqual(['/v1/things', '/v1/things/{id}/paint', '/v1/things/open']);
  });

  test('says of each call which credentials its guards take', () => {
    expect(document.paths['/v1/things']?.get?.security).toEqual([{ merchantKey: [] }]);
    expect(document.paths['/v1/things/{id}/paint']?.post?.security).toEqual([
      { clientToken: [] },
      { merchantKey: [] },
    ]);
    expect(document.paths['/v1/things/open']?.get?.security).toEqual([]);
  });

  test('says of each call which problems it can have', () => {
    expect(Object.keys(document.paths['/v1/things']?.get?.responses ?? {})).toEqual([
      '200',
      '400',
      '401',
      '403',
      '429',
      '500',
      '503',
    ]);
    expect(Object.keys(document.paths['/v1/things/{id}/paint']?.post?.responses ?? {})).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '409',
      '413',
      '415',
      '422',
      '429',
      '500',
      '502',
      '503',
    ]);
    expect(Object.keys(document.paths['/v1/things/open']?.get?.responses ?? {})).toEqual([
      '200',
      '400',
      '403',
      '500',
      '503',
    ]);
  });

  test('names calls by what they do, each once', () => {
    const ids = Object.values(document.paths).flatMap((path) => [
      path.get?.operationId,
      path.post?.operationId,
    ]);
    expect(ids.filter((id) => id !== undefined)).toEqual(['things.list', 'things.paint', 'things.open']);
  });

  test('knows every problem code', () => {
    const { Problem } = document.components?.schemas as Record<
      string,
      { properties: { code: { enum: string[] } } }
    >;
    expect(Problem?.properties.code.enum).toEqual(problemCodes);
    const text = JSON.stringify(document.components?.responses);
    for (const code of problemCodes) expect(text).toContain(`\`${code}\``);
  });

  test('refers to nothing that is not in it', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, path = '']) => path,
    );
    expect(references.length).toBeGreaterThan(10);
    for (const reference of references) {
      const found = reference
        .split('/')
        .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document);
      expect({ reference, found: found !== undefined }).toEqual({ reference, found: true });
    }
  });
});

describe('its page', () => {
  test('is strict about what it loads', async () => {
    const page = await send(probe.port, 'GET', '/docs');
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(page.headers['content-security-policy']).not.toContain('unsafe');
    expect(page.text).not.toMatch(/https?:\/\/|<script>|<style>| on[a-z]+=/);
  });

  test.each([
    ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
    ['/docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
    ['/docs/start.js', 'text/javascript; charset=utf-8'],
    ['/docs/accessible.css', 'text/css; charset=utf-8'],
  ])('%s is served and cached', async (path, type) => {
    const file = await send(probe.port, 'GET', path);
    expect(file.status).toBe(200);
    expect(file.headers).toMatchObject({ 'content-type': type, 'cache-control': 'public, max-age=3600' });
  });

  test('is served packed where the browser takes that', async () => {
    for (const path of ['/openapi.json', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css']) {
      const [plain, gzip, brotli] = await Promise.all(
        ['gzip;q=0, deflate', 'br;q=0.0, gzip', 'gzip, br'].map(async (accepted) => {
          const answer = await fetch(`http://127.0.0.1:${probe.port}${path}`, {
            headers: { 'accept-encoding': accepted },
          });
          return {
            encoding: answer.headers.get('content-encoding'),
            vary: answer.headers.get('vary'),
            text: await answer.text(),
          };
        }),
      );
      expect(plain).toMatchObject({ encoding: null, vary: 'Accept-Encoding, Origin' });
      expect(gzip).toMatchObject({ encoding: 'gzip', vary: 'Accept-Encoding, Origin' });
      expect(brotli).toMatchObject({ encoding: 'br', vary: 'Accept-Encoding, Origin' });
      expect(gzip?.text).toBe(plain?.text);
      expect(brotli?.text).toBe(plain?.text);
    }
  });

  test('weighs less than 450 kB on its way', async () => {
    let bytes = 0;
    for (const path of [
      '/docs',
      '/docs/swagger-ui-bundle.js',
      '/docs/swagger-ui.css',
      '/docs/start.js',
      '/docs/accessible.css',
    ])
      bytes += await bytesOf(path);
    expect(bytes).toBeLessThan(450_000);
  });

  test('/ says where things are', async () => {
    const front = await send(probe.port, 'GET', '/');
    expect(front.status).toBe(200);
    expect(front.headers['content-security-policy']).toMatch(/^default-src 'none';/);
    expect([...front.text.matchAll(/<a href="([^"]+)"/g)].map(([, path]) => path)).toEqual([
      '/docs',
      '/openapi.json',
      '/console',
    ]);
  });

  test.each(['/docs/package.json', '/docs/swagger-initializer.js', '/docs/..%2fpackage.json'])(
    '%s is not served',
    async (path) => {
      expectProblem(await send(probe.port, 'GET', path), 'not-found', 404, { https: false });
    },
  );

  describe('in a browser', () => {
    let browser: Browser;

    beforeAll(async () => {
      browser = await chromium.launch({
        executablePath: await findChromium(),
        args: ['--no-sandbox', '--disable-gpu'],
      });
    }, 120_000);

    afterAll(async () => {
      await browser.close();
    });

    test('shows the calls, and its policy has nothing to complain about', async () => {
      const page = await browser.newPage();
      const complaints: string[] = [];
      const elsewhere: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) => {
        if (
          !request.url().startsWith(`http://127.0.0.1:${probe.port}/`) &&
          !request.url().startsWith('data:')
        ) {
          elsewhere.push(request.url());
        }
      });
      await page.goto(`http://127.0.0.1:${probe.port}/docs`);
      await page.getByText('/v1/things/{id}/paint').first().click();
      await page.getByText('Idempotency-Key').first().waitFor();
      expect(complaints).toEqual([]);
      expect(elsewhere).toEqual([]);
    });

    test('axe finds nothing in it: closed, opened, tried out, and with its dialog', async () => {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${probe.port}/docs`);
      await page.locator('.opblock').first().waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByText('/v1/things/{id}/paint').first().click();
      await page.getByText('Idempotency-Key').first().waitFor();
      await page.getByRole('button', { name: 'Try it out' }).click();
      await page.getByRole('textbox', { name: 'Request body' }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByRole('button', { name: 'Authorize', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Available authorizations' });
      await dialog.waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Close' }).first().click();
      await page.setViewportSize({ width: 320, height: 700 });
      expect(await page.evaluate(() => globalThis.document.documentElement.scrollWidth)).toBe(320);
      expect(await accessibilityFaults(page)).toEqual([]);
    });
  });
});
