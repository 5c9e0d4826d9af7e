import type { Random } from '../chaos/random.ts';
import type { Exchanges, TransportRequest, TransportResult } from '../../src/gateway/transport/transport.ts';
import { Charge, major, minor, type Book, type Method, type Money, type State } from './book.ts';
import { spread } from './chance.ts';
import { body, refusal, said, started } from './gateway-words.ts';
import type { Replica } from './replica.ts';
import { theTime } from './virtual-time.ts';

/** What the gateway is like in a world. */
export interface Temper {
  /** How many of its answers do not come as they should. */
  faults: number;
  /** How many of its answers show what was before. */
  lag: number;
  /** Longest lag, in milliseconds. */
  longestLag: number;
  /** How many requests arrive when nobody waits any more. */
  late: number;
  /** How many operations it only accepts. */
  accepts: number;
  /** How many operations it refuses. */
  refuses: number;
  /** How many of the refused refunds and voids it carries out all the same. */
  doesRefused: number;
}

export const CALM: Temper = {
  faults: 0,
  lag: 0,
  longestLag: 0,
  late: 0,
  accepts: 0,
  refuses: 0,
  doesRefused: 0,
};

/** What the world does with what happens here. */
export interface GatewayWorld {
  randomOf: (name: string) => Random;
  blame: (what: string) => void;
  note: (what: string) => void;
  /** Money moved: who waits for the payer, and who tells the service. */
  changed: (charge: Charge, by: 'call' | 'itself') => void;
  /** Before a charge begins, or is voided: whether its order may. */
  look: (charge: Charge, what: 'pay' | 'void' | 'complete') => void;
  refundAsked: (charge: Charge, refundRef: string, amount: bigint) => void;
}

interface Answer {
  status: number;
  json: object;
  retryAfter?: string;
  /** It names this payment, so that a wrong one would be a lie. */
  denies?: boolean;
}

const FOREIGN = { status: 'SUCCESS', amount: '1.00', currency: 'NGN', reference: 'ANOTHER-ORDER_1' };

/** What was answered is recorded so soon after. */
const HEARD_WITHIN_MS = 5_000;

/** A gateway that keeps honest books, and answers as gateways do. */
export class SimulatedGateway {
  temper: Temper = CALM;
  /** By the world's clock: until then nobody can connect. */
  downUntil = 0;
  /** Until then it answers everything with 429. */
  busyUntil = 0;
  /** Operations that living processes are sending, by reference. */
  readonly sending = new Map<string, Set<Replica>>();
  #calls = new Map<string, number>();
  readonly book: Book;
  private readonly world: GatewayWorld;

  constructor(book: Book, world: GatewayWorld) {
    this.book = book;
    this.world = world;
  }

  transport(replica: Replica): Exchanges {
    return {
      targetOf: (path) => path,
      send: (request) => this.#send(replica, request),
      close: () => Promise.resolve(),
    };
  }

  async #send(replica: Replica, request: TransportRequest): Promise<TransportResult> {
    const { method, path } = request;
    const time = theTime();
    const asked = this.#read(request);
    const name = `${method} ${path} ${asked.ref}`;
    const nth = (this.#calls.get(name) ?? 0) + 1;
    this.#calls.set(name, nth);
    const random = this.world.randomOf(`gateway ${name} ${nth}`);
    const { temper } = this;
    if (replica.passes('gateway', 'before')) return new Promise(() => undefined);
    await time.pause(random.chance(temper.faults / 3) ? spread(random, 10, 9_000) : spread(random, 1, 40));
    if (time.now < this.downUntil || random.chance(temper.faults / 8))
      return { kind: 'not-sent', reason: random.pick(['refused', 'dns', 'tls'] as const) };
    if (request.deadline <= time.now) return { kind: 'not-sent', reason: 'connect-timeout' };
    if (request.beforeSend && !request.beforeSend()) return { kind: 'not-sent', reason: 'abandoned' };
    return this.#exchange(replica, request, asked, random);
  }

  /** The request is on the wire: from here on nobody can take it back. */
  #exchange(
    replica: Replica,
    request: TransportRequest,
    asked: Asked,
    random: Random,
  ): Promise<TransportResult> {
    const time = theTime();
    const { temper } = this;
    const moves = asked.operation !== 'status' && asked.operation !== 'refundStatus';
    const late = moves && random.chance(temper.late);
    const there = late ? spread(random, 5_000, 50_000) : spread(random, 2, 300);
    const back = random.chance(temper.faults / 2) ? spread(random, 100, 60_000) : spread(random, 2, 300);
    const fate = random.chance(temper.faults)
      ? random.pick(['reset', 'cut', 'error-500', 'html', 'silence', 'busy', 'odd', 'foreign'] as const)
      : 'answer';
    const reached = moves ? asked.ref : undefined;
    if (reached !== undefined) this.#senders(reached).add(replica);
    return new Promise((resolve) => {
      let open = true;
      const settle = (result: TransportResult): void => {
        if (!open) return;
        open = false;
        if (reached !== undefined) this.#senders(reached).delete(replica);
        resolve(result);
      };
      time.plan(request.deadline - time.now, () => {
        settle({ kind: 'unknown', reason: 'timeout' });
      });
      const arrives = (): void => {
        const answer = this.#answer(asked, random);
        const charge = this.book.find(asked.ref);
        if (charge) charge.answering += 1;
        time.plan(back + HEARD_WITHIN_MS, () => {
          if (charge) charge.answering -= 1;
        });
        const result = this.#deliver(fate, answer, moves);
        this.world.note(
          `${asked.operation} ${asked.ref}: ${fate} ${result ? '' : 'nothing '}${JSON.stringify(answer.json).slice(0, 160)}`,
        );
        if (result)
          time.as(replica, () =>
            time.plan(back, () => {
              if (answer.denies && result.kind === 'response' && fate === 'answer')
                this.book.find(asked.ref)?.denials.push(time.now);
              settle(result);
            }),
          );
      };
      time.outside(() => {
        time.plan(there, arrives);
      });
      if (replica.passes('gateway', 'after')) open = false;
    });
  }

  isSending(ref: string): boolean {
    return [...(this.sending.get(ref) ?? [])].some(({ dead }) => !dead);
  }

  #senders(ref: string): Set<Replica> {
    const known = this.sending.get(ref) ?? new Set();
    this.sending.set(ref, known);
    return known;
  }

  #deliver(
    fate: 'answer' | 'reset' | 'cut' | 'error-500' | 'html' | 'silence' | 'busy' | 'odd' | 'foreign',
    { status, json, retryAfter }: Answer,
    moves: boolean,
  ): TransportResult | undefined {
    const response = (code: number, text: string, after?: string): TransportResult => ({
      kind: 'response',
      status: code,
      body: { text },
      retryAfter: after,
    });
    switch (fate) {
      case 'answer':
        return response(status, JSON.stringify(json), retryAfter);
      case 'silence':
        return undefined;
      case 'reset':
        return { kind: 'unknown', reason: 'reset' };
      case 'cut':
        return { kind: 'unknown', reason: 'cut', status };
      case 'error-500':
        return response(500, '{}');
      case 'html':
        return response(200, '<html>');
      case 'odd':
        return response(200, JSON.stringify({ ...json, error: 'maybe' }));
      case 'foreign':
        // It says what is true of another payment.
        return response(200, JSON.stringify(body(FOREIGN)));
      case 'busy':
        // Whoever is turned away was not served: only a question may be.
        return moves ? response(502, '') : response(429, '{}', '1');
    }
  }

  #read({ method, path, body: text }: TransportRequest): Asked {
    const sent = (text === undefined ? {} : JSON.parse(text)) as Record<string, string>;
    const parts = path.split('/');
    const last = decodeURIComponent(parts.at(-1) ?? '');
    if (method === 'GET' && path.startsWith('/transaction/')) return { operation: 'status', ref: last, sent };
    if (method === 'GET' && path.startsWith('/refund/'))
      return {
        operation: 'refundStatus',
        ref: last.replace(/_r\d+(?:e\d+)?$/, ''),
        sent: { refundRef: last },
      };
    const operation = OPERATIONS[path];
    if (!operation) throw new Error(`Nobody serves ${method} ${path}`);
    return { operation, ref: sent['client_ref'] ?? '', sent };
  }

  #answer(asked: Asked, random: Random): Answer {
    const { operation } = asked;
    const charge = this.book.find(asked.ref);
    if (operation === 'status') return this.#status(charge, random);
    if (theTime().now < this.busyUntil && operation !== 'refundStatus')
      return { status: 429, json: {}, retryAfter: '2' };
    if (operation === 'card' || operation === 'wallet' || operation === 'transfer')
      return this.#pay(asked, operation, random);
    if (!charge) return { status: 200, json: refusal('NOT_FOUND', 'Transaction not found'), denies: true };
    if (operation === 'refundStatus') return this.#refundStatus(charge, asked.sent['refundRef'] ?? '');
    charge.count(operation);
    if (operation === 'otp') return this.#otp(charge, random);
    return this.#operate(charge, operation, asked, random);
  }

  #pay(asked: Asked, method: Method, random: Random): Answer {
    const { now } = theTime();
    const known = this.book.find(asked.ref);
    if (known) {
      this.world.blame(`${asked.ref} was charged twice: an intent is sent once`);
      return { status: 200, json: refusal('DUPLICATE', 'This reference was used') };
    }
    const charge = new Charge(asked.ref, method, minor(asked.sent['amount'] ?? ''), now);
    const outcome = payOutcome(method, random, this.temper);
    if (outcome === 'refused') {
      this.world.look(charge, 'pay');
      this.book.begin(charge);
      return { status: random.pick([400, 404, 422, 401, 429]), json: {} };
    }
    this.world.look(charge, 'pay');
    this.book.begin(charge);
    charge.count('pay');
    charge.change(now, { state: outcome, ...(outcome === 'captured' && { captured: charge.amount }) });
    this.world.changed(charge, 'call');
    if (outcome === 'declined') return { status: 200, json: refusal('05', 'Declined by the issuer') };
    return { status: 200, json: started(method, said(charge, charge.money)) };
  }

  #otp(charge: Charge, random: Random): Answer {
    if (charge.money.state !== 'otp') return { status: 200, json: refusal('X', 'No code expected') };
    const outcome = random.weighted<State | 'refused'>([
      ['captured', 50],
      ['held', 8],
      ['declined', 10],
      ['otp', 10],
      ['pending', 12],
      ['refused', 10],
    ]);
    if (outcome === 'refused') return { status: 200, json: refusal('W', 'Wrong code') };
    charge.change(theTime().now, {
      state: outcome,
      ...(outcome === 'captured' && { captured: charge.amount }),
    });
    this.world.changed(charge, 'call');
    return { status: 200, json: body(said(charge, charge.money)) };
  }

  #operate(charge: Charge, operation: 'complete' | 'void' | 'refund', asked: Asked, random: Random): Answer {
    const { now } = theTime();
    const { temper, world } = this;
    const { money } = charge;
    const amount = minor(asked.sent['amount'] ?? '0');
    const refundRef = asked.sent['refundRef'] ?? '';
    if (operation === 'refund') world.refundAsked(charge, refundRef, amount);
    if (operation !== 'refund') world.look(charge, operation);
    const can = {
      complete: money.state === 'held' && amount <= charge.amount,
      void: charge.hasMoney && money.refunded === 0n && money.disputed === 0n,
      refund: charge.canRefund(amount) && amount <= charge.left - charge.openRefunds,
    }[operation];
    if (operation === 'refund' && !charge.refunds.has(refundRef))
      charge.refunds.set(refundRef, { amount, state: 'open' });
    const refund = charge.refunds.get(refundRef);
    const refused = random.chance(temper.refuses);
    if (!can || charge.accepted || (refused && !random.chance(temper.doesRefused))) {
      if (refund) refund.state = 'refused';
      return { status: random.pick([200, 400]), json: refusal('INVALID_STATE', 'Not now') };
    }
    const done = (): void => {
      if (operation === 'complete') charge.change(theTime().now, { state: 'captured', captured: amount });
      else if (operation === 'void') charge.change(theTime().now, { state: 'reversed' });
      else charge.giveBack(theTime().now, refundRef);
    };
    if (!refused && random.chance(temper.accepts)) {
      charge.accepted = operation;
      if (operation === 'refund' && random.chance(0.3)) charge.change(now, { countsOpen: amount });
      theTime().plan(spread(random, 2_000, 400_000), () => {
        charge.accepted = undefined;
        const still = operation === 'refund' || charge.hasMoney;
        if (still && (operation !== 'complete' || charge.money.state === 'held')) done();
        world.changed(charge, 'itself');
      });
      return { status: 200, json: body({ ...said(charge, money), status: 'PENDING' }) };
    }
    done();
    world.changed(charge, 'call');
    if (refused) return { status: 200, json: refusal('E', 'Something went wrong') };
    if (operation !== 'refund') return { status: 200, json: body(said(charge, charge.money)) };
    const given = { ...said(charge, charge.money), status: 'REFUNDED', amount: major(amount) };
    return { status: 200, json: body(given) };
  }

  #refundStatus(charge: Charge, refundRef: string): Answer {
    const refund = charge.refunds.get(refundRef);
    if (!refund) return { status: 200, json: refusal('NOT_FOUND', 'Refund not found') };
    const status = { done: 'REFUNDED', open: 'PENDING', refused: 'FAILED', bounced: 'FAILED' }[refund.state];
    return {
      status: 200,
      json: body({ status, amount: major(refund.amount), currency: 'NGN', reference: charge.ref }),
    };
  }

  #status(charge: Charge | undefined, random: Random): Answer {
    const { now } = theTime();
    if (now < this.busyUntil) return { status: 429, json: {}, retryAfter: '2' };
    const lags = random.chance(this.temper.lag)
      ? spread(random, 500, Math.max(501, this.temper.longestLag))
      : 0;
    const money: Money | undefined = charge && (lags > 0 ? charge.before(now - lags) : charge.money);
    // Whoever hears what was before may close what is paid by now.
    if (charge && money !== charge.money) charge.excused = true;
    if (!charge || money?.state === 'absent' || !money)
      return { status: 200, json: refusal('NOT_FOUND', 'Transaction not found'), denies: true };
    return { status: 200, json: body(said(charge, money)) };
  }
}

interface Asked {
  operation: Method | 'otp' | 'complete' | 'void' | 'refund' | 'status' | 'refundStatus';
  ref: string;
  sent: Record<string, string>;
}

const OPERATIONS: Readonly<Record<string, Asked['operation'] | undefined>> = {
  '/payment/card': 'card',
  '/init-partner': 'wallet',
  '/payment/transfer': 'transfer',
  '/payment/validate-otp': 'otp',
  '/payment/completion': 'complete',
  '/payment/void': 'void',
  '/payment/refund': 'refund',
  '/payment/status': 'status',
};

function payOutcome(method: Method, random: Random, temper: Temper): State | 'refused' {
  if (random.chance(temper.refuses / 3)) return 'refused';
  if (method !== 'card') return 'waiting';
  return random.weighted<State>([
    ['captured', 46],
    ['otp', 12],
    ['redirect', 12],
    ['held', 14],
    ['declined', 8],
    ['pending', 8],
  ]);
}
