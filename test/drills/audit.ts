import type { Json } from '../chaos/calls.ts';
import { askedAbout } from './asked-about.ts';
import { GRACE_SECONDS, pause, type Bench } from './bench.ts';

/** The last question of an outcome unknown is due as soon as the grace is over; a busy machine takes its time. */
const REST_MS = GRACE_SECONDS * 1_000 + 100_000;
/** Of so many payments that do not agree the whole story is told. */
const TOLD = 3;

interface Paid {
  id: string;
  reference: string;
  gatewayReference: string;
  status: string;
  duplicateOf: string | null;
  needsAttention: boolean;
  failure: { code: string } | null;
}

/** What does not agree yet. */
interface Fault {
  fault: string;
  payment?: Paid | undefined;
}

/**
 * Holds the gateway's books against the store and the shop's post, until all agree or time is up. Returns what does not:
 * an order that was charged twice, money at the gateway that the store neither knows nor asks about, a payment that counts as
 * paid and is not, an outcome still open, and a success that the shop was never told of.
 */
export async function audit(bench: Bench): Promise<string[]> {
  const surprises = (await bench.stopLoad()).flatMap((load) => load.surprises);
  for (const end = performance.now() + REST_MS; ; await pause(500)) {
    const { never, still } = await compare(bench);
    if (still.length === 0 || performance.now() > end)
      return [...bench.faults, ...surprises, ...never, ...(await inFull(bench, still))];
  }
}

/** Each fault, the first ones with how their payment was followed. */
async function inFull(bench: Bench, faults: readonly Fault[]): Promise<string[]> {
  return Promise.all(
    faults.map(async ({ fault, payment }, index) =>
      payment && index < TOLD
        ? fault + (await askedAbout(bench, payment.id, payment.gatewayReference))
        : fault,
    ),
  );
}

/** What no time can put right, and what still may be. */
async function compare(bench: Bench): Promise<{ never: string[]; still: Fault[] }> {
  const payments = (await listAll(bench, '/v1/payments')) as unknown as Paid[] | undefined;
  if (!payments) return { never: [], still: [{ fault: 'nobody answers' }] };
  const held = JSON.stringify((await bench.ask('/v1/held-references')) ?? '');
  const { ledger } = bench.sandbox;
  const charged = new Set(
    ledger
      .transactions()
      .flatMap(({ clientRef }) => (ledger.chargedMinor(clientRef) > 0n ? [clientRef] : [])),
  );
  const told = new Set(
    bench.shop.delivered.flatMap(({ type, aggregate, accepted }) =>
      accepted && type === 'payment.succeeded' ? [aggregate] : [],
    ),
  );
  const known = new Map(payments.map((payment) => [payment.gatewayReference, payment]));
  bench.figures.set('payments', String(payments.length));
  const unsent = payments.filter(({ failure }) => failure?.code === 'gateway_never_received').length;
  if (unsent > 0) bench.figures.set('of them intended and never sent', String(unsent));
  const orders = Map.groupBy(charged, (clientRef) => clientRef.replace(/_\d+$/, ''));
  const never = [
    ...[...orders].flatMap(([order, refs]) =>
      refs.length > 1 ? [`${order} was charged under ${refs.join(' and ')}`] : [],
    ),
    ...[...charged].flatMap((clientRef) =>
      ledger.attempts(clientRef).length > 1 ? [`${clientRef} was sent more than once`] : [],
    ),
  ];
  const still = [
    ...[...charged].flatMap((clientRef): Fault[] => {
      const payment = known.get(clientRef);
      if (payment?.status === 'succeeded' || held.includes(clientRef.replace(/_\d+$/, ''))) return [];
      return [{ fault: `${clientRef} is paid, and ${payment?.status ?? 'unknown'} here`, payment }];
    }),
    ...payments.flatMap((payment): Fault[] => {
      const { id, gatewayReference, status, duplicateOf, needsAttention } = payment;
      if (status === 'processing' || needsAttention)
        return [{ fault: `${id} is ${status}, attention ${needsAttention}`, payment }];
      if (status !== 'succeeded') return [];
      if (!charged.has(gatewayReference))
        return [{ fault: `${id} counts as paid, and nothing was charged`, payment }];
      if (duplicateOf !== null || told.has(id)) return [];
      return [{ fault: `the shop was never told that ${id} succeeded`, payment }];
    }),
  ];
  return { never, still };
}

async function listAll(bench: Bench, path: string): Promise<Json[] | undefined> {
  const all: Json[] = [];
  for (let cursor = ''; ;) {
    const page = await bench.ask(`${path}?limit=100${cursor}`);
    if (!page) return undefined;
    all.push(...(page['data'] as Json[]));
    if (typeof page['nextCursor'] !== 'string') return all;
    cursor = `&cursor=${page['nextCursor']}`;
  }
}
