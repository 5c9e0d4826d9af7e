import type { Fact } from '../../src/gateway/fact.js';
import { decide } from '../../src/payments/core/decide.js';
import type { Command, Decision, Input, Resolution } from '../../src/payments/core/input.js';
import { isKnownBy } from '../../src/payments/core/moves.js';
import type { Operation, OrderState, Payment } from '../../src/payments/core/payment.js';
import { Refusal } from '../../src/payments/core/refusal.js';
import { AMOUNT, HOUR, moment, NOW, order, RULES } from './given.js';
import { book, faultsOf, holds, NO_LEDGER, stepFaults, type Ledger } from './invariants.js';
import {
  arrives,
  held,
  mayHold,
  OWN_MOVES,
  refundWord,
  wordOf,
  type Account,
  type Book,
  type Ending,
} from './true-gateway.js';

/**
 * Every order of commands, answers, losses and crashes of one order with two payments against a true gateway, to a depth. States that
 * differ in nothing that matters are explored once.
 */

/** An answer on its way. */
interface Message {
  payment: string;
  to: { operation: string } | 'status' | { refund: string };
  fact: Fact;
  /** The lease that its asker took. */
  lease: number;
  /** The account's version that it tells of. */
  version: number;
}

interface World {
  state: OrderState;
  ledger: Ledger;
  accounts: Book;
  flight: readonly Message[];
  /** Of each payment: which lease was taken last. */
  leases: Readonly<Record<string, number>>;
  /** Of each N: the account's version that was heard last. */
  heard: Readonly<Record<number, number>>;
  /** A person said where these stand: what the gateway has may differ. */
  resolved: readonly number[];
  now: number;
  left: Readonly<Record<Budget, number>>;
  trail: readonly string[];
}

/** How often each kind of mishap may happen on one way. */
type Budget = 'lost' | 'crash' | 'own' | 'person';

export interface Bounds {
  depth: number;
  budgets: Record<Budget, number>;
  /** Every so many new states are let come to rest, and compared with the gateway's book. */
  restEvery: number;
}

export interface Found {
  steps: number;
  states: number;
  rested: number;
  /** Names of the steps that were taken at all. */
  kinds: ReadonlySet<string>;
}

export class SearchFailure extends Error {}

type Decider = typeof decide;

export function search(bounds: Bounds, decideBy: Decider = decide): Found {
  const seen = new Map<string, number>();
  const kinds = new Set<string>();
  let steps = 0;
  let rested = 0;

  const visit = (world: World, depth: number): void => {
    const key = keyOf(world);
    const before = seen.get(key);
    if (before !== undefined && before >= depth) return;
    seen.set(key, depth);
    if (before === undefined && seen.size % bounds.restEvery === 0) {
      rested += 1;
      rest(world, decideBy);
    }
    if (depth === 0) return;
    for (const [name, next] of successors(world, decideBy)) {
      steps += 1;
      kinds.add(name.split(' ')[0] ?? name);
      visit(next, depth - 1);
    }
  };

  visit(beginning(bounds), bounds.depth);
  return { steps, states: seen.size, rested, kinds };
}

function beginning({ budgets }: Bounds): World {
  return {
    state: order([], { started: 0, expiresAt: NOW + 24 * HOUR }),
    ledger: NO_LEDGER,
    accounts: {},
    flight: [],
    leases: {},
    heard: {},
    resolved: [],
    now: NOW,
    left: budgets,
    trail: [],
  };
}

function* successors(world: World, decideBy: Decider): Generator<[string, World]> {
  yield* commands(world, decideBy);
  yield* deliveries(world, decideBy);
  yield* queries(world);
  yield* accidents(world, decideBy);
  yield* persons(world, decideBy);
}

/** Every command that is allowed now, and how its sending ends. */
function* commands(world: World, decideBy: Decider): Generator<[string, World]> {
  const count = world.state.payments.length;
  const wanted: Command[] = world.state.payments.flatMap(({ id, operations, captured }) => {
    const operation = `${id}-${operations.length}`;
    const refund = { do: 'refund' as const, payment: id, operation, reason: null, refundRef: operation };
    return [
      { do: 'otp' as const, payment: id, operation },
      { do: 'complete' as const, payment: id, operation, amount: null },
      { do: 'void' as const, payment: id, operation },
      { ...refund, amount: null },
      ...(captured > 0n ? [{ ...refund, amount: captured / 2n }] : []),
    ];
  });
  if (count < 2)
    wanted.push({
      do: 'pay',
      session: 'cs_1',
      payment: `pay_${count + 1}`,
      operation: `pay_${count + 1}-0`,
      method: 'card',
      card: null,
    });
  for (const command of wanted) {
    const begun = attempt(
      world,
      `${command.do} ${command.payment}`,
      { by: 'command', command, actor: 'merchant', process: 'p1' },
      decideBy,
    );
    if (!begun) continue;
    const [next, decision] = begun;
    const [effect] = decision.effects;
    if (!effect) throw new SearchFailure('a command without an effect');
    yield* sendings(withLease(next, command.payment), command.payment, effect.operation);
  }
}

const ENDINGS: Partial<Record<Operation['type'], readonly Ending[]>> = {
  pay: ['paid', 'held', 'asked', 'failed'],
  otp: ['paid', 'failed'],
  refund: ['paid', 'waiting'],
};

/** The intent is durable: it is sent or not, and its answer comes or does not. */
function* sendings(world: World, id: string, operation: Operation): Generator<[string, World]> {
  if (CHARGING.has(operation.type)) noChargeBeside(world, id);
  const n = paymentOf(world, id).n;
  const lease = world.leases[id] ?? 0;
  const to = { operation: operation.id };
  const message = (fact: Fact, version: number): Message => ({ payment: id, to, fact, lease, version });
  const unclear: Fact = { is: 'unclear', why: 'timeout' };
  for (const ending of ENDINGS[operation.type] ?? ['paid']) {
    const former = world.accounts[n];
    const { account, answer } = arrives(former, operation, AMOUNT, ending, (former?.changed ?? 0) + 1);
    const accounts = account ? { ...world.accounts, [n]: account } : world.accounts;
    const version = account?.changed ?? 0;
    const name = `sent ${operation.type} ${ending}`;
    yield [name, also({ ...world, accounts, flight: [...world.flight, message(answer, version)] }, name)];
    const lost = spend(world, 'lost');
    if (lost)
      yield [
        `lost ${name}`,
        also({ ...lost, accounts, flight: [...world.flight, message(unclear, 0)] }, `lost ${name}`),
      ];
    const crash = spend(world, 'crash');
    if (crash) yield [`crash after ${name}`, also({ ...crash, accounts }, `crash after ${name}`)];
  }
  const crash = spend(world, 'crash');
  if (crash) yield ['crash before sending', also(crash, 'crash before sending')];
  const lost = spend(world, 'lost');
  if (lost)
    yield ['never', also({ ...lost, flight: [...world.flight, message(unclear, 0)] }, 'it never arrives')];
}

const CHARGING = new Set<Operation['type']>(['pay', 'otp', 'pin', 'complete']);

/** What the gateway may hold of the order, as it last told, is never charged beside. */
function noChargeBeside(world: World, id: string): void {
  for (const other of world.state.payments) {
    const account = world.accounts[other.n];
    if (other.id === id || !account || !mayHold(account)) continue;
    const known = world.heard[other.n];
    const ours =
      other.status === 'canceled' || other.status === 'expired' || world.resolved.includes(other.n);
    if (!ours && (known === undefined || known === account.changed))
      fail(world, `charged beside ${other.id}, which is ${account.state} at the gateway`);
  }
}

/** Any answer may come next, also an old one. */
function* deliveries(world: World, decideBy: Decider): Generator<[string, World]> {
  for (const message of world.flight) {
    const flight = world.flight.filter((one) => one !== message);
    yield [`heard ${message.fact.is}`, deliver({ ...world, flight }, message, decideBy)];
  }
}

function deliver(world: World, message: Message, decideBy: Decider): World {
  const { payment, to, fact, lease, version } = message;
  const owned = world.leases[payment] === lease;
  // Denials lie a third of the grace apart.
  const now = fact.is === 'denied' ? world.now + RULES.notFoundGraceMs / 3 : world.now;
  const name = `${payment} hears ${JSON.stringify(fact, bigintText)} ${owned ? '' : 'late'}`;
  const input: Input = { by: 'answer', payment, to, fact, owned };
  const [next] = attempt({ ...world, now }, name, input, decideBy) ?? fail(world, `${name} was refused`);
  const { n } = paymentOf(world, payment);
  const counts = isKnownBy(fact) && owned && version > (world.heard[n] ?? 0);
  const after = owned ? withLease(next, payment) : next;
  return counts ? { ...after, heard: { ...after.heard, [n]: version } } : after;
}

/** A status query of each payment, where none is under way and nothing is being sent. */
function* queries(world: World): Generator<[string, World]> {
  for (const { id, n, operations } of world.state.payments) {
    if (world.flight.some(({ payment, to }) => payment === id && (to === 'status' || 'refund' in to)))
      continue;
    if (operations.some(({ state }) => state === 'intended')) continue;
    const next = withLease(world, id);
    const lease = next.leases[id] ?? 0;
    const account = world.accounts[n];
    const version = account?.changed ?? 0;
    const asked = (to: Message['to'], fact: Fact): World =>
      also(
        { ...next, flight: [...next.flight, { payment: id, to, fact, lease, version }] },
        `${id} is asked about`,
      );
    yield ['asked', asked('status', wordOf(account))];
    for (const refund of operations)
      if (refund.type === 'refund' && (refund.state === 'unknown' || refund.state === 'confirmed'))
        yield ['refund asked', asked({ refund: refund.id }, refundWord(account, refund.refundRef ?? ''))];
  }
}

/** What nobody asked for: moves of the gateway, dead processes, time. */
function* accidents(world: World, decideBy: Decider): Generator<[string, World]> {
  for (const { id, operations } of world.state.payments)
    for (const { id: operation, state } of operations) {
      if (
        state !== 'intended' ||
        world.flight.some(
          ({ to }) => typeof to === 'object' && 'operation' in to && to.operation === operation,
        )
      )
        continue;
      const taken = attempt(
        withLease(world, id),
        `orphan ${operation}`,
        { by: 'orphan', payment: id, operation },
        decideBy,
      );
      if (taken) yield ['orphan', taken[0]];
    }
  const own = spend(world, 'own');
  if (own)
    for (const [n, account] of Object.entries(world.accounts))
      for (const [name, move] of Object.entries(OWN_MOVES)) {
        const change = move(account);
        if (!change) continue;
        const next: Account = { ...account, ...change, changed: account.changed + 1 };
        yield [
          `gateway ${name}`,
          also({ ...own, accounts: { ...world.accounts, [Number(n)]: next } }, `at the gateway ${n} ${name}`),
        ];
      }
}

function* persons(world: World, decideBy: Decider): Generator<[string, World]> {
  const left = spend(world, 'person');
  if (!left) return;
  for (const { id, n, status, attention, operations } of world.state.payments) {
    if (attention.length === 0) continue;
    const open = operations.find(({ state }) => state === 'unknown');
    const words: Resolution[] = [
      { status: 'succeeded' },
      { status: 'failed' },
      { status: 'voided' },
      { status },
    ];
    if (open?.type === 'refund')
      words.push({ refundId: open.id, status: 'succeeded' }, { refundId: open.id, status: 'failed' });
    else if (open) words.push({ operation: 'confirmed' }, { operation: 'refused' });
    for (const as of words) {
      const input: Input = { by: 'person', payment: id, actor: 'merchant:anna', as, note: '' };
      const told = attempt(
        withLease(left, id),
        `a person says ${JSON.stringify(as)} of ${id}`,
        input,
        decideBy,
      );
      if (told) yield ['person', { ...told[0], resolved: [...told[0].resolved, n] }];
    }
  }
}

/** Nothing more happens: everything is heard, and our book is the gateway's, or a person has it. */
function rest(world: World, decideBy: Decider): void {
  let still = world;
  for (const message of world.flight)
    still = deliver({ ...still, flight: still.flight.filter((one) => one !== message) }, message, decideBy);
  for (const { id, operations } of still.state.payments)
    for (const { id: operation, state } of operations)
      if (state === 'intended')
        still =
          attempt(withLease(still, id), 'orphan', { by: 'orphan', payment: id, operation }, decideBy)?.[0] ??
          still;
  for (let round = 0; round < 3; round++)
    for (const { id, n, operations } of still.state.payments) {
      const account = still.accounts[n];
      const version = account?.changed ?? 0;
      const ask = (to: Message['to'], fact: Fact): void => {
        const next = withLease(still, id);
        still = deliver(next, { payment: id, to, fact, lease: next.leases[id] ?? 0, version }, decideBy);
      };
      for (const refund of operations)
        if (refund.type === 'refund' && (refund.state === 'unknown' || refund.state === 'confirmed'))
          ask({ refund: refund.id }, refundWord(account, refund.refundRef ?? ''));
      ask('status', wordOf(account));
    }
  for (const one of still.state.payments) compare(still, one, still.accounts[one.n]);
}

function compare(world: World, payment: Payment, account: Account | undefined): void {
  const attended = payment.attention.some(({ reason }) => reason !== 'duplicate' && reason !== 'hold_ending');
  if (attended || world.resolved.includes(payment.n)) return;
  const there = account ? held(account) : 0n;
  if (holds(payment) !== there) fail(world, `${payment.id} holds ${holds(payment)}, at the gateway ${there}`);
  if (!account && payment.status !== 'failed')
    fail(world, `${payment.id} never arrived, and is ${payment.status}`);
  const isOpen = payment.operations.some(
    ({ state, type }) => type !== 'refund' && (state === 'intended' || state === 'unknown'),
  );
  const settled = account?.state === 'failed' || account?.state === 'voided' || account?.state === 'expired';
  if (settled && isOpen) fail(world, `${payment.id} is over, with an open operation`);
}

/** One input: its decision, judged. Undefined: it is not allowed. */
function attempt(world: World, name: string, input: Input, decideBy: Decider): [World, Decision] | undefined {
  const before = world.state;
  let decision: Decision;
  try {
    decision = decideBy(before, input, moment(world.now), RULES);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
  const ledger = book(world.ledger, decision);
  // No decision reads a timeline, and it would make every state another one.
  const payments = decision.state.payments.map((one) => ({ ...one, timeline: [] }));
  // A decision that changes what it is given throws, since everything is frozen.
  const state = frozen({ ...decision.state, payments });
  const next = also({ ...world, state, ledger }, name);
  const faults = [...faultsOf(decision.state, ledger), ...stepFaults(before, input, decision)];
  if (faults.length > 0) fail(next, faults.join('; '));
  return [next, decision];
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) frozen(member);
  return value;
}

function paymentOf({ state }: World, id: string): Payment {
  const found = state.payments.find((payment) => payment.id === id);
  if (!found) throw new SearchFailure(`no payment ${id}`);
  return found;
}

function withLease(world: World, id: string): World {
  return { ...world, leases: { ...world.leases, [id]: (world.leases[id] ?? 0) + 1 } };
}

function spend(world: World, what: Budget): World | undefined {
  const left = world.left[what];
  return left > 0 ? { ...world, left: { ...world.left, [what]: left - 1 } } : undefined;
}

function also(world: World, name: string): World {
  return { ...world, trail: [...world.trail, name] };
}

function fail(world: World, fault: string): never {
  throw new SearchFailure(`${fault}\n  ${world.trail.join('\n  ')}`);
}

function bigintText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** All that a later decision or judgement can depend on, without times and counts. */
function keyOf({ state, accounts, flight, leases, heard, resolved, left }: World): string {
  const { order: of, payments } = state;
  const shown = [
    of && [of.live, of.payer, of.duplicates, of.sessions.map(({ status, declines }) => [status, declines])],
    payments.map((one) => [
      one.status,
      one.authorized,
      one.captured,
      one.corrected,
      one.refunded,
      one.disputedAmount,
      one.reversed,
      one.disputed,
      one.nextAction?.type,
      one.operations.map(({ type, state: at, amount }) => [type, at, amount]),
      one.duplicateOf,
      one.attention.map(({ word }) => word),
      one.resolvedWords,
      one.answeredAt !== null,
      one.denials.count,
    ]),
    Object.entries(accounts).map(([n, { changed, ...account }]) => [
      account,
      changed === heard[Number(n)],
      heard[Number(n)] === undefined,
    ]),
    flight.map(({ payment, to, fact, lease, version }) => [
      payment,
      to,
      fact,
      leases[payment] === lease,
      version === accounts[Number(payment.slice(4))]?.changed,
    ]),
    resolved,
    left,
  ];
  return JSON.stringify(shown, bigintText);
}
