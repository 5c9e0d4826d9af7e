import { report, reportRow } from '../settlement/settlement-scene.ts';
import { takeOver } from './losses.ts';
import { major, type Transaction } from './money-ledger.ts';
import type { Scene } from './scene.ts';
import type { ReportTruth } from './steps.ts';

/** The gateway's reports of one order, and what they get wrong. */

export async function uploadReport(
  scene: Scene,
  { at, row, adopt }: { at: number; row: ReportTruth; adopt: boolean },
): Promise<void> {
  const { shop, transactions } = scene;
  const taken = transactions.filter(({ everCaptured }) => everCaptured);
  const rows = taken.flatMap((one, index) => rowsOf(one, index === 0 ? row : 'true'));
  if (row === 'never-paid') rows.push(reportRow(`${shop.reference}_${transactions.length + 1}`));
  if (rows.length === 0) return;
  scene.did(`report ${row}`);
  const id = await shop.upload(at, report(...rows));
  // What it names that the store does not have is asked about before the order is charged again.
  if (id !== undefined) for (const one of taken) one.named ||= one.forgotten;
  if (id === undefined || !adopt) return;
  scene.did('adopt');
  await shop.adopt(at, id);
  await takeOver(scene);
}

function rowsOf(transaction: Transaction, truth: ReportTruth): string[] {
  const { clientRef, books } = transaction;
  const transactionRef = `TRX-${clientRef}`;
  const row = (type: string, amount: bigint, over: Partial<Record<string, string>> = {}): string =>
    reportRow(clientRef, { transactionRef, type, amount: major(amount), ...over });
  const given = [...transaction.refunds.values()].filter(({ state }) => state === 'done');
  // What its staff gave back stands in no refund of ours.
  const rest = books.refunded - given.reduce((sum, { amount }) => sum + amount, 0n);
  return [
    row('PAYMENT', books.captured, {
      ...(truth === 'other-amount' && { amount: '9.00' }),
      ...(truth === 'other-currency' && { currency: 'USD' }),
    }),
    ...given.map(({ amount }) => row('REFUND', amount)),
    ...(rest > 0n ? [row('REFUND', rest)] : []),
    ...(truth === 'refund-too-many' ? [row('REFUND', 12_300n)] : []),
  ];
}
