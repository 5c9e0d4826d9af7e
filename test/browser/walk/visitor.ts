import axe from 'axe-core';
import type { BrowserContext, ElementHandle, Page } from 'puppeteer-core';
import type { SessionBody } from '../../harness/client.js';
import { until } from '../../harness/until.js';
import { launchEngine, OpenProfiles, resize, type Engine } from '../../setup/browser.js';

/** What a visitor's machine is like. */
export interface Machine {
  /** The browser's languages, the best first. */
  languages?: readonly string[];
  width?: number;
  /** By how many milliseconds its clock is wrong. */
  clockOffBy?: number;
  /** As set in the browser: `200%`. */
  textSize?: string;
  /** What the service's addresses that contain this text answer, as often as asked. */
  answers?: Readonly<Record<string, { status: number; body: object; headers?: Record<string, string> }>>;
  /** Whether the visit goes on when its test is over. */
  stays?: boolean;
}

/** A browser of one of the engines. Each visit has a profile of its own. */
export interface Visitors {
  open(address: string, machine?: Machine): Promise<Visitor>;
  /** A session's checkout page, once it shows something. */
  checkout(session: SessionBody, machine?: Machine): Promise<Visitor>;
  close(): Promise<void>;
}

export async function startVisitors(
  engine: Engine,
  options: { forcedColors?: boolean } = {},
): Promise<Visitors> {
  const browser = await launchEngine(engine, options);
  const profiles = new OpenProfiles();
  const open = async (address: string, machine: Machine = {}): Promise<Visitor> => {
    const profile = await browser.createBrowserContext();
    await profiles.add(profile, machine);
    const visitor = new Visitor(await newPage(profile, machine));
    await visitor.page.goto(address);
    return visitor;
  };
  return {
    open,
    checkout: async ({ checkoutUrl }, machine) => {
      const visitor = await open(checkoutUrl, machine);
      await visitor.page.waitForSelector('tillfront-checkout[data-view]:not([data-view=loading])');
      return visitor;
    },
    close: () => browser.close(),
  };
}

async function newPage(profile: BrowserContext, machine: Machine): Promise<Page> {
  const page = await profile.newPage();
  page.setDefaultTimeout(60_000);
  await resize(page, machine.width ?? 1280, 800);
  await page.evaluateOnNewDocument(prepare, JSON.stringify({ languages: ['en-US'], ...machine }));
  return page;
}

/** Runs in the page before its own scripts. */
function prepare(given: string): void {
  const { languages = [], clockOffBy, textSize, answers } = JSON.parse(given) as Machine;
  // A machine of the tests may have no line but its own.
  Object.defineProperty(Navigator.prototype, 'onLine', { get: () => true });
  Object.defineProperty(Navigator.prototype, 'languages', { get: () => languages });
  Object.defineProperty(Navigator.prototype, 'language', { get: () => languages[0] });
  if (clockOffBy !== undefined) {
    const now = Date.now.bind(Date);
    globalThis.Date = new Proxy(Date, {
      construct: (target, args: []): object =>
        Reflect.construct(target, args.length === 0 ? [now() + clockOffBy] : args) as object,
    });
    Date.now = () => now() + clockOffBy;
  }
  if (textSize !== undefined) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`html { font-size: ${textSize} }`);
    document.adoptedStyleSheets.push(sheet);
  }
  if (answers !== undefined) {
    const ask = globalThis.fetch.bind(globalThis);
    globalThis.fetch = (input, init) => {
      const address = input instanceof Request ? input.url : String(input);
      const [, found] = Object.entries(answers).find(([part]) => address.includes(part)) ?? [];
      if (found === undefined) return ask(input, init);
      const headers = { 'content-type': 'application/problem+json', ...found.headers };
      return Promise.resolve(new Response(JSON.stringify(found.body), { status: found.status, headers }));
    };
  }
}

/** Somebody at one page. What they find, they find by what they see, hear and can name. */
export class Visitor {
  /** Errors that nobody caught, and breaches of the page's policy. */
  readonly faults: string[] = [];

  constructor(readonly page: Page) {
    const note = (text: string): void => {
      // The bank's own page is not ours: it has no icon.
      if (!text.includes('/favicon.ico')) this.faults.push(text);
    };
    page.on('pageerror', (error) => note(String(error)));
    page.on('console', (message) => {
      if (/content.security.policy/i.test(message.text())) note(message.text());
    });
  }

  /** Waits until the page shows these words. */
  async sees(words: string | RegExp): Promise<void> {
    let text = '';
    const matches = async (): Promise<boolean> => {
      text = await this.text();
      return typeof words === 'string' ? text.includes(words) : words.test(text);
    };
    await until(matches, 60_000).catch(() => {
      throw new Error(`the page never said ${String(words)}, but at last: ${text}`);
    });
  }

  /** All words that are shown now, in one line. */
  async text(): Promise<string> {
    const text = await this.page.evaluate(() => document.body?.innerText ?? '').catch(() => '');
    return text.replace(/\s+/g, ' ');
  }

  /** Waits until the page says this as a result: in its live region, as a heading. */
  async outcome(heading: string): Promise<void> {
    await this.#find(`[role=status] ::-p-aria([name="${heading}"][role="heading"])`);
  }

  async press(name: string, role = 'button'): Promise<void> {
    await this.#click(`::-p-aria([name="${name}"][role="${role}"])`);
  }

  async #click(selector: string): Promise<void> {
    await (await this.#find(selector)).click();
  }

  /**
   * Waits for what the browser itself finds by role and name. Puppeteer's own wait asks for it with each frame, which is all that a machine
   * can do while the browser goes through the whole page for each answer; and Firefox does not go on with what it calls a locator.
   */
  #find(selector: string): Promise<ElementHandle> {
    return this.#wait(selector, () => this.page.$(selector));
  }

  async #wait<T extends ElementHandle>(what: string, look: () => Promise<T | null>): Promise<T> {
    let found: T | null = null;
    // While a page is left, nothing can be found.
    const looks = async (): Promise<boolean> => (found = await look().catch(() => null)) !== null;
    await until(looks, 60_000).catch(async () => {
      throw new Error(`no ${what}, but: ${await this.text()}`);
    });
    if (found === null) throw new Error(`no ${what}`);
    return found;
  }

  async offers(name: string, role = 'button'): Promise<boolean> {
    return (await this.page.$(`::-p-aria([name="${name}"][role="${role}"])`)) !== null;
  }

  /** Puts a text into a field in place of what stands there, at once, as somebody who pastes it. */
  async fill(label: string, text: string): Promise<void> {
    // Puppeteer's own way of it, `sendCharacter`, fails in Firefox.
    await this.#enter(label, text, (field) =>
      field.evaluate((_, inserted) => document.execCommand('insertText', false, inserted), text),
    );
  }

  /** The same, key by key. A browser may take a tenth of a second for each. */
  async type(label: string, text: string): Promise<void> {
    await this.#enter(label, text, () => this.page.keyboard.type(text));
  }

  async #enter(
    label: string,
    text: string,
    enter: (field: ElementHandle<HTMLInputElement>) => Promise<unknown>,
  ): Promise<void> {
    const field = await this.field(label);
    await field.click();
    await field.evaluate((input) => input.select());
    await (text === '' ? this.page.keyboard.press('Backspace') : enter(field));
  }

  async choose(label: string, value: string): Promise<void> {
    await (await this.#find(`::-p-aria([name="${label}"][role="combobox"])`)).select(value);
  }

  /** By its label. Firefox takes seconds to find by its name what stands beside a list of all countries. */
  field(label: string): Promise<ElementHandle<HTMLInputElement>> {
    return this.#wait(`field ${label}`, async () => {
      const found = await this.page.evaluateHandle(labelled, label);
      return found.asElement() as ElementHandle<HTMLInputElement> | null;
    });
  }

  async value(label: string): Promise<string> {
    return (await this.field(label)).evaluate((input) => input.value);
  }

  /** A field's marks for those who hear it: whether it is called wrong, and with which words. */
  async marks(label: string): Promise<{ invalid: boolean; described: string }> {
    return (await this.field(label)).evaluate((input) => {
      const ids = (input.getAttribute('aria-describedby') ?? '').split(' ');
      const texts = ids.map((id) => document.getElementById(id)?.textContent ?? '');
      return { invalid: input.getAttribute('aria-invalid') === 'true', described: texts.join(' ').trim() };
    });
  }

  /** The name of what has the focus. */
  focused(): Promise<string> {
    return this.page.evaluate(() => {
      const active = document.activeElement;
      const labels = active instanceof HTMLInputElement ? [...(active.labels ?? [])] : [];
      return (labels[0]?.textContent ?? active?.textContent ?? '').trim();
    });
  }

  async titled(title: string): Promise<void> {
    await until(async () => (await this.page.title()) === title, 60_000).catch(async () => {
      throw new Error(`the title is ${await this.page.title()}, not ${title}`);
    });
  }

  async fillCard(number: string, { expiry = '1230', name = 'Ada Obi', code = '111' } = {}): Promise<void> {
    await this.fill('Card number', number);
    await this.fill('Expiry date', expiry);
    await this.fill('Security code', code);
    await this.fill('Name on card', name);
  }

  /** Chooses a method by its tile. */
  async by(method: string): Promise<void> {
    await this.press(method, 'radio');
  }

  /** Presses the form's own button, whatever it says. */
  async pay(): Promise<void> {
    const button = await this.#find('tillfront-checkout form button[type=submit]');
    // A busy Firefox may still scroll to the last field, and then a click by its place meets something else.
    await button.focus();
    await this.page.keyboard.press('Enter');
  }

  async payCard(number: string): Promise<void> {
    await this.fillCard(number);
    await this.pay();
  }

  /** How wide the page is beyond its window, and what in it breaks: nothing, if all is well. */
  async brokenSums(): Promise<string[]> {
    return this.page.evaluate(() => {
      const broken = [...document.querySelectorAll<HTMLElement>('.sum')].filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        const isInside = element.closest('.scroll') !== null || (left >= 0 && right <= innerWidth + 0.5);
        return width > 0 && (element.getClientRects().length !== 1 || !isInside);
      });
      return broken.map((element) => element.outerHTML);
    });
  }

  async overflow(): Promise<number> {
    return this.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
  }

  async axeFaults(): Promise<string[]> {
    await this.page.evaluate(axe.source);
    return this.page.evaluate(async () => {
      const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
      const { violations } = await run(document, { runOnly: tags });
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
    });
  }
}

/** Runs in the page: the field that is shown with this label. */
function labelled(wanted: string): HTMLInputElement | undefined {
  return [...document.querySelectorAll<HTMLInputElement>('input, textarea')].find((field) => {
    const labels = [...(field.labels ?? [])].map(({ textContent }) => textContent);
    const names = field.ariaLabel === null ? labels : [field.ariaLabel];
    return field.checkVisibility() && names.some((name) => name.replace(/\s+/g, ' ').trim() === wanted);
  });
}
