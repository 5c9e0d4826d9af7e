import { minorDigits, parseMajor } from '../../../money/money.js';
import { DatePattern, isTimeZone } from '../date-pattern.js';
import { type ExpectedFee, SETTLEMENT_ROW_TYPES, type SettlementProfile } from '../format.js';
import type { Report } from '../pointer.js';

/** Reports faults in how settlement reports are read. */
export function checkSettlement(shapes: readonly SettlementProfile[], report: Report): void {
  const isList = shapes.length > 1;
  for (const [index, shape] of shapes.entries()) {
    const place = isList ? `/settlement/${index}` : '/settlement';
    const at: Report = (below, message) => report(`${place}${below}`, message);
    const same = shapes.slice(0, index).findIndex((other) => headerOf(other) === headerOf(shape));
    if (same >= 0) at('/columns', `are those of /settlement/${same}: one header would fit both`);
    checkColumns(shape, at);
    checkForms(shape, at);
    checkTypes(shape, at);
    for (const [number, fee] of (shape.fees ?? []).entries())
      checkFee(fee, (below, message) => at(`/fees/${number}${below}`, message));
  }
}

/** What tells the headers of two shapes apart: which columns there are, in any order. */
function headerOf({ columns }: SettlementProfile): string {
  const names = Object.values<string | undefined>(columns).map((name) => name?.trim() ?? '');
  return JSON.stringify(names.sort());
}

function checkColumns({ columns, statuses }: SettlementProfile, report: Report): void {
  const named = new Map<string, string>();
  for (const [key, name] of Object.entries(columns)) {
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
  if (columns.status !== undefined && !statuses)
    report('/statuses', 'is missing: the column status says nothing without its words');
  if (columns.status === undefined && statuses)
    report('/statuses', 'needs the column status, which columns does not name');
}

function checkForms(shape: SettlementProfile, report: Report): void {
  const { amountUnit, decimal, delimiter, thousands, dateFormat = 'iso', zone } = shape;
  if (amountUnit === 'major' && decimal === delimiter) report('/decimal', 'must not be the delimiter');
  if (amountUnit === 'major' && decimal === thousands)
    report('/thousands', 'must not be the decimal character');
  const pattern = dateFormat === 'iso' ? undefined : DatePattern.of(dateFormat);
  if (typeof pattern === 'string') report('/dateFormat', pattern);
  if (zone !== undefined && !isTimeZone(zone)) report('/zone', 'is no time zone (IANA) such as Africa/Lagos');
}

function checkTypes({ types }: SettlementProfile, report: Report): void {
  const meanings = new Map<string, string>();
  for (const type of SETTLEMENT_ROW_TYPES) {
    for (const [index, word] of (types[type] ?? []).entries()) {
      const other = meanings.get(word.toUpperCase());
      if (other !== undefined && other !== type)
        report(`/types/${type}/${index}`, `is a word of ${other} too`);
      meanings.set(word.toUpperCase(), type);
    }
  }
}

function checkFee(fee: ExpectedFee, report: Report): void {
  if (minorDigits(fee.currency) === undefined) {
    report('/currency', 'is no currency (ISO 4217)');
    return;
  }
  for (const key of ['fixed', 'cap', 'tolerance'] as const) {
    const amount = fee[key];
    if (amount !== undefined && parseMajor(amount, fee.currency) === undefined)
      report(`/${key}`, 'is no amount of its currency');
  }
}
