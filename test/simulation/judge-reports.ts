import type { PaymentDto } from '../../src/payments/views/payment.dto.ts';
import type { Charge } from './book.ts';
import { misfit } from './judge.ts';
import { lineOf } from './report-writer.ts';
import type { World } from './world.ts';

/** What holds of reports, differences and the ledger once everything has come to rest. */

type Row = Record<string, unknown>;
const numberOf = (value: unknown): bigint => BigInt(String(value));

/** Nothing but the gateway's own moves happened to it, and the service knows all of them. */
function isPlain(world: World, charge: Charge, payment: PaymentDto): boolean {
  if (payment.needsAttention || misfit(world, payment) !== undefined || world.isExcused(charge)) return false;
  return !charge.blurred && !charge.amountByPerson && !charge.settledByPerson;
}

/** Each fault of a report is a difference, or was explained by a person; and nothing else is. */
export function bookFaults(world: World): string[] {
  const { writer } = world;
  const found = Map.groupBy(
    world.store.rows("select * from differences where state = 'open' or closed_by is not null"),
    ({ reference }) => String(reference),
  );
  const hasMoved = new Set(
    world.store.rows('select distinct payment_id as id from movements').map(({ id }) => String(id)),
  );
  const faults: string[] = [];
  for (const ref of new Set([...writer.lines.keys(), ...found.keys()])) {
    const charge = world.book.find(ref);
    const reference = ref.slice(0, ref.lastIndexOf('_'));
    if (world.lost.has(reference)) continue;
    const payment = world.store.payments(reference).find(({ gatewayReference }) => gatewayReference === ref);
    if (payment && !(charge && isPlain(world, charge, payment))) continue;
    const truth = new Set(payment && charge ? charge.rows.map(lineOf) : []);
    const lines = writer.lines.get(ref) ?? new Map<string, number>();
    const extra = [...lines].flatMap(([line, count]) =>
      Array.from({ length: count - (truth.has(line) ? 1 : 0) }, () => line),
    );
    const wrong = extra.length;
    const lacking = [...truth].filter((line) => !lines.has(line));
    const missing = lacking.length;
    // What never counted as paid here is told as it comes.
    if (payment && wrong + missing > 0 && !hasMoved.has(payment.id)) continue;
    const own = found.get(ref) ?? [];
    const rows = own.filter(({ line }) => line !== null);
    const open = rows.filter(({ state }) => state === 'open').length;
    const absent = own.filter(({ line, state }) => line === null && state === 'open').length;
    const says = `of ${ref} reports have ${wrong} rows too many or wrong`;
    if (open > wrong) faults.push(`${says}, and ${open} differences are open: ${kindsOf(rows)}`);
    if (rows.length < wrong - 2 * canceled(extra) - standingIn(extra, lacking))
      faults.push(`${says}, and ${rows.length} differences tell of them: ${kindsOf(rows)}`);
    if (absent > missing)
      faults.push(`of ${ref} reports lack ${missing} rows, and ${absent} differences are open`);
  }
  return [...faults, ...matchFaults(world), ...adoptionFaults(world)];
}

/** How many sales in these lines another one reverses: nothing of them is here, and nothing is missing. */
function canceled(lines: readonly string[]): number {
  const amounts = (type: string): string[] =>
    lines.map((line) => line.split(',')).flatMap(([, , of, amount = '']) => (of === type ? amount : []));
  const reversals = amounts('PAYMENT_REVERSAL');
  return amounts('PAYMENT').filter((amount) => {
    const at = reversals.indexOf(amount);
    if (at >= 0) reversals.splice(at, 1);
    return at >= 0;
  }).length;
}

/** How many of these lines settle what an equal line would have settled that no report has: only their times are others. */
function standingIn(lines: readonly string[], lacking: readonly string[]): number {
  const untimed = (line: string): string => line.slice(0, line.lastIndexOf(','));
  const left = lacking.map(untimed);
  return lines.map(untimed).filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  }).length;
}

const kindsOf = (rows: readonly Row[]): string => rows.map(({ kind }) => String(kind)).join(', ');

/** No row settles more than it says, and no movement is settled twice. */
function matchFaults(world: World): string[] {
  const matches = world.store.rows(
    `select movement_id, m.settlement_id || ' ' || m.line as place, m.gross, movements.amount, movements.gateway_reference as ref
      from settlement_matches m join movements on movements.id = m.movement_id where m.gross <> '0'`,
  );
  return [...Map.groupBy(matches, ({ movement_id: id }) => String(id))].flatMap(([id, own]) => {
    const [{ amount, ref } = {}] = own;
    const sum = own.reduce((all, { gross }) => all + numberOf(gross), 0n);
    return sum === numberOf(amount)
      ? []
      : `${id} of ${String(ref)} is ${String(amount)}, and ${own.length} rows settle ${sum} of it`;
  });
}

/** What a person wanted taken over, or another one has approved, is not left so. */
function adoptionFaults(world: World): string[] {
  const undone = world.store.rows(
    `select reference from differences where state = 'open' and step is null and id in
      (select object_id from approvals where kind = 'adopt' and state = 'approved')`,
  );
  const left = undone.map(({ reference }) => `${String(reference)} was approved, and is not taken over`);
  const wanted = world.store
    .rows("select reference from differences where step = 'to_adopt'")
    .map(({ reference }) => `${String(reference)} is to be taken over, and nobody does`);
  return [...wanted, ...(world.lost.size > 0 ? [] : left)];
}

/** A written-off difference above the bound, or a payment taken over, was approved by another one than its asker. */
export function lookAtBooks(world: World): void {
  const { bound } = world.plan;
  for (const what of bookFaults(world)) world.blame(what);
  lookAtLedger(world);
  if (bound === undefined) return;
  const approved = (kind: string, id: unknown): boolean =>
    world.store
      .rows(
        "select id from approvals where object_id = ? and kind = ? and state = 'approved'",
        String(id),
        kind,
      )
      .some((row) => world.decisions.approved.has(String(row['id'])));
  for (const {
    id,
    reference,
    expected_amount: expected,
    found_amount: amount,
    step,
    reason,
    state,
  } of world.store.rows('select * from differences')) {
    const apart = numberOf(amount ?? 0) - numberOf(expected ?? 0);
    const size = apart < 0n ? -apart : apart;
    if (world.lost.size > 0) continue;
    if (state === 'closed' && reason === 'written_off' && size > bound && !approved('write_off', id))
      world.blame(`${size} of ${String(reference)} were written off, and nobody has approved it`);
    if (String(step).startsWith('adopted') && numberOf(amount ?? 0) > bound && !approved('adopt', id))
      world.blame(`${String(reference)} was taken over, and nobody has approved it`);
  }
}

/** The ledger comes to what the gateway's book holds. */
export function lookAtLedger(world: World): void {
  const movements = Map.groupBy(world.store.rows('select * from movements'), ({ payment_id: id }) =>
    String(id),
  );
  for (const payment of world.store.payments()) {
    const charge = world.book.find(payment.gatewayReference);
    if (!charge || world.lost.has(payment.reference) || !isPlain(world, charge, payment)) continue;
    const sum = (movements.get(payment.id) ?? []).reduce(
      (all, { direction, amount }) => (direction === 'in' ? all + numberOf(amount) : all - numberOf(amount)),
      0n,
    );
    if (sum !== charge.net)
      world.blame(`the ledger has ${sum} of ${charge.ref}, and the gateway's book ${charge.net}`);
  }
}
