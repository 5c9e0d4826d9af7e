import { listOf, ROW_TYPES, type Profile, type SettlementProfile } from './schema.js';

type Report = (place: string, why: string) => void;

/** What is wrong with how settlement reports are read. */
export function checkSettlement(settlement: Profile['settlement'], report: Report): void {
  const shapes: readonly SettlementProfile[] = listOf<SettlementProfile>(settlement);
  for (const [index, shape] of shapes.entries()) {
    const place = Array.isArray(settlement) ? `/settlement/${index}` : '/settlement';
    const at: Report = (below, why) => report(`${place}${below}`, why);
    const same = shapes.slice(0, index).findIndex((other) => headerOf(other) === headerOf(shape));
    if (same >= 0) at('/columns', `are those of /settlement/${same}: one header would fit both`);
    checkColumns(shape, at);
    checkTypes(shape, at);
    const isMajor = shape.amountUnit !== 'minor';
    const decimal = shape.decimal ?? '.';
    if (isMajor && decimal === (shape.delimiter ?? ',')) at('/decimal', 'must not be the delimiter');
    if (isMajor && decimal === shape.thousands) at('/thousands', 'must not be the decimal character');
  }
}

/** What tells shapes apart: which columns there are, in any order. */
function headerOf({ columns }: SettlementProfile): string {
  return JSON.stringify(
    Object.values(columns)
      .map((name) => name?.trim())
      .sort(),
  );
}

function checkColumns({ columns, settled, types }: SettlementProfile, report: Report): void {
  const named = new Map<string, string>();
  for (const [key, name = ''] of Object.entries(columns)) {
    const other = named.get(name.trim());
    if (other !== undefined) report(`/columns/${key}`, `is the column of ${other} too`);
    named.set(name.trim(), key);
  }
  const { amount, debit, credit, net, netDebit, netCredit } = columns;
  if (amount === undefined && (debit === undefined || credit === undefined))
    report('/columns/amount', 'is missing: name it, or debit and credit');
  if (amount !== undefined && (debit !== undefined || credit !== undefined))
    report('/columns/amount', 'stands in place of debit and credit: name it or them');
  if (net !== undefined && (netDebit !== undefined || netCredit !== undefined))
    report('/columns/net', 'stands in place of netDebit and netCredit: name it or them');
  if ((netDebit === undefined) !== (netCredit === undefined))
    report('/columns/netDebit', 'and netCredit belong together');
  if (columns.timeZone !== undefined && columns.settledAt === undefined)
    report('/columns/timeZone', 'needs the column settledAt');
  if ((columns.status === undefined) !== (settled === undefined))
    report('/settled', 'and the column status belong together: one says nothing without the other');
  if (types && columns.type === undefined) report('/types', 'needs the column type');
}

function checkTypes({ types = {} }: SettlementProfile, report: Report): void {
  const meanings = new Map<string, string>();
  for (const type of ROW_TYPES) {
    for (const word of types[type] ?? []) {
      const other = meanings.get(word.toUpperCase());
      if (other !== undefined && other !== type)
        report(`/types/${type}`, `has "${word}", which is a word of ${other} too`);
      meanings.set(word.toUpperCase(), type);
    }
  }
}
