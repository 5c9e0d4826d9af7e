import { listOf, type Profile, type SettlementProfile } from './schema.js';

type Report = (place: string, why: string) => void;

/** What is wrong with how settlement reports are read, so that a row could be booked wrongly. */
export function checkSettlement(settlement: Profile['settlement'], report: Report): void {
  const shapes = listOf<SettlementProfile>(settlement);
  const headers = shapes.map(({ columns }) => JSON.stringify(Object.values(columns).sort()));
  for (const [index, { columns, settled, types = {}, ...forms }] of shapes.entries()) {
    const place = Array.isArray(settlement) ? `/settlement/${index}` : '/settlement';
    const when = (isWrong: boolean, below: string, why: string): void =>
      isWrong ? report(place + below, why) : undefined;
    const { amount, debit, credit, net, netDebit, netCredit } = columns;
    const { amountUnit, decimal = '.', delimiter = ',', thousands } = forms;
    const isMajor = amountUnit !== 'minor';
    const same = headers.indexOf(headers[index] ?? '');
    when(same < index, '/columns', `are those of /settlement/${same}: one header would fit both`);
    for (const [key, other] of twice(Object.entries(columns).map(([name, column]) => [name, [column]])))
      report(`${place}/columns/${key}`, `is the column of ${other} too`);
    for (const [type, other, word] of twice(Object.entries(types)))
      report(`${place}/types/${type}`, `has "${word}", a word of ${other} too`);
    const isPair = debit !== undefined && credit !== undefined;
    when(amount === undefined && !isPair, '/columns/amount', 'is missing: name it, or debit and credit');
    when(
      amount !== undefined && (debit ?? credit) !== undefined,
      '/columns/amount',
      'stands in place of debit and credit',
    );
    when(
      net !== undefined && (netDebit ?? netCredit) !== undefined,
      '/columns/net',
      'stands in place of netDebit and netCredit',
    );
    when(
      (netDebit === undefined) !== (netCredit === undefined),
      '/columns/netDebit',
      'and netCredit belong together',
    );
    when(
      columns.timeZone !== undefined && columns.settledAt === undefined,
      '/columns/timeZone',
      'needs the column settledAt',
    );
    when(
      (columns.status === undefined) !== (settled === undefined),
      '/settled',
      'and the column status belong together',
    );
    when(Object.keys(types).length > 0 && columns.type === undefined, '/types', 'needs the column type');
    when(isMajor && decimal === delimiter, '/decimal', 'must not be the delimiter');
    when(isMajor && decimal === thousands, '/thousands', 'must not be the decimal character');
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
