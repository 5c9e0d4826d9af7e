import type { Fact } from '../gateway/fact.js';
import type { ApprovalRow, Stored } from '../store/store.js';
import type { Asks, Details } from './asks.js';
import { decide } from './core/decide.js';
import type { Command, Decision, NewKey } from './core/input.js';
import { usedBefore } from './core/keys.js';
import type { Key, Operation, OrderState, Payment } from './core/payment.js';
import { newLease, type OrderWriter } from './order-writer.js';
import type { Surroundings } from './surroundings.js';
import type { Prober } from './prober.js';

/** An intent older than this is abandoned unsent (P1), by either clock. */
const FRESH_MS = 5_000;
/** How long an operation's lease outlives the gateway's timeout: its answer must be written. */
const WRITE_MS = 15_000;
/** How long the answer of the gateway is tried to be written while the store is away. */
const KEEP_WRITING_MS = 20_000;

export interface Order {
  reference: string;
  command: Command;
  actor: string;
  key?: NewKey;
  details: Details;
  /** Throws where a new command is not let in; a repeated one is answered without it. */
  admit?: (stored: Stored) => void;
  /** The approval that it carries out, and its row once it is decided. */
  approval?: { id: string; row: (now: number) => ApprovalRow };
}

export type Performed =
  { was: 'done'; state: OrderState; payment: Payment; operation: Operation; fact: Fact } | Replay;

/** A committed intent. */
interface Intent {
  decision: Decision;
  since: number;
  monotonic: number;
  /** Of the lease. */
  owner: string;
}

/** A repeated call, and what the first one did. */
interface Replay {
  was: 'replay';
  key: Key;
  state: OrderState;
}

interface Unprobed {
  unprobed: Stored;
}

/**
 * The only place that sends anything that moves money: decide, commit, send once if the intent is fresh, read the answer into a fact,
 * decide, commit.
 */
export class Engine {
  /** Operations that this process is sending now. */
  private readonly sending = new Set<Command>();

  constructor(
    private readonly orders: OrderWriter,
    private readonly gateway: Asks,
    private readonly prober: Prober,
    private readonly options: Surroundings,
  ) {}

  /** Whether an intended operation may still be on its way: this process knows its own, others get their time. */
  isSending(operation: Operation, now: number): boolean {
    if (operation.process === this.orders.store.process)
      return [...this.sending].some((command) => command.operation === operation.id);
    return now - operation.since < this.options.gatewayTimeoutMs + WRITE_MS;
  }

  /** Performs a command, or answers what its idempotency key did before. Throws `Refusal` where it is not allowed. */
  async perform(order: Order): Promise<Performed> {
    const { command } = order;
    this.sending.add(command);
    try {
      const first = await this.begin(order);
      if ('was' in first) return first;
      const fact = await this.send(order, first);
      const decision = await this.record(order, first, fact);
      return { was: 'done', ...outcome(decision, command, first.decision), fact };
    } finally {
      this.sending.delete(command);
    }
  }

  /** An intent that waited too long for its commit may be taken for abandoned by others, and is not sent. */
  private isStale({ since, monotonic }: Intent): boolean {
    return this.orders.store.now() - since > FRESH_MS || performance.now() - monotonic > FRESH_MS;
  }

  /** Commit 1: key, order, payment and intent, and the lease that the answer will need. */
  private async begin(order: Order): Promise<Intent | Replay> {
    const { reference, command, actor, key, approval } = order;
    const { store } = this.orders;
    const lease = newLease(store, this.options.gatewayTimeoutMs + WRITE_MS);
    const monotonic = performance.now();
    for (;;) {
      const begun = await this.orders.write<Intent | Replay | Unprobed>(reference, (stored, moment) => {
        // Its commit was answered by nobody, and the order was written again since: the intent stands. Another call may have the
        // same operation, as two people who approve one refund: the lease says whose it is.
        const own =
          stored.leases.get(command.payment)?.owner === lease.owner ? intended(stored, command) : undefined;
        if (own)
          return { result: { decision: asItIs(stored), since: own.since, monotonic, owner: lease.owner } };
        const used = key && usedBefore(stored, key, (operation) => this.isSending(operation, moment.now));
        if (used) return { result: { was: 'replay', key: used, state: stored } };
        order.admit?.(stored);
        if (this.prober.needed(stored)) return { result: { unprobed: stored } };
        const input = {
          by: 'command' as const,
          command,
          actor,
          process: store.process,
          ...(key ? { key } : {}),
          ...(approval ? { approval: approval.id } : {}),
        };
        const decision = decide(stored, input, moment, this.orders.rules());
        return {
          decision,
          leases: [{ payment: command.payment, lease }],
          approvals: approval ? [approval.row(moment.now)] : [],
          result: { decision, since: moment.now, monotonic: performance.now(), owner: lease.owner },
        };
      });
      if (!('unprobed' in begun)) return begun;
      await this.prober.probe(begun.unprobed);
    }
  }

  private async send(order: Order, intent: Intent): Promise<Fact> {
    const { state, payment, operation } = outcome(intent.decision, order.command);
    const session = state.order?.sessions.find(({ id }) => id === payment.sessionId);
    if (!session) throw new Error('A payment without its session.');
    return this.gateway.send({
      payment,
      session,
      operation,
      details: order.details,
      mayBegin: () => !this.isStale(intent),
      deadline: performance.now() + this.options.gatewayTimeoutMs,
      keep: async (kept) => {
        await this.orders.take(order.reference, { by: 'kept', payment: payment.id, kept });
      },
    });
  }

  /** Commit 2: what the answer says. The gateway has acted by now, so the write is tried for a while. */
  private async record(
    { reference, command, details }: Order,
    intent: Intent,
    fact: Fact,
  ): Promise<Decision> {
    const { payment, operation } = command;
    const until = performance.now() + KEEP_WRITING_MS;
    for (let pause = 100; ; pause *= 2) {
      try {
        const { decision } = await this.orders.answer(
          reference,
          intent.owner,
          { payment, to: { operation }, fact },
          {
            known: intent.decision.state,
            declines: (made) =>
              this.options.declines(outcome(made, command, intent.decision).payment, fact, details),
          },
        );
        return decision;
      } catch (error) {
        if (performance.now() + pause > until) throw error;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }
}

/** `known`: as the intent was committed; the store may have lost it since. */
function intended(stored: OrderState, { payment, operation }: Command): Operation | undefined {
  const found = stored.payments
    .find(({ id }) => id === payment)
    ?.operations.find(({ id }) => id === operation);
  return found?.state === 'intended' ? found : undefined;
}

function asItIs(state: OrderState): Decision {
  return { state, changed: new Set(), entries: [], effects: [] };
}

function outcome({ state }: Decision, command: Command, known?: Decision) {
  const payment = state.payments.find(({ id }) => id === command.payment);
  const isOperation = ({ id }: Operation) => id === command.operation;
  const operation =
    payment?.operations.find(isOperation) ??
    known?.state.payments.flatMap(({ operations }) => operations).find(isOperation);
  if (!payment || !operation) throw new Error('A decision without its operation.');
  return { state, payment, operation };
}
