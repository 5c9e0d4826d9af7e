import type { Random } from '../chaos/random.ts';
import type { Call } from './gateway.ts';
import type { Container } from './engine.ts';
import type { World } from './world.ts';

/** The people who approve what others ask for, and what holds whatever they do. */

/** Whose keys they are. Each may ask too. */
const PEOPLE = ['anna', 'ben', 'cleo'] as const;
/** So long anybody may decide. */
const WAITS_FOR_MS = 7 * 86_400_000;

/** Who decides: another one than the asker, or the asker, who must not approve. */
export type DecisionKind = 'approve' | 'approve-own' | 'decline';

/** Approvals about an order, or about a difference, that wait. */
export function waitingApprovals(world: World, about: string): { id: string; asker: string }[] {
  return world.store
    .rows(
      "select id, actor from approvals where (reference = ? or object_id = ?) and state = 'waiting' order by id",
      about,
      about,
    )
    .map(({ id, actor }) => ({ id: String(id), asker: String(actor).replace('merchant:', '') }));
}

/** Somebody decides about an approval. Says whether an answer came that it is decided so. */
export async function decide(
  world: World,
  kind: DecisionKind,
  { id, asker }: { id: string; asker: string },
  key: string,
  random: Random,
): Promise<boolean> {
  const { decisions } = world;
  const others = PEOPLE.filter((name) => name !== asker);
  const by = kind === 'approve-own' ? asker : random.pick(others);
  if (kind === 'approve') decisions.approved.add(id);
  const act = kind === 'decline' ? 'decline' : 'approve';
  const keyed = (content: object) => ({
    ...{ scope: 'merchant', key: `${act}-${key}-${by}`, path: `/v1/approvals/${id}/${act}` },
    ...{ content: { ...content }, actor: `merchant:${by}`, intended: () => undefined },
  });
  const caller = { kind: 'merchant' as const, access: 'full' as const, name: by };
  const reply = await world.call(random, ({ container }: { container: Container }) => {
    const controller = container.get(world.engine.approvals.ApprovalsController);
    return act === 'decline' ? controller.decline(id, {}, keyed) : controller.approve(id, {}, keyed, caller);
  });
  if (reply.kind !== 'answered') return false;
  const { state, createdAt } = reply.value.body.approval;
  if (state !== `${act}d` && !world.lost.size) world.blame(`${id} is ${state} after its ${act} was answered`);
  if (kind === 'approve-own') world.blame(`${id} was approved by ${asker}, who has asked for it`);
  if (act === 'decline') decisions.declined.add(id);
  const age = world.store.now() - Date.parse(createdAt);
  if (act === 'approve' && age > WAITS_FOR_MS && world.store.clockOffset === 0)
    world.blame(`${id} was approved after ${Math.round(age / 86_400_000)} days`);
  return true;
}

/** Nothing above the bound goes back before another one than its asker has approved just that, and it goes out once. */
export function lookAtApproval(world: World, operation: string, { ref, amount }: Call): void {
  const { bound } = world.plan;
  if (bound === undefined) return;
  const [row] = world.store.rows('select refunded_before as before from operations where id = ?', operation);
  const given = BigInt((row?.['before'] ?? '0') as string);
  if (given + amount <= bound) return;
  const says = `${amount} of ${ref} are given back after ${given}`;
  const [approval] = world.store.rows(
    'select id, state, actor, decided_by, amount from approvals where operation_id = ?',
    operation,
  );
  if (!approval) {
    world.blame(`${says}, and nobody has approved it`);
    return;
  }
  const id = String(approval['id']);
  const { approved, declined, used } = world.decisions;
  if (approval['state'] !== 'approved' || !approved.has(id) || approval['decided_by'] === approval['actor'])
    world.blame(`${says}, and ${id} is ${String(approval['state'])} by ${String(approval['decided_by'])}`);
  if (BigInt(String(approval['amount'])) !== amount)
    world.blame(`${says}, and ${String(approval['amount'])} were approved by ${id}`);
  if (declined.has(id)) world.blame(`${says}, and ${id} was declined`);
  if ((used.get(id) ?? operation) !== operation) world.blame(`${says}, for which ${id} was used before`);
  used.set(id, operation);
}

/** What is approved was done, and all were told what waits. */
export function lookAtApprovals(world: World): void {
  const rows = world.store.rows('select * from approvals');
  const told = [...world.ears.taken.values()].filter(({ type }) => type.endsWith('.approval_needed'));
  for (const { id, kind, state, reference, payment_id: payment, object_id: object, ...more } of rows) {
    const { operation_id: operation, done_at } = more;
    if (world.lost.has(String(reference))) continue;
    const name = `the approval ${String(id)} of a ${String(kind)}`;
    if (state === 'approved' && done_at === null) world.blame(`${name} was approved, and nothing was done`);
    if (state === 'approved' && kind === 'refund' && operation === null)
      world.blame(`${name} was approved, and no refund was made`);
    const about = object ?? payment;
    const heard = told.filter(({ data }) => data.id === about);
    const asked = rows.filter((one) => (one['object_id'] ?? one['payment_id']) === about).length;
    if (kind !== 'refund_reversal' && heard.length < asked && world.lost.size === 0)
      world.blame(`${name} was asked for, and ${heard.length} events tell of ${asked}`);
  }
}
