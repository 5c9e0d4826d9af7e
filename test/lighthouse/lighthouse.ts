import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'puppeteer-core';

/** The part of Lighthouse that is used here. Its package is heavy and stands in this folder alone, so its types are not at hand. */

export const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
export type Category = (typeof CATEGORIES)[number];
export type Device = 'mobile' | 'desktop';

interface Audit {
  title: string;
  score: number | null;
  numericValue?: number;
  displayValue?: string;
}

/** What Lighthouse found on one page. Scores are from 0 to 1. */
export interface Result {
  lighthouseVersion: string;
  runtimeError?: { message: string };
  categories: Partial<
    Record<Category, { score: number | null; auditRefs: { id: string; weight: number }[] }>
  >;
  audits: Record<string, Audit>;
}

type Report = Promise<{ lhr: Result } | undefined>;

interface Lighthouse {
  navigation(page: Page, url: string, options: object): Report;
  snapshot(page: Page, options: object): Report;
  desktopConfig: object;
}

const MODULE = new URL('node_modules/lighthouse/core/index.js', import.meta.url);

export class Measurer {
  readonly #lighthouse: Lighthouse;

  private constructor(lighthouse: Lighthouse) {
    this.#lighthouse = lighthouse;
  }

  static async load(): Promise<Measurer> {
    if (!existsSync(fileURLToPath(MODULE)))
      throw new Error('The package is missing: run this by "npm run lighthouse".');
    return new Measurer((await import(MODULE.href)) as Lighthouse);
  }

  /** Loads the address as a first visitor does. */
  async visit(page: Page, url: string, device: Device): Promise<Result> {
    return found(await this.#lighthouse.navigation(page, url, this.options(device, CATEGORIES)));
  }

  /** Looks at a page as it stands, for what is only there after somebody did something. It cannot tell how fast that was. */
  async look(page: Page, device: Device): Promise<Result> {
    const categories = CATEGORIES.filter((name) => name !== 'performance');
    return found(await this.#lighthouse.snapshot(page, this.options(device, categories)));
  }

  private options(device: Device, onlyCategories: readonly Category[]): object {
    const flags = { onlyCategories, logLevel: 'error' };
    return device === 'desktop' ? { config: this.#lighthouse.desktopConfig, flags } : { flags };
  }
}

function found(report: { lhr: Result } | undefined): Result {
  if (!report) throw new Error('Lighthouse has no result');
  const { runtimeError } = report.lhr;
  if (runtimeError) throw new Error(runtimeError.message);
  return report.lhr;
}
