import { pause } from '../chaos/calls.ts';
import { auditEvents, auditSessions } from './announcements.ts';
import {
  auditDuplicates,
  auditNow,
  auditRefunds,
  auditTimeline,
  lostRefunds,
  misfit,
  unvoided,
} from './invariants.ts';
import { uploadReport } from './reports.ts';
import type { Scene } from './scene.ts';

/** How long everything may take to come to rest, in real time: leases of dead processes end first. */
const PATIENCE_MS = 20_000;
/** The same of a sequence that is made smaller: it has failed already. */
const SHRINKING_PATIENCE_MS = 5_000;

/**
 * The gateway answers honestly again, the shop asks about everything until it fits the books, and then all is held against
 * them. What does not come to rest is a violation too.
 */
export async function comeToRest(scene: Scene, shrinking = false): Promise<void> {
  const { till, gateway, shop } = scene;
  const { asksRefunds } = till;
  scene.history.note('COMMAND', 'rest');
  gateway.calm();
  await till.disarm();
  await till.up();
  await scene.done();
  // Calls of the last moment may have been held back.
  gateway.calm();
  for (const transaction of scene.transactions) {
    const before = transaction.books;
    transaction.settle();
    if (transaction.books !== before) transaction.excuses.movedLate = true;
  }
  await bringBack(scene);
  const deadline = performance.now() + (shrinking ? SHRINKING_PATIENCE_MS : PATIENCE_MS);
  for (let round = 1; ; round++) {
    await till.up();
    const payments = await shop.payments();
    await Promise.all(payments.map((shown) => shop.refresh(round, shown)));
    const now = await shop.payments();
    const lost = await lostRefunds(scene, now);
    const open = now.flatMap(
      (shown) =>
        misfit(shown, gateway.ledger.find(shown.gatewayReference), { payments: now, asksRefunds, lost }) ??
        [],
    );
    if (till.voidsDuplicates) open.push(...unvoided(now));
    if (open.length === 0) break;
    if (performance.now() > deadline) {
      for (const what of open) scene.blame(what);
      break;
    }
    await pause(Math.min(20 * round, 250));
  }
  for (const { clientRef, forgotten, holdsMoney } of scene.transactions)
    if (forgotten && holdsMoney)
      scene.blame(`(m) ${clientRef} holds money that a report has named, and is not known`);
  await auditNow(scene);
  const payments = await shop.payments();
  for (const shown of payments) {
    await auditTimeline(scene, shown);
    await auditRefunds(scene, shown);
  }
  auditDuplicates(scene, payments);
  await auditSessions(scene, payments);
  await auditEvents(scene, payments);
  till.scanOutput();
}

/** Whoever has accepted a loss takes over what the gateway's report names and the store does not. */
async function bringBack(scene: Scene): Promise<void> {
  if (!scene.transactions.some(({ forgotten, holdsMoney }) => forgotten && holdsMoney)) return;
  await uploadReport(scene, { at: 0, row: 'true', adopt: true });
}
