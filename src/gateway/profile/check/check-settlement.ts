import { SETTLEMENT_ROW_TYPES, type SettlementProfile } from '../format.js';
import type { Report } from './report.js';

/** Reports faults in how settlement reports are read. */
export function checkSettlement(settlement: SettlementProfile, report: Report): void {
  const { columns, statuses, types, amountUnit, decimal, delimiter } = settlement;
  const named = new Map<string, string>();
  for (const [key, name] of Object.entries(columns)) {
    const other = named.get(name.trim());
    if (other !== undefined) report(`/settlement/columns/${key}`, `is the column of ${other} too`);
    named.set(name.trim(), key);
  }
  if (columns.status !== undefined && !statuses)
    report('/settlement/statuses', 'is missing: the column status says nothing without its words');
  if (columns.status === undefined && statuses)
    report('/settlement/statuses', 'needs the column status, which /settlement/columns does not name');
  if (amountUnit === 'major' && decimal === delimiter)
    report('/settlement/decimal', 'must not be the delimiter');
  const meanings = new Map<string, string>();
  for (const type of SETTLEMENT_ROW_TYPES) {
    for (const [index, word] of (types[type] ?? []).entries()) {
      const other = meanings.get(word.toUpperCase());
      if (other !== undefined && other !== type)
        report(`/settlement/types/${type}/${index}`, `is a word of ${other} too`);
      meanings.set(word.toUpperCase(), type);
    }
  }
}
