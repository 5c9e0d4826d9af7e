import type { Random } from '../chaos/random.ts';
import type { Exchanges, TransportRequest, TransportResult } from '../../src/gateway/transport/transport.ts';
import { Charge, major, minor, type Book, type Method, type Money, type Refund, type State } from './book.ts';
import { spread } from './chance.ts';
import { body, refusal, started } from './gateway-words.ts';
import type { Replica } from './replica.ts';
import type { Fate, How, Operation } from './steps.ts';
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
  /** How long the gateway may deny a call that is on its way, in milliseconds. */
  grace: number;
  randomOf: (name: string) => Random;
  blame: (what: string) => void;
  note: (what: string) => void;
  /** Money moved: who waits for the payer, and who tells the service. */
  changed: (charge: Charge, by: 'call' | 'itself') => void;
  /** The service has forgotten something of the order, and may name a payment as it did before. */
  isLost: (reference: string) => boolean;
  /** As a call goes out that moves money or state: whether it may. */
  sends: (call: Call) => void;
}

/** A call as it goes out. */
export interface Call {
  operation: Exclude<Operation, 'status'>;
  /** The `client_ref`. */
  ref: string;
  /** Of a refund. */
  refundRef: string;
  amount: bigint;
  /** Undefined where the gateway has none yet. */
  charge: Charge | undefined;
}

interface Answer {
  status: number;
  json: object;
  retryAfter?: string;
  /** What a status answer says; undefined where it denies that there is such a charge. */
  tells?: { money: Money | undefined };
  /** What the payer has to do, which no status answer says. */
  asks?: boolean;
  /** A completion or a void was accepted. */
  accepts?: boolean;
  /** This operation was refused. */
  refuses?: string;
  /** This refund has failed. */
  fails?: Refund | undefined;
}

const FOREIGN = { word: 'SUCCESS', amount: '1.00', currency: 'NGN', reference: 'ANOTHER-ORDER_1' };

/** What was answered is recorded so soon after. */
const HEARD_WITHIN_MS = 5_000;
/** A request that is late comes before denials of it can count: so much of the grace. */
const LATE_BY = 0.8;
/** How many operations that were accepted fail. */
const ACCEPTED_FAIL = 0.2;

/** A gateway that keeps honest books, and answers as gateways do. */
export class SimulatedGateway {
  temper: Temper = CALM;
  /** By the world's clock: until then nobody can connect. */
  downUntil = 0;
  /** Until then it answers everything with 429. */
  busyUntil = 0;
  /** Operations that living processes are sending, by reference. */
  readonly #sending = new Map<string, Set<Replica>>();
  /** All calls that processes wait for. */
  readonly #calling = new Map<string, Map<Replica, number>>();
  /** What the next call of an order meets: by order and operation. */
  readonly #expected = new Map<string, How>();
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

  expect(reference: string, operation: Operation, how: How): void {
    this.#expected.set(`${operation} ${reference}`, how);
  }

  /** From now on everything is as it is by itself. */
  becomeCalm(): void {
    this.temper = CALM;
    this.downUntil = 0;
    this.busyUntil = 0;
    this.#expected.clear();
  }

  #met({ operation, ref }: Asked): How {
    const reference = ref.slice(0, ref.lastIndexOf('_'));
    const name = `${OPERATION_OF[operation] ?? ''} ${reference}`;
    const how = this.#expected.get(name);
    if (how) this.#expected.delete(name);
    return how ?? {};
  }

  async #send(replica: Replica, request: TransportRequest): Promise<TransportResult> {
    const asked = this.#read(request);
    const { ref } = asked;
    const calling = this.#calling.get(ref) ?? new Map<Replica, number>();
    this.#calling.set(ref, calling);
    calling.set(replica, (calling.get(replica) ?? 0) + 1);
    try {
      return await this.#sendMet(replica, request, asked, this.#met(asked));
    } finally {
      calling.set(replica, (calling.get(replica) ?? 1) - 1);
    }
  }

  async #sendMet(
    replica: Replica,
    request: TransportRequest,
    asked: Asked,
    how: How,
  ): Promise<TransportResult> {
    const { method, path } = request;
    const time = theTime();
    const name = `${method} ${path} ${asked.ref}`;
    const nth = (this.#calls.get(name) ?? 0) + 1;
    this.#calls.set(name, nth);
    const random = this.world.randomOf(`gateway ${name} ${nth}`);
    const { temper } = this;
    if (how.fate === 'dies-first') replica.kill();
    if (replica.passes('gateway', 'before') || replica.dead) return new Promise(() => undefined);
    if (how.fate === 'freezes-first') replica.freeze(spread(random, 5_500, 60_000));
    await time.pause(random.chance(temper.faults / 3) ? spread(random, 10, 9_000) : spread(random, 1, 40));
    if (time.now < this.downUntil || (how.fate === undefined && random.chance(temper.faults / 8)))
      return { kind: 'not-sent', reason: random.pick(['refused', 'dns', 'tls'] as const) };
    if (request.deadline <= time.now) return { kind: 'not-sent', reason: 'connect-timeout' };
    if (request.beforeSend && !request.beforeSend()) return { kind: 'not-sent', reason: 'abandoned' };
    return this.#exchange(replica, request, asked, { random, how });
  }

  /** The request is on the wire: from here on nobody can take it back. */
  #exchange(
    replica: Replica,
    request: TransportRequest,
    asked: Asked,
    { random, how }: { random: Random; how: How },
  ): Promise<TransportResult> {
    const time = theTime();
    const { temper, world } = this;
    const operation = OPERATION_OF[asked.operation];
    const moves = operation !== undefined && operation !== 'status';
    const late = how.fate === 'late' || (moves && random.chance(temper.late));
    const there = late ? spread(random, 3_000, LATE_BY * world.grace) : spread(random, 2, 300);
    const long = how.fate === 'slow' || (how.fate === undefined && random.chance(temper.faults / 2));
    const back = long ? spread(random, how.fate ? 15_000 : 100, 60_000) : spread(random, 2, 300);
    const fate = fateOf(how, random, temper);
    const reached = moves ? asked.ref : undefined;
    if (moves) this.#goesOut(operation, asked);
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
      const breaks = ['late', 'never', 'lost', 'swallows'].includes(how.fate ?? '');
      if (breaks)
        time.plan(spread(random, 20, 800), () => {
          settle({ kind: 'unknown', reason: 'reset' });
        });
      const arrives = (): void => {
        if (how.fate === 'never') return;
        const answer = this.#answer(asked, { random, how });
        const said = time.now;
        const charge = this.book.find(asked.ref);
        // Nobody waits for it any more, and an answer on its way says what was before.
        if (!open && moves && charge && charge.answering > 0 && charge.changedAt === said)
          charge.unknownSince = said;
        // Before it came, an answer may have asked for it once more.
        if (!open && charge && (operation === 'otp' || operation === 'pin')) charge.misled = true;
        if (charge) isOnItsWay(charge, replica, back + HEARD_WITHIN_MS);
        const result = this.#deliver(fate, answer, moves);
        this.world.note(
          `${asked.operation} ${asked.ref}: ${fate} ${result ? '' : 'nothing '}${JSON.stringify(answer.json).slice(0, 160)}`,
        );
        if (result)
          time.as(replica, () =>
            time.plan(back, () => {
              if (open && fate === 'answer') this.#isHeard(asked.ref, answer, { replica, said });
              settle(result);
            }),
          );
      };
      time.outside(() => {
        time.plan(there, arrives);
      });
      if (how.fate === 'dies') replica.kill();
      if (how.fate === 'freezes') replica.freeze(spread(random, 8_000, 60_000));
      if (replica.passes('gateway', 'after') || replica.dead) open = false;
    });
  }

  /** A call that moves money or state. */
  #goesOut(operation: Call['operation'], { ref, sent }: Asked): void {
    const charge = this.book.find(ref);
    const amount = minor(sent['amount'] ?? '0');
    this.world.sends({ operation, ref, refundRef: sent['refundRef'] ?? '', amount, charge });
    charge?.count(operation);
    if (charge) charge.toldAccepted = charge.toldRefused = undefined;
  }

  #isHeard(ref: string, answer: Answer, { replica, said }: { replica: Replica; said: number }): void {
    if (answer.tells)
      this.book.hears(ref, { said, at: theTime().now, by: replica, money: answer.tells.money });
    const charge = this.book.find(ref);
    if (charge && answer.asks) charge.toldAction = { at: theTime().now, by: replica };
    if (charge && answer.accepts) charge.toldAccepted = charge.accepted;
    if (answer.fails) {
      answer.fails.toldFailed = true;
      if (answer.fails.state === 'bounced') answer.fails.toldBack = (answer.fails.toldBack ?? 0) + 1;
    }
    if (charge && answer.refuses !== undefined) charge.toldRefused = answer.refuses;
  }

  isSending(ref: string): boolean {
    return [...(this.#sending.get(ref) ?? [])].some(({ dead }) => !dead);
  }

  /** Whether this process waits for a call about a charge. */
  isCalling(replica: object, ref: string): boolean {
    return (this.#calling.get(ref)?.get(replica as Replica) ?? 0) > 0;
  }

  #senders(ref: string): Set<Replica> {
    const known = this.#sending.get(ref) ?? new Set();
    this.#sending.set(ref, known);
    return known;
  }

  #deliver(
    fate: Delivery,
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

  #answer(asked: Asked, { random, how }: { random: Random; how: How }): Answer {
    const { operation } = asked;
    const charge = this.book.find(asked.ref);
    if (operation === 'status') return this.#status(charge, random);
    if (theTime().now < this.busyUntil && operation !== 'refundStatus')
      return { status: 429, json: {}, retryAfter: '2' };
    if (operation === 'card' || operation === 'wallet' || operation === 'transfer' || operation === 'ussd')
      return this.#pay(asked, operation, { random, how });
    if (!charge) return { status: 200, json: refusal('NOT_FOUND', 'Transaction not found') };
    if (operation === 'refundStatus') return this.#refundStatus(charge, asked.sent['refundRef'] ?? '');
    if (operation === 'otp' || operation === 'pin')
      return this.#challenge(charge, operation, { random, how });
    return this.#operate(charge, operation, asked, { random, how });
  }

  #pay(asked: Asked, method: Method, { random, how }: { random: Random; how: How }): Answer {
    const { now } = theTime();
    const known = this.book.find(asked.ref);
    if (known) {
      if (!this.world.isLost(known.reference))
        this.world.blame(`${asked.ref} was charged twice: an intent is sent once`);
      return { status: 200, json: refusal('DUPLICATE', 'This reference was used') };
    }
    const charge = new Charge(asked.ref, method, minor(asked.sent['amount'] ?? ''));
    // What was expected of a card says nothing of a transfer that has come instead: nobody has paid that as it begins.
    const expected = method === 'card' ? how.outcome : undefined;
    const outcome = expected ?? payOutcome(method, random, this.temper);
    this.book.begin(charge);
    if (outcome === 'refused') return { status: random.pick([400, 404, 422, 401, 429]), json: {} };
    charge.change(now, { state: outcome, ...(outcome === 'captured' && { captured: charge.amount }) });
    this.world.changed(charge, 'call');
    if (outcome === 'declined') return { status: 200, json: refusal('05', 'Declined by the issuer') };
    return { status: 200, json: started(method, charge.said()), asks: method !== 'card' };
  }

  #challenge(charge: Charge, asked: 'otp' | 'pin', { random, how }: { random: Random; how: How }): Answer {
    if (charge.money.state !== asked) return { status: 200, json: refusal('X', 'No code expected') };
    const outcome =
      how.outcome ??
      random.weighted<State | 'refused'>([
        ['captured', 50],
        ['held', 8],
        ['declined', 10],
        ['otp', 10],
        ['pin', asked === 'pin' ? 5 : 0],
        ['pending', 12],
        ['refused', 10],
      ]);
    if (outcome === 'refused') return { status: 200, json: refusal('W', 'Wrong code') };
    charge.change(theTime().now, {
      state: outcome,
      ...(outcome === 'captured' && { captured: charge.amount }),
    });
    this.world.changed(charge, 'call');
    return { status: 200, json: body(charge.said()) };
  }

  #operate(
    charge: Charge,
    operation: 'complete' | 'void' | 'refund',
    asked: Asked,
    { random, how: { fate } }: { random: Random; how: How },
  ): Answer {
    const { now } = theTime();
    const { temper, world } = this;
    const { money } = charge;
    const amount = minor(asked.sent['amount'] ?? '0');
    const refundRef = asked.sent['refundRef'] ?? '';
    const can = {
      complete: money.state === 'held' && amount <= charge.amount,
      void: charge.hasMoney && money.refunded === 0n && money.disputed === 0n,
      refund: charge.canRefund(amount) && amount <= charge.left - charge.openRefunds,
    }[operation];
    if (operation === 'refund' && !charge.refunds.has(refundRef))
      charge.refunds.set(refundRef, { amount, state: 'open' });
    const refund = charge.refunds.get(refundRef);
    const byChance = fate === undefined;
    const refused =
      fate === 'refuses' || fate === 'does-refused' || (byChance && random.chance(temper.refuses));
    const doesRefused = fate === 'does-refused' || (byChance && random.chance(temper.doesRefused));
    // A void that it has yet to carry out keeps it from nothing else: so what was given back may be reversed besides.
    const besideVoid = operation === 'refund' && charge.accepted === 'void';
    const isBusy = charge.accepted !== undefined && !besideVoid;
    if (!can || isBusy || (refused && !doesRefused)) {
      if (refund) refund.state = 'refused';
      return {
        status: random.pick([200, 400]),
        json: refusal('INVALID_STATE', 'Not now'),
        ...{ refuses: operation, fails: refund },
      };
    }
    const done = (fails: boolean): void => {
      const at = theTime().now;
      const { state } = charge.money;
      if (operation === 'refund') charge.giveBack(at, refundRef, fails);
      else if (fails) charge.isStuck = true;
      else if (operation === 'complete' && state === 'held')
        charge.change(at, { state: 'captured', captured: amount });
      else if (operation === 'void' && (state === 'held' || state === 'captured'))
        charge.change(at, { state: 'reversed' });
    };
    const accepts = fate === 'accepts' || fate === 'swallows';
    if (!besideVoid && (accepts || (!refused && byChance && random.chance(temper.accepts)))) {
      charge.accepted = operation;
      if (operation === 'refund' && random.chance(accepts ? 0.7 : 0.3))
        charge.change(now, { countsOpen: amount });
      // One that was not even said to be accepted must be done, or nobody would have to care.
      const fails = fate !== 'swallows' && random.chance(operation === 'refund' ? ACCEPTED_FAIL : 0.03);
      charge.carryOut = () => {
        if (!charge.carryOut) return;
        charge.carryOut = undefined;
        charge.accepted = undefined;
        done(fails);
        world.changed(charge, 'itself');
      };
      theTime().plan(spread(random, accepts ? 20_000 : 2_000, accepts ? 400_000 : 120_000), () => {
        charge.carryOut?.();
      });
      return {
        status: 200,
        json: body({ ...charge.said(money), word: 'PENDING' }),
        accepts: operation !== 'refund',
      };
    }
    const isKnown = this.book.heard(charge.ref).at(-1)?.money?.refunded === money.refunded;
    done(false);
    // Beside what else was given back unheard, nobody can tell.
    if (refused && refund?.state === 'done' && isKnown) charge.doneAsRefused = amount;
    world.changed(charge, 'call');
    if (refused)
      return { status: 200, json: refusal('E', 'Something went wrong'), refuses: operation, fails: refund };
    if (operation !== 'refund') return { status: 200, json: body(charge.said()) };
    const given = { ...charge.said(), word: 'REFUNDED', amount: major(amount) };
    return { status: 200, json: body(given) };
  }

  #refundStatus(charge: Charge, refundRef: string): Answer {
    const refund = charge.refunds.get(refundRef);
    if (!refund) return { status: 200, json: refusal('NOT_FOUND', 'Refund not found') };
    const word = { done: 'REFUNDED', open: 'PENDING', refused: 'FAILED', bounced: 'FAILED' }[refund.state];
    return {
      status: 200,
      json: body({ word, amount: major(refund.amount), currency: 'NGN', reference: charge.ref }),
      fails: word === 'FAILED' ? refund : undefined,
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
    if (charge && money !== charge.money) {
      charge.unknownSince = now;
      charge.misled = true;
    }
    if (!charge || money?.state === 'absent' || !money)
      return {
        status: 200,
        json: refusal('NOT_FOUND', 'Transaction not found'),
        tells: { money: charge?.money.state === 'absent' ? charge.money : undefined },
      };
    return { status: 200, json: body(charge.said(money)), tells: { money } };
  }
}

/** An answer is on its way so long; longer where nobody runs who could hear it. */
function isOnItsWay(charge: Charge, replica: Replica, milliseconds: number): void {
  const time = theTime();
  charge.answering += 1;
  const isHeard = (): void => {
    if (!replica.dead && replica.frozenUntil > time.now - HEARD_WITHIN_MS)
      time.plan(replica.frozenUntil + HEARD_WITHIN_MS - time.now + 1, isHeard);
    else charge.answering -= 1;
  };
  time.plan(milliseconds, isHeard);
}

interface Asked {
  operation: Method | 'otp' | 'pin' | 'complete' | 'void' | 'refund' | 'status' | 'refundStatus';
  ref: string;
  sent: Record<string, string>;
}

const OPERATION_OF: Readonly<Record<Asked['operation'], Operation | undefined>> = {
  card: 'pay',
  transfer: 'pay',
  wallet: 'pay',
  ussd: 'pay',
  otp: 'otp',
  pin: 'pin',
  complete: 'complete',
  void: 'void',
  refund: 'refund',
  status: 'status',
  refundStatus: undefined,
};

type Delivery = 'answer' | 'reset' | 'cut' | 'error-500' | 'html' | 'silence' | 'busy' | 'odd' | 'foreign';

/** What becomes of an answer. */
function fateOf({ fate }: How, random: Random, { faults }: Temper): Delivery {
  if (fate !== undefined) return DELIVERIES[fate] ?? 'answer';
  return random.chance(faults)
    ? random.pick(['reset', 'cut', 'error-500', 'html', 'silence', 'busy', 'odd', 'foreign'] as const)
    : 'answer';
}

const DELIVERIES: Partial<Readonly<Record<Fate, Delivery>>> = {
  lost: 'silence',
  late: 'silence',
  swallows: 'silence',
  foreign: 'foreign',
};

const OPERATIONS: Readonly<Record<string, Asked['operation'] | undefined>> = {
  '/payment/card': 'card',
  '/init-partner': 'wallet',
  '/payment/transfer': 'transfer',
  '/ussd/code': 'ussd',
  '/payment/validate-otp': 'otp',
  '/payment/validate-pin': 'pin',
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
    ['otp', 10],
    ['pin', 5],
    ['redirect', 9],
    ['held', 14],
    ['declined', 8],
    ['pending', 8],
  ]);
}
