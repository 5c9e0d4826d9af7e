import { h } from '../element/dom.js';
import { downloadButton } from './download-button.js';
import type { MerchantApi } from './merchant-api.js';
import { dayIn, monthWords } from './words.js';

/** How many months are offered, the running one included. */
const MONTHS = 12;

const TABLES = {
  payments: { name: 'Payments', load: (api: MerchantApi, days: Days) => api.paymentsTable(days) },
  movements: { name: 'Movements', load: (api: MerchantApi, days: Days) => api.movementsTable(days) },
} as const;

/** The first and the last day of a month. */
type Days = Readonly<{ from: string; to: string }>;

/** Each of the last months as a table for a spreadsheet, with one press. Months are those of the books. */
export function monthDownloads(
  api: MerchantApi,
  tables: readonly (keyof typeof TABLES)[],
  hint: string,
): HTMLElement {
  const error = h('div', { class: 'error', role: 'alert' });
  const months = lastMonths(dayIn(api.caller.timeZone, new Date().toISOString()), MONTHS);
  return h(
    'details',
    { class: 'downloads' },
    h('summary', {}, 'Downloads by month (CSV)'),
    h('p', { class: 'muted' }, hint),
    error,
    h(
      'ul',
      { class: 'months' },
      ...months.map((month) =>
        h(
          'li',
          {},
          h('span', {}, monthWords(month)),
          ...tables.map((table) => {
            const { name, load } = TABLES[table];
            const button = downloadButton(name, `${table}-${month}.csv`, {
              load: () => load(api, daysOf(month)),
              error,
            });
            button.setAttribute('aria-label', `${name} of ${monthWords(month)} (CSV)`);
            return button;
          }),
        ),
      ),
    ),
  );
}

/** The month of a day and those before it, the newest first: `2031-01`. Pure. */
export function lastMonths(day: string, count: number): string[] {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 7),
  );
}

/** Pure. */
export function daysOf(month: string): Days {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const last = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return { from: `${month}-01`, to: `${month}-${last}` };
}
