import { describe, expect, test } from '@jest/globals';
import { pageSecurityPolicy } from './pages.js';

type Page = Parameters<typeof pageSecurityPolicy>[0];

describe('the pages’ policy', () => {
  const policy = (page: Page, mode: 'live' | 'test'): string =>
    pageSecurityPolicy(page, {
      gateway: { mode },
      http: { allowedOrigins: ['https://pay.example', 'https://shop.example'] },
    });

  test('lets forms go to banks only by https, but for the sandbox’s', () => {
    for (const page of ['checkout', 'frame'] as const) {
      expect(policy(page, 'live')).toContain("form-action 'self' https:;");
      expect(policy(page, 'test')).toContain(
        "form-action 'self' https: http://localhost:* http://127.0.0.1:*;",
      );
    }
    for (const mode of ['live', 'test'] as const)
      expect(policy('console', mode)).toContain("form-action 'none';");
  });

  test('lets allowed origins frame the frame, and nobody the other pages', () => {
    expect(policy('frame', 'live')).toContain('frame-ancestors https://pay.example https://shop.example;');
    expect(policy('checkout', 'live')).toContain("frame-ancestors 'none';");
    expect(policy('console', 'live')).toContain("frame-ancestors 'none';");
  });
});
