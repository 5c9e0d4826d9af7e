import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { expectStatus, TillfrontClient, type SessionBody } from '../../harness/client.js';
import { cardAnswer } from '../../harness/gateway-answers.js';
import type { Behaviour } from '../../harness/gateway-behaviour.js';
import { startScene, type Scene } from '../../harness/scene.js';
import { startTillfront } from '../../harness/tillfront.js';
import { until } from '../../harness/until.js';
import { asksForPin, changedProfile, without } from '../built-in-profile.js';
import { ENGINES } from '../../setup/browser.js';
import { RIGHT_OTP, startServiceScene, type ServiceScene } from '../checkout-scene.js';
import { startVisitors, type Visitor, type Visitors } from './visitor.js';

/** Steps 20 to 46 of the walk: how a payer finds their way through the page, whoever they are. */

const says = (status: string): Behaviour => ({
  do: 'answer',
  body: cardAnswer({ status, amount: '1500.00' }),
});

let scene: ServiceScene;
/** A gateway that takes little of a card, and asks for the PIN afterwards. */
let modest: Scene;
beforeAll(async () => {
  [scene, modest] = await Promise.all([
    startServiceScene({ MERCHANT_NAME: 'Shop', MAX_DECLINES_PER_SESSION: '2' }),
    startScene('embedded', {
      GATEWAY_PROFILE: changedProfile((profile) => {
        asksForPin(profile);
        without(...['billingStreet', 'billingCity', 'payerPhone', 'firstName', 'lastName', 'nameOnCard'])(
          profile,
        );
      }),
    }),
  ]);
});
afterAll(async () => {
  await scene?.stop();
  await modest?.stop();
});

const textsOf = (language: string): Record<string, string> =>
  JSON.parse(
    readFileSync(new URL(`../../../browser/messages/${language}.json`, import.meta.url), 'utf8'),
  ) as Record<string, string>;

describe.each(ENGINES)('%s', (engine) => {
  let visitors: Visitors;
  /** Opened a minute before its session ends. */
  let ending: Visitor;
  beforeAll(async () => {
    visitors = await startVisitors(engine);
    const returnUrl = 'https://shop.example/thanks';
    ending = await visitors.checkout(await newSession({ expiresInSeconds: 60, returnUrl }), { stays: true });
  });
  afterAll(() => visitors.close());

  const newSession = (more: object = {}): Promise<SessionBody> =>
    scene.client.createSession({ returnUrl: undefined, ...more });

  const asking = { payer: undefined, billing: undefined };

  /** The labels of the fields that are shown. */
  const labels = ({ page }: Visitor): Promise<string[]> =>
    page.$$eval('tillfront-checkout .view .field:not([hidden]) label', (all) =>
      all.map(({ textContent }) => textContent ?? ''),
    );

  const kept = ({ page }: Visitor): Promise<string> =>
    page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));

  test('20. The page asks for what the gateway takes, and for nothing else.', async () => {
    const session = await modest.client.createSession({ returnUrl: undefined, ...asking });
    const visitor = await visitors.checkout(session);
    const shown = await labels(visitor);
    expect(shown).toEqual(expect.arrayContaining(['Card number', 'Expiry date', 'Security code', 'Email']));
    for (const label of ['Street', 'City', 'Phone', 'First name', 'Last name', 'Name on card'])
      expect(shown).not.toContain(label);
  });

  test('21. State and postal code are asked for only where the country has them.', async () => {
    const visitor = await visitors.checkout(await newSession(asking));
    const ofAddress = async (country: string): Promise<string[]> => {
      await visitor.choose('Country', country);
      return (await labels(visitor)).filter((label) => ['State', 'Postal code'].includes(label));
    };
    expect(await ofAddress('NGA')).toEqual([]);
    expect(await ofAddress('DEU')).toEqual(['Postal code']);
    expect(await ofAddress('USA')).toEqual(['State', 'Postal code']);
    expect(await ofAddress('NGA')).toEqual([]);
  });

  test('22. A phone number is taken as people of the country write it.', async () => {
    const payer = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Obi' };
    const session = await newSession({ payer });
    const visitor = await visitors.checkout(session);
    await visitor.fill('Phone', 'mine');
    await visitor.fillCard('5060990580000217499');
    await visitor.fill('Card PIN', '1111');
    await visitor.pay();
    await visitor.sees('Enter a phone number');
    await visitor.fill('Phone', '0803 111 2222');
    await visitor.pay();
    await visitor.outcome('Payment successful');
    const [payment] = await scene.client.paymentsOf(session.reference);
    expect(payment?.card).toEqual({ brand: 'verve', last4: '7499' });
  });

  test('23. A bank that asks for a code after its own page gets it.', async () => {
    const session = await newSession();
    const visitor = await visitors.checkout(session);
    await visitor.payCard('4000000000000820');
    await visitor.press('Approve');
    await visitor.fill('One-time code', RIGHT_OTP);
    await visitor.press('Continue');
    await visitor.outcome('Payment successful');
    expect(await scene.charges(session.reference)).toBe(1);
    expect(visitor.faults).toEqual([]);
  });

  test('24. Two minutes before the session ends the page says so, and not before.', async () => {
    const visitor = await visitors.checkout(await newSession({ expiresInSeconds: 124 }));
    const soon = 'Less than 2 minutes are left to pay on this page.';
    expect(await visitor.text()).not.toContain(soon);
    await visitor.sees(soon);
    const role = await visitor.page.$$eval(
      '[role=status]',
      (all, words) => all.filter(({ textContent }) => textContent === words).length,
      soon,
    );
    expect(role).toBe(1);
    // Until then, it can be paid.
    await visitor.payCard('4111111111111111');
    await visitor.outcome('Payment successful');
  });

  test('25. The last decline that a session allows says so, and where to go on.', async () => {
    const visitor = await visitors.checkout(await newSession({ returnUrl: 'https://shop.example/thanks' }));
    await visitor.payCard('4000000000000309');
    await visitor.outcome('Payment failed');
    expect(await visitor.text()).not.toContain('That was the last try');
    await visitor.payCard('4000000000000309');
    await visitor.sees(
      'That was the last try for this order here. To pay, go back to the shop and start again.',
    );
    expect(await visitor.offers('Back to Shop', 'link')).toBe(true);
  });

  test('26. Whoever is stopped for too many attempts reads for how long.', async () => {
    const strict = await startTillfront({
      store: 'embedded',
      gatewayUrl: scene.sandbox.url,
      env: { RATE_LIMIT_PER_MINUTE: '1' },
    });
    try {
      const client = new TillfrontClient(strict.url, strict.merchantKey);
      const visitor = await visitors.checkout(await client.createSession({ returnUrl: undefined }));
      await visitor.by('Bank transfer');
      await visitor.pay();
      await visitor.press('Cancel');
      await visitor.sees(/Too many attempts\. You can try again in \d+ (seconds?|minutes?)\./);
      expect(await visitor.text()).not.toMatch(/rate|429|limit/i);
    } finally {
      await strict.stop();
    }
  });

  test('27. A decline is explained in the payer’s language with a next step, never in the bank’s own words.', async () => {
    const answer = await scene.client.payCard(await newSession(), { card: { number: '4000000000000309' } });
    const raw = expectStatus(answer, 201).body.failure?.message ?? '';
    expect(raw).toBe('Insufficient funds');
    for (const language of ['fr', 'es', 'ar', 'sw']) {
      const texts = textsOf(language);
      const visitor = await visitors.checkout(await newSession(), { languages: [language] });
      await visitor.fill(texts['card.number'] ?? '', '4000000000000309');
      await visitor.fill(texts['card.expiry'] ?? '', '1230');
      await visitor.fill(texts['card.securityCode'] ?? '', '111');
      await visitor.fill(texts['card.name'] ?? '', 'Ada Obi');
      await visitor.pay();
      await visitor.sees(texts['reason.insufficientFunds'] ?? '');
      expect((await visitor.text()).toLowerCase()).not.toContain('insufficient');
      await visitor.page.close();
    }
  });

  test('28. When the service itself fails, nobody is told that their own connection is weak.', async () => {
    const problem = { code: 'internal-error', status: 500, title: 'Internal error' };
    const answers = { '/v1/checkout-session': { status: 500, body: problem } };
    const { checkoutUrl } = await newSession();
    const visitor = await visitors.open(checkoutUrl, { answers });
    await visitor.sees('The payment service is not answering yet. We’re still trying.');
    expect(await visitor.text()).not.toMatch(/offline|your connection|your network/i);
  });

  test('29. A region that is read out is not filled with the same words again.', async () => {
    const problem = { code: 'internal-error', status: 500, title: 'Internal error' };
    const answers = { '/v1/checkout-session': { status: 500, body: problem } };
    const { checkoutUrl } = await newSession();
    const visitor = await visitors.open(checkoutUrl, { answers });
    await visitor.page.evaluate(() => {
      const said: string[] = [];
      Object.assign(globalThis, { said });
      const root = document.querySelector('tillfront-checkout') as Element;
      const region = (): Element | null => root.querySelector('.loading');
      const note = (): void => void said.push(region()?.textContent ?? '');
      note();
      // The header beside it may come at any time.
      const isOfRegion = ({ target, addedNodes }: MutationRecord): boolean =>
        region()?.contains(target) === true || [...addedNodes].some((node) => node.contains(region()));
      new MutationObserver((records) => {
        if (records.some(isOfRegion)) note();
      }).observe(root, { childList: true, characterData: true, subtree: true });
      const ask = globalThis.fetch;
      let asked = 0;
      globalThis.fetch = (...words) => {
        Object.assign(globalThis, { asked: ++asked });
        return ask(...words);
      };
    });
    await visitor.sees('The payment service is not answering yet.');
    const asked = (): Promise<number> =>
      visitor.page.evaluate(() => (globalThis as unknown as { asked?: number }).asked ?? 0);
    await until(async () => (await asked()) >= 3);
    const said = await visitor.page.evaluate(() => (globalThis as unknown as { said: string[] }).said);
    const words = said.filter((text) => text.includes('not answering'));
    expect(words).toHaveLength(1);
  });

  test('30. An expiry date may be typed or pasted in any way: "1/28" is 01 / 28.', async () => {
    const visitor = await visitors.checkout(await newSession());
    for (const [typed, shown] of [
      ['1/28', '01 / 28'],
      ['128', '12 / 8'],
      ['5/2030', '05 / 2030'],
      ['12-30', '12 / 30'],
    ] as const) {
      for (const how of ['type', 'fill'] as const) {
        await visitor[how]('Expiry date', typed);
        expect([how, typed, await visitor.value('Expiry date')]).toEqual([how, typed, shown]);
      }
    }
  });

  async function fillDetails(visitor: Visitor): Promise<Record<string, string>> {
    await visitor.choose('Country', 'USA');
    const typed = {
      Street: '1 Marina',
      City: 'Springfield',
      State: 'CA',
      'Postal code': '94105',
      Email: 'ada@example.com',
      Phone: '+234 801 234 5678',
      'First name': 'Ada',
      'Last name': 'Obi',
    };
    for (const [label, text] of Object.entries(typed)) await visitor.fill(label, text);
    return typed;
  }

  async function hasDetails(visitor: Visitor, typed: Record<string, string>): Promise<void> {
    for (const [label, text] of Object.entries(typed))
      expect([label, await visitor.value(label)]).toEqual([label, text]);
  }

  test('31. Name and address stand there again after a decline on the bank’s own page.', async () => {
    const visitor = await visitors.checkout(await newSession(asking));
    const typed = await fillDetails(visitor);
    await visitor.payCard('4000000000000804');
    await visitor.press('Decline');
    await visitor.outcome('Payment failed');
    await hasDetails(visitor, typed);
    expect(await visitor.value('Card number')).toBe('');
    await visitor.payCard('4111111111111111');
    await visitor.outcome('Payment successful');
    expect(await kept(visitor)).not.toContain('Marina');
  });

  test('32. They stand there after a reload too, and nothing of the card is kept anywhere.', async () => {
    const visitor = await visitors.checkout(await newSession(asking));
    const typed = await fillDetails(visitor);
    await visitor.fillCard('4000000000000804', { name: 'Grace Hopper' });
    expect(await kept(visitor)).toContain('1 Marina');
    await visitor.page.reload();
    await hasDetails(visitor, typed);
    for (const label of ['Card number', 'Security code', 'Name on card'])
      expect([label, await visitor.value(label)]).toEqual([label, '']);
    expect(await kept(visitor)).not.toMatch(/4000|0804|Grace|12 \/ 30/);
  });

  test('33. "Try another way" offers another way, and the other card’s number is gone.', async () => {
    const visitor = await visitors.checkout(await newSession());
    await visitor.payCard('4000000000000309');
    await visitor.outcome('Payment failed');
    await visitor.press('Try another way');
    await until(async () => (await visitor.focused()) === 'Wallet');
    const chosen = await visitor.page.$$eval('input[type=radio]:checked', (all) =>
      all.map((radio) => radio.labels?.[0]?.textContent?.trim()),
    );
    expect(chosen).toEqual(['Wallet']);
    await visitor.by('Card');
    expect(await visitor.value('Card number')).toBe('');
  });

  test('34. There is one kind of PIN field, with the card and after it, and browsers offer to save neither.', async () => {
    const kinds: unknown[] = [];
    const kindOf = async (visitor: Visitor): Promise<void> => {
      const field = await visitor.field('Card PIN');
      kinds.push(
        await field.evaluate((input) => ({
          type: input.getAttribute('type'),
          autocomplete: input.getAttribute('autocomplete'),
          inputmode: input.getAttribute('inputmode'),
          hidden: getComputedStyle(input).getPropertyValue('-webkit-text-security'),
        })),
      );
    };
    const form = await visitors.checkout(await newSession());
    await form.fill('Card number', '5060990580000217499');
    await kindOf(form);
    modest.gateway.script('POST /payment/card', says('PIN_REQUIRED'));
    modest.gateway.script('GET /transaction/*', says('PIN_REQUIRED'));
    const session = await modest.client.createSession({ returnUrl: undefined });
    await modest.client.payCard(session);
    await kindOf(await visitors.checkout(session));
    const kind = { type: 'text', autocomplete: 'off', inputmode: 'numeric', hidden: 'disc' };
    expect(kinds).toEqual([kind, kind]);
  });

  test('35. A wrong code is announced, and its words are tied to its field.', async () => {
    const visitor = await visitors.checkout(await newSession());
    await visitor.payCard('4000000000000705');
    await visitor.fill('One-time code', '000000');
    expect(await visitor.marks('One-time code')).toMatchObject({ invalid: false });
    await visitor.press('Continue');
    await visitor.sees('That code was not accepted');
    const marks = await visitor.marks('One-time code');
    expect(marks.invalid).toBe(true);
    expect(marks.described).toContain('That code was not accepted. Enter the latest code from your bank.');
    await until(async () => (await visitor.focused()) === 'One-time code');
    await visitor.fill('One-time code', '12');
    // The field has the focus already: what is wrong is said in a region of its own.
    await visitor.page.keyboard.press('Enter');
    await until(() =>
      visitor.page.$$eval('[role=status], [role=alert]', (all) =>
        all.some(({ textContent }) => textContent?.includes('Enter the code. It has 4 to 10 digits.')),
      ),
    );
  });

  test('36. Each mistake in the form is marked at its field, listed in an alert, and nothing is sent.', async () => {
    const session = await newSession();
    const visitor = await visitors.checkout(session);
    await visitor.fillCard('4111111111111112', { expiry: '0120', code: '1' });
    await visitor.pay();
    for (const [label, words] of [
      ['Card number', 'Check the card number'],
      ['Expiry date', 'This card has expired'],
      ['Security code', 'Enter the 3 digits'],
    ] as const) {
      const marks = await visitor.marks(label);
      expect([label, marks.invalid]).toEqual([label, true]);
      expect(marks.described).toContain(words);
    }
    const alert = await visitor.page.$$eval('[role=alert]', (all) =>
      all.map(({ textContent }) => textContent),
    );
    expect(alert.join(' ')).toContain('Expiry date');
    expect(await visitor.axeFaults()).toEqual([]);
    expect(await scene.client.paymentsOf(session.reference)).toEqual([]);
    // What is put right is no longer marked.
    await visitor.fill('Expiry date', '1230');
    expect((await visitor.marks('Expiry date')).invalid).toBe(false);
  });

  test('37. The title says where the payer is: a mistake, a failure, and that it is paid.', async () => {
    const visitor = await visitors.checkout(await newSession());
    await visitor.titled('Checkout – Shop');
    await visitor.pay();
    await visitor.titled('Error: Checkout – Shop');
    await visitor.payCard('4000000000000309');
    await visitor.titled('Payment failed – Shop');
    await visitor.payCard('4111111111111111');
    await visitor.titled('Paid – Shop');
  });

  test('38. The page’s language and title follow the payer’s, in all seven languages.', async () => {
    for (const [language, tag, direction] of [
      ['ar', 'ar-EG', 'rtl'],
      ['en', 'en-KE', 'ltr'],
      ['es', 'es-GQ', 'ltr'],
      ['fr', 'fr-CI', 'ltr'],
      ['ha', 'ha-NG', 'ltr'],
      ['pt', 'pt-MZ', 'ltr'],
      ['sw', 'sw-KE', 'ltr'],
    ] as const) {
      const texts = textsOf(language);
      const visitor = await visitors.checkout(await newSession(), { languages: [tag], width: 360 });
      await visitor.titled(`${texts['checkout'] ?? ''} – Shop`);
      await visitor.sees(texts['chooseMethod'] ?? '');
      const root = await visitor.page.$eval('html', ({ lang, dir }) => [lang, dir]);
      expect(root).toEqual([tag, direction]);
      expect([language, await visitor.overflow()]).toEqual([language, 0]);
      expect([language, await visitor.axeFaults()]).toEqual([language, []]);
      expect(visitor.faults).toEqual([]);
      await visitor.page.close();
    }
  });

  test('39. Arabic stands from right to left, and digits in it from left to right.', async () => {
    const visitor = await visitors.checkout(await newSession(), { languages: ['ar'] });
    const number = await visitor.field(textsOf('ar')['card.number'] ?? '');
    await number.type('4111111111111111');
    const shown = await number.evaluate((input) => [input.value, getComputedStyle(input).direction]);
    expect(shown).toEqual(['4111 1111 1111 1111', 'ltr']);
    const [first = 0, second = 0] = await visitor.page.$$eval('tillfront-checkout .method', (tiles) =>
      tiles.map((tile) => tile.getBoundingClientRect().left),
    );
    expect(first).toBeGreaterThan(second);
  });

  test('40. A payer may choose another language: nothing typed is lost, and the tab remembers it.', async () => {
    const visitor = await visitors.checkout(await newSession({ billing: undefined }));
    await visitor.fillCard('4111111111111111');
    await visitor.fill('Street', '1 Marina');
    const offered = await visitor.page.$$eval('select option', (all) =>
      all.map(({ textContent }) => textContent),
    );
    expect(offered).toEqual(
      expect.arrayContaining([
        'English',
        'العربية',
        'Español',
        'Français',
        'Hausa',
        'Português',
        'Kiswahili',
      ]),
    );
    await visitor.choose('Language', 'sw');
    const texts = textsOf('sw');
    await visitor.sees(texts['chooseMethod'] ?? '');
    expect(await visitor.value(texts['card.number'] ?? '')).toBe('4111 1111 1111 1111');
    expect(await visitor.value(texts['card.securityCode'] ?? '')).toBe('111');
    expect(await visitor.value(texts['billing.street'] ?? '')).toBe('1 Marina');
    await visitor.page.reload();
    await visitor.sees(texts['chooseMethod'] ?? '');
  });

  test('41. Where the page does not speak the browser’s language, it speaks the session’s.', async () => {
    const languages = ['de-DE'];
    const french = await visitors.checkout(await newSession({ locale: 'fr-CI' }), { languages });
    await french.sees(textsOf('fr')['chooseMethod'] ?? '');
    expect(await french.page.$eval('html', ({ lang }) => lang)).toBe('fr-CI');
    const own = await visitors.checkout(await newSession({ locale: 'fr-CI' }), { languages: ['pt-BR'] });
    await own.sees(textsOf('pt')['chooseMethod'] ?? '');
    const neither = await visitors.checkout(await newSession(), { languages });
    await neither.sees('How do you want to pay?');
  });

  test('42. The first words need no script.', async () => {
    const { checkoutUrl } = await newSession();
    const visitor = await visitors.open('about:blank');
    const { page } = visitor;
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      void (new URL(request.url()).pathname.endsWith('.js') ? request.abort() : request.continue());
    });
    await page.goto(checkoutUrl);
    await visitor.sees('Loading your payment…');
  });

  test('43. Text twice as large still fits a phone, with nothing to scroll sideways.', async () => {
    const visitor = await visitors.checkout(await newSession(asking), { width: 360, textSize: '200%' });
    const size = await visitor.page.$eval('h2', (heading) => parseFloat(getComputedStyle(heading).fontSize));
    expect(size).toBeGreaterThanOrEqual(32);
    expect(await visitor.overflow()).toBe(0);
    await visitor.payCard('4000000000000309');
    expect(await visitor.overflow()).toBe(0);
    expect(await visitor.brokenSums()).toEqual([]);
  });

  test('44. With colours forced by the system the chosen method and the mistakes can be told.', async () => {
    const forced = await startVisitors(engine, { forcedColors: true });
    try {
      const visitor = await forced.checkout(await newSession());
      expect(await visitor.page.evaluate(() => matchMedia('(forced-colors: active)').matches)).toBe(true);
      const outlines = await visitor.page.$$eval('tillfront-checkout .method label', (tiles) =>
        tiles.map((tile) => getComputedStyle(tile).outlineStyle),
      );
      expect(outlines[0]).toBe('solid');
      expect(outlines.slice(1)).not.toContain('solid');
      await visitor.pay();
      await visitor.sees('Card number is missing.');
      const number = await visitor.field('Card number');
      expect(await number.evaluate((input) => getComputedStyle(input).borderTopStyle)).toBe('dashed');
      expect(await visitor.axeFaults()).toEqual([]);
    } finally {
      await forced.close();
    }
  });

  test('45. With the keyboard alone a payer gets from the first field to the result.', async () => {
    const visitor = await visitors.checkout(await newSession());
    const { keyboard } = visitor.page;
    await keyboard.press('Tab');
    expect(await visitor.focused()).toBe('Card');
    for (const [label, text] of [
      ['Card number', '4000000000000309'],
      ['Expiry date', '1230'],
      ['Security code', '111'],
      ['Name on card', 'Ada Obi'],
    ] as const) {
      await keyboard.press('Tab');
      expect(await visitor.focused()).toBe(label);
      await keyboard.type(text);
    }
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await visitor.outcome('Payment failed');
    expect(await visitor.focused()).toBe('Payment failed');
    expect(await visitor.axeFaults()).toEqual([]);
    await keyboard.press('Tab');
    expect(await visitor.focused()).toBe('Try another way');
    await keyboard.press('Enter');
    await until(async () => (await visitor.focused()) === 'Wallet');
    await keyboard.press('ArrowRight');
    expect(await visitor.focused()).toBe('Bank transfer');
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await visitor.sees('Transfer ₦1,500.00');
    await keyboard.press('Tab');
    expect(await visitor.focused()).toContain('Copy account number');
  });

  test('46. When the session’s time is over, the page says so, what was charged, and where to go on.', async () => {
    await until(async () => (await ending.text()).includes('Its time has run out.'), 120_000);
    await ending.outcome('This checkout is closed');
    await ending.sees('You have not been charged.');
    await ending.sees('To pay, go back to the shop and start again.');
    expect(await ending.offers('Back to Shop', 'link')).toBe(true);
    expect(await ending.axeFaults()).toEqual([]);
    expect(ending.faults).toEqual([]);
  });
});
