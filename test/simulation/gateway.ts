import type { Fact } from '../../src/gateway/fact.js';
import type { Asks } from '../../src/payments/asks.js';
import type { Operation } from '../../src/payments/core/payment.js';
import { DECLINED } from '../core/given.js';
import {
  arrives,
  mayHold,
  OWN_MOVES,
  refundWord,
  wordOf,
  type Account,
  type Ending,
} from '../core/true-gateway.js';
import type { Chance } from './chance.js';
import type { Faults } from './faults.js';
import type { Replica } from './replica.js';
import { time } from './virtual-time.js';

export const GATEWAY_TIMEOUT_MS = 30_000;

/** How late a request may arrive that nobody waits for any more: well within the grace. */
const LATEST_MS = 10 * 60_000;

const ENDINGS: Record<Ending, number> = { paid: 35, asked: 25, held: 12, waiting: 13, failed: 15 };
const NOT_SENT: Fact = {
  is: 'notSent',
  failure: { ...DECLINED, code: 'gateway_unavailable' },
  cardTried: false,
};
const UNCLEAR: Fact = { is: 'unclear', why: 'timeout' };

/** The world that a gateway stands in. */
export interface Surroundings {
  readonly chance: Chance;
  readonly faults: Faults;
  readonly lean: boolean;
  readonly ending: Ending | undefined;
  fail(error: unknown): void;
  log(line: string): void;
  /** It took a payment. */
  livesOn(name: string): void;
  /** It may not know yet what it took. */
  lags(name: string): boolean;
}

/** The gateway of a world: its book, and what it has told of it. */
export class SimulatedGateway {
  readonly accounts = new Map<string, Account>();
  /** The version of an account of which it said that it is over. */
  readonly toldOver = new Map<string, number>();
  private readonly seen = new Set<string>();
  private readonly world: Surroundings;

  constructor(world: Surroundings) {
    this.world = world;
  }

  /** An operation arrives. Each one does so once. */
  take(name: string, operation: Operation, owed: bigint, wanted = this.world.ending): Fact {
    const { chance } = this.world;
    if (this.seen.has(operation.id)) this.world.fail(`${operation.id} was sent twice`);
    this.seen.add(operation.id);
    const ending =
      operation.type === 'refund'
        ? (wanted ?? chance.of<Ending>(['paid', 'waiting']))
        : (wanted ?? chance.weighted(ENDINGS));
    const former = this.accounts.get(name);
    const { account, answer } = arrives(former, operation, owed, ending, (former?.changed ?? 0) + 1);
    if (account) this.accounts.set(name, account);
    if (!former && account) this.world.livesOn(name);
    return answer;
  }

  /** What the gateway or the payer does by itself. False: not now. */
  moves(name: string, move: string): boolean {
    const account = this.accounts.get(name);
    const change = account && OWN_MOVES[move]?.(account);
    if (!account || !change) return false;
    this.accounts.set(name, { ...account, ...change, changed: account.changed + 1 });
    this.world.log(`the gateway: ${name} ${move}`);
    return true;
  }

  /** Says what it says about a payment, now and then something else. */
  answer(name: string, fact: Fact, account: Account | undefined, isQuery: boolean): Fact {
    const { faults, lean } = this.world;
    if (isQuery && this.world.lags(name) && faults.happens('lag')) return { is: 'denied' };
    const { says } = faults;
    faults.says = undefined;
    if (says) return says;
    if (faults.happens('unclear')) return UNCLEAR;
    if (fact.is === 'refused' && !this.accounts.has(name)) this.toldOver.set(name, 0);
    // Of what it does not know it says nothing but that.
    if (!this.accounts.has(name)) return fact;
    if (faults.happens('unlisted')) return { is: 'unlisted', word: 'ODD' };
    if (faults.happens('foreign')) return { is: 'foreign', differs: 'reference' };
    if (isQuery && account && isHeldOrPaid(account) && faults.happens('misspeaks')) {
      // It says that it is over, and something else the next time.
      this.toldOver.set(name, account.changed - 0.5);
      return { is: 'failed', failure: DECLINED };
    }
    if (fact.is === 'paid' && fact.amount !== undefined && !lean && faults.happens('wrongAmount'))
      return { ...fact, amount: fact.amount + 100n };
    if (account && !mayHold(account)) this.toldOver.set(name, account.changed);
    if (fact.is === 'denied') return fact;
    const { amount: _amount, refundedTotal: _refunded, disputedTotal: _disputed, ...word } = fact;
    const isRefund = ['refundDone', 'refundFailed', 'accepted'].includes(fact.is);
    const told = lean ? (word as Fact) : fact;
    return isRefund ? fact : { ...told, transactionRef: `T-${name}` };
  }
}

/** The exchanges of one process: requests that never arrive, arrive late, are answered late or never. */
export function asksOf(replica: Replica): Asks {
  const { world } = replica;
  const { faults, chance } = world;
  const latency = (): Promise<void> => time.sleep(chance.whole(20, 900));

  async function query(name: string, deadline: number, word: () => Fact): Promise<Fact> {
    await replica.pass();
    await latency();
    const told = world.gateway.answer(name, word(), world.gateway.accounts.get(name), true);
    const isSlow = faults.slow || faults.happens('slow');
    faults.slow = false;
    if (isSlow) await time.sleep(Math.max(0, deadline - time.now));
    else await latency();
    await replica.pass();
    world.log(`${replica.name}: ${name} is ${describe(told)}`);
    return told;
  }

  return {
    canProbe: true,
    async send(sending) {
      const { payment, session, operation, deadline } = sending;
      await replica.pass();
      if (!sending.mayBegin() || faults.happens('refusedConnection')) return NOT_SENT;
      const name = payment.gatewayReference;
      world.log(`${replica.name}: sends ${operation.type} of ${name} (${operation.id})`);
      world.judge.leaves(payment, operation);
      const fate = chance.weighted(faults.sending);
      if (fate === 'neverArrives') {
        await time.sleep(deadline - time.now);
        await replica.pass();
        return UNCLEAR;
      }
      if (fate === 'arrivesLate') {
        time.plan(
          GATEWAY_TIMEOUT_MS + chance.whole(1, LATEST_MS),
          () => void world.gateway.take(name, operation, session.amount),
        );
        await time.sleep(deadline - time.now);
        await replica.pass();
        return UNCLEAR;
      }
      await latency();
      await replica.pass();
      const fact = world.gateway.take(name, operation, session.amount);
      const account = world.gateway.accounts.get(name);
      if (fate === 'answerIsLost') {
        await time.sleep(deadline - time.now);
        await replica.pass();
        return UNCLEAR;
      }
      await latency();
      const told = world.gateway.answer(name, ownWord(fact, operation), account, false);
      await replica.pass();
      world.log(`${replica.name}: ${operation.type} of ${name} is ${describe(told)}`);
      return told;
    },
    status: ({ gatewayReference: name }, _session, deadline) =>
      query(name, deadline, () => wordOf(world.gateway.accounts.get(name))),
    refundStatus: ({ gatewayReference: name }, _session, { refundRef = '' }, deadline) =>
      query(name, deadline, () => refundWord(world.gateway.accounts.get(name), refundRef)),
    probe: (name, _session, deadline) =>
      query(name, deadline, () => wordOf(world.gateway.accounts.get(name))),
  };
}

/** A completion's or void's own answer that waits says that it was accepted. */
export function ownWord(fact: Fact, { type }: Operation): Fact {
  return fact.is === 'waiting' && (type === 'complete' || type === 'void') ? { is: 'accepted' } : fact;
}

function isHeldOrPaid({ state }: Account): boolean {
  return state === 'held' || state === 'paid';
}

export function describe(what: object): string {
  return JSON.stringify(what, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
