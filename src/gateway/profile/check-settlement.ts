import { listOf, type Profile, type SettlementProfile } from './schema.js';

type Report = (place: string, why: string) => void;

/** What is wrong with how settlement reports are read, so that a row could be booked wrongly. */
export function checkSettlement(settlement: Profile['settlement'], report: Report): void {
  const shapes = listOf<SettlementProfile>(settlement);
  const headers = shapes.map(({ columns }) => JSON.stringify(Object.values(columns).sort()));
  for (const [index, { columns, settled, types = {}, ...forms }] of shapes.entries()) {
    const place = Array.isArray(settlement) ? `/settlement/${index}` : '/settlement';
    const { amount, debit, credit, net, netDebit, netCredit, timeZone, settledAt, status, type } = columns;
    const { amountUnit, decimal = '.', delimiter = ',', thousands } = forms;
    const same = headers.indexOf(headers[index] ?? '');
    const has = (...names: unknown[]): boolean => names.some((name) => name !== undefined);
    const isMajor = amountUnit !== 'minor';
    const wrongs: [isWrong: boolean, below: string, why: string][] = [
      [same < index, '/columns', `are those of /settlement/${same}: one header would fit both`],
      [!has(amount) && !(has(debit) && has(credit)), '/columns/amount', 'is missing: or debit and credit'],
      [has(amount) && has(debit, credit), '/columns/amount', 'stands in place of debit and credit'],
      [has(net) && has(netDebit, netCredit), '/columns/net', 'stands in place of netDebit and netCredit'],
      [has(netDebit) !== has(netCredit), '/columns/netDebit', 'and netCredit belong together'],
      [has(timeZone) && !has(settledAt), '/columns/timeZone', 'needs the column settledAt'],
      [has(status) !== has(settled), '/settled', 'and the column status belong together'],
      [Object.keys(types).length > 0 && !has(type), '/types', 'needs the column type'],
      [isMajor && decimal === delimiter, '/decimal', 'must not be the delimiter'],
      [isMajor && decimal === thousands, '/thousands', 'must not be the decimal character'],
    ];
    for (const [isWrong, below, why] of wrongs) if (isWrong) report(place + below, why);
    for (const [key, other] of twice(Object.entries(columns).map(([name, column]) => [name, [column]])))
      report(`${place}/columns/${key}`, `is the column of ${other} too`);
    for (const [name, other, word] of twice(Object.entries(types)))
      report(`${place}/types/${name}`, `has "${word}", a word of ${other} too`);
  }
}

/** Words that stand under two names. */
function twice(
  lists: [name: string, words: readonly (string | undefined)[] | undefined][],
): [name: string, other: string, word: string][] {
  const all = lists.flatMap(([name, words = []]) =>
    words.map((word = '') => ({ name, word: word.trim().toUpperCase() })),
  );
  return all.flatMap(({ name, word }, index) => {
    const other = all.slice(0, index).find((one) => one.word === word && one.name !== name);
    return other ? [[name, other.name, word]] : [];
  });
}
