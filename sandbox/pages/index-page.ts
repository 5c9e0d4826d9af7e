import { escape, type Page, page } from './page.ts';
import { TEST_AMOUNTS } from '../bank/test-amounts.ts';
import { TEST_CARDS } from '../bank/test-cards.ts';

/** The start page for people: the cards, the amounts, the banking app. */
export function indexPage(): Page {
  const rows = (cells: [string, string][]): string =>
    cells
      .map(([name, meaning]) => `<tr><td><code>${escape(name)}</code></td><td>${escape(meaning)}</td></tr>`)
      .join('');
  return page(
    'Sandbox gateway',
    `<p><a href="/bank">Your banking app</a> pays bank transfers and USSD codes.</p>
<section><h2>Test cards</h2><p>Any later expiry date, any security code, PIN 1111, one-time code 123456.</p>
<table>${rows(TEST_CARDS.map(({ number, title }) => [number, title]))}</table></section>
<section><h2>Test amounts of wallet, transfer and USSD</h2>
<table>${rows(TEST_AMOUNTS.map(({ minor, title }) => [`….${minor}`, title]))}</table></section>`,
  );
}
