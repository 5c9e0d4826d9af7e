import type { Behaviour } from '../harness/gateway-behaviour.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import type { RecordedRequest } from '../harness/request-reader.js';
import {
  HONEST,
  MOST_FALSE_DENIALS,
  SAYS_NOTHING,
  USUAL,
  type Manner,
  type Plans,
  type Question,
} from './gateway-plans.ts';
import { body, refusal, said, started, type Said } from './gateway-words.ts';
import { major, minor, MoneyLedger, type Method, type Transaction } from './money-ledger.ts';

/** A gateway that keeps books, and tells the truth about them or not. */
export class LedgerGateway {
  readonly ledger = new MoneyLedger();
  /** What must never be. */
  onViolation: (what: string) => void = () => undefined;
  onNote: (what: string) => void = () => undefined;
  /** Whether the shop has asked for as many voids of it as were sent. */
  isAskedFor: (transaction: Transaction) => boolean = () => true;
  /** What the next call of each kind meets. */
  plans: Partial<Plans> = {};
  /** What the next status queries meet, one after the other. */
  questions: Question[] = [];
  /** How many answers of status queries were held back, or showed what was before. */
  stale = 0;
  readonly #held: (() => void)[] = [];
  readonly #whenHeld: (() => void)[] = [];

  private readonly server: MisbehavingGateway;

  private constructor(server: MisbehavingGateway) {
    this.server = server;
  }

  static async start(): Promise<LedgerGateway> {
    const server = await startMisbehavingGateway();
    const gateway = new LedgerGateway(server);
    server.script('POST /payment/card', (request) => gateway.#pay(request, 'card'));
    server.script('POST /init-partner', (request) => gateway.#pay(request, 'wallet'));
    server.script('POST /payment/transfer', (request) => gateway.#pay(request, 'transfer'));
    server.script('POST /ussd/code', (request) => gateway.#pay(request, 'ussd'));
    const sending = (route: string, carry: (request: RecordedRequest) => Promise<Behaviour>): void =>
      void server.script(route, (request) => gateway.#sending(request, carry));
    sending('POST /payment/validate-otp', (request) => gateway.#otp(request));
    sending('POST /payment/completion', (request) => gateway.#complete(request));
    sending('POST /payment/void', (request) => gateway.#void(request));
    sending('POST /payment/refund', (request) => gateway.#refund(request));
    server.script('GET /refund/*', ({ path }) =>
      Promise.resolve(gateway.#refundStatus(decodeURIComponent(path.split('/')[2] ?? ''))),
    );
    server.script('POST /payment/status', (request) => gateway.#status(referenceOf(request)));
    server.script('GET /transaction/*', ({ path }) =>
      gateway.#status(decodeURIComponent(path.split('/')[2] ?? '')),
    );
    return gateway;
  }

  get url(): string {
    return this.server.url;
  }

  /** Resolves as soon as an answer is held back. */
  whenHeld(): Promise<void> {
    return new Promise((resolve) => this.#whenHeld.push(resolve));
  }

  get holding(): number {
    return this.#held.length;
  }

  /** Lets all answers go that are held back. */
  release(): void {
    for (const go of this.#held.splice(0)) go();
  }

  /** From now on it tells the truth, at once. */
  calm(): void {
    this.plans = {};
    this.questions = [];
    this.release();
  }

  forget(): void {
    this.server.forget();
  }

  close(): Promise<void> {
    return this.server.close();
  }

  #take<K extends keyof Plans>(kind: K): Plans[K] {
    const plan = this.plans[kind] ?? USUAL[kind];
    delete this.plans[kind];
    return plan;
  }

  /** While its answer is under way the call is being sent, as far as the service can know. */
  async #sending(
    request: RecordedRequest,
    carry: (request: RecordedRequest) => Promise<Behaviour>,
  ): Promise<Behaviour> {
    const transaction = this.ledger.find(referenceOf(request));
    if (transaction) transaction.sending += 1;
    try {
      return await carry(request);
    } finally {
      if (transaction) transaction.sending -= 1;
    }
  }

  #pay(request: RecordedRequest, method: Method): Promise<Behaviour> {
    const sent = request.json as { client_ref: string; amount: string; authNotifyUrl?: string };
    const { truth, manner } = this.#take('pay');
    const before = this.ledger.find(sent.client_ref);
    // In the past its answers may have been such that nobody could know.
    const mayBeUnknown = before?.excuses.lied || before?.excuses.movedLate || !before?.named;
    if (before?.forgotten && mayBeUnknown) {
      // The copy that was restored gives its reference out again. The gateway takes no money for it twice.
      before.forgotten = false;
      before.excuses.movedLate = true;
      before.returnUrl = sent.authNotifyUrl;
      this.onNote(`${sent.client_ref} is started again: ${before.books.state}`);
      return this.#answer(before, body(said(before)), manner);
    }
    if (before) {
      this.onViolation(`${sent.client_ref} was started at the gateway twice`);
      return this.#answer(before, body(said(before)), manner);
    }
    const transaction = this.ledger.begin(sent.client_ref, method, minor(sent.amount));
    this.#lookBack(transaction);
    transaction.count('pay');
    transaction.returnUrl = sent.authNotifyUrl;
    this.onNote(`${sent.client_ref} ${method}: ${truth}, said ${manner.how} ${manner.word}`);
    if (truth === 'absent' || truth === 'busy' || truth === 'later') {
      transaction.comesLater = truth === 'later';
      const answer = truth === 'later' ? ({ do: 'reset-after-reading' } as const) : rejection(truth);
      return this.#behave(transaction, answer, quiet(manner));
    }
    transaction.change({ state: truth, ...(truth === 'captured' && { captured: transaction.amount }) });
    transaction.charging = method === 'card' && truth === 'pending';
    if (truth === 'declined')
      return this.#answer(transaction, refusal('05', 'Declined by the issuer'), manner);
    const write = (what: Said): object => started(method, what);
    return this.#answer(transaction, write(said(transaction)), manner, write);
  }

  /** An order must not be sold while an earlier attempt holds money, or may yet get some. */
  #lookBack(started: Transaction): void {
    for (const earlier of this.ledger.of(started.reference)) {
      const { clientRef, excuses, hasMoney, holdsMoney, books, forgotten, named } = earlier;
      if (clientRef === started.clientRef || (forgotten && !(named && holdsMoney))) continue;
      if (excuses.movedLate || excuses.lied || excuses.resolved) continue;
      if (hasMoney)
        this.onViolation(
          `(a) ${started.clientRef} was started while ${clientRef} is ${books.state} at the gateway`,
        );
    }
  }

  #otp(request: RecordedRequest): Promise<Behaviour> {
    const { transaction, plan } = this.#later(request, 'otp');
    const { truth, manner } = plan;
    if (transaction?.books.state !== 'otp')
      return this.#answer(transaction, refusal('X', 'No code expected'), manner);
    if (truth === 'absent') return this.#behave(transaction, rejection('absent'), quiet(manner));
    if (truth === 'refused')
      return this.#behave(transaction, answerOf(refusal('W', 'Wrong code')), quiet(manner));
    if (truth !== 'again')
      transaction.change({ state: truth, ...(truth === 'captured' && { captured: transaction.amount }) });
    transaction.charging = truth === 'pending';
    return this.#answer(transaction, body(said(transaction)), manner);
  }

  #complete(request: RecordedRequest): Promise<Behaviour> {
    const { transaction, plan } = this.#later(request, 'complete');
    const amount = minor((request.json as { amount: string }).amount);
    const can = transaction?.books.state === 'held' && amount <= transaction.amount && !transaction.accepted;
    if (transaction && can && plan.truth === 'done') transaction.capture(amount);
    if (transaction && can && plan.truth === 'accepted')
      transaction.accepted = { operation: 'complete', amount };
    return this.#carriedOut(transaction, can, plan);
  }

  #void(request: RecordedRequest): Promise<Behaviour> {
    const { transaction, plan } = this.#later(request, 'void');
    if (transaction) this.#lookBeside(transaction);
    const can =
      transaction?.hasMoney === true &&
      !transaction.accepted &&
      transaction.books.refunded === 0n &&
      !transaction.books.disputed;
    if (transaction && can && plan.truth === 'done') transaction.change({ state: 'reversed' });
    if (transaction && can && plan.truth === 'accepted') transaction.accepted = { operation: 'void' };
    if (transaction && can && plan.truth === 'late') transaction.voidComesLater = true;
    return this.#carriedOut(transaction, can, plan);
  }

  /** A duplicate that nobody asked to void is voided only while another payment of its order holds money, for good. */
  #lookBeside(voided: Transaction): void {
    if (this.isAskedFor(voided)) return;
    const others = this.ledger.of(voided.reference).filter((one) => one !== voided);
    if (others.some(({ excuses }) => excuses.lied || excuses.movedLate || excuses.foreign)) return;
    // What moved since the service asked it cannot know.
    if (others.some(({ heard, books }) => heard !== books && heard?.state === 'captured')) return;
    const pays = others.some(
      ({ holdsMoney, voidComesLater, accepted }) =>
        holdsMoney && !voidComesLater && accepted?.operation !== 'void',
    );
    if (!pays)
      this.onViolation(`(k) ${voided.clientRef} was voided by the policy, and nothing else pays the order`);
  }

  #refund(request: RecordedRequest): Promise<Behaviour> {
    const { transaction, plan } = this.#later(request, 'refund');
    const { refundRef, amount: asked } = request.json as { refundRef: string; amount: string };
    const amount = minor(asked);
    if (transaction) this.#countRefund(transaction, refundRef, amount);
    const can = transaction?.canRefund(amount) === true && !transaction.accepted;
    const { truth } = plan;
    transaction?.refunds.set(refundRef, { amount, state: can ? 'open' : 'refused' });
    const refund = transaction?.refunds.get(refundRef);
    if (transaction && refund && can) {
      if (truth === 'done') transaction.giveBack(refundRef);
      else if (truth === 'accepted') transaction.accepted = { operation: 'refund', refundRef };
      else refund.state = truth;
    }
    const word = truth === 'accepted' ? 'PENDING' : 'REFUNDED';
    return this.#carriedOut(transaction, can, plan, { word, amount: asked });
  }

  /** A reference is sent once, and refunds that were not refused never come to more than was taken. */
  #countRefund(transaction: Transaction, refundRef: string, amount: bigint): void {
    const { clientRef, refunds, books, forgottenRefunds, excuses } = transaction;
    if (refunds.has(refundRef)) this.onViolation(`(h) ${refundRef} was sent twice`);
    // What the store has forgotten it knows by the gateway's answers alone, which may lag.
    const maySee = !excuses.movedLate && !excuses.lied && !excuses.foreign;
    const given = [...refunds]
      .filter(([ref, { state }]) =>
        forgottenRefunds.has(ref) ? state === 'done' && maySee : state === 'done' || state === 'open',
      )
      .reduce((sum, [, refund]) => sum + refund.amount, amount);
    const knows = transaction.heard === books && maySee && !excuses.resolved;
    const open = [...refunds]
      .filter(([ref, { state }]) => state === 'open' && !forgottenRefunds.has(ref))
      .map(([, refund]) => refund);
    const left = open.reduce((sum, refund) => sum - refund.amount, books.captured - books.refunded);
    if (knows && books.state === 'captured' && amount > left)
      this.onViolation(`(h) ${clientRef}: ${amount} were to be given back, and ${left} were left`);
    if (knows && transaction.doneAsRefused && [...refunds.values()].some(({ amount: one }) => one === amount))
      this.onViolation(`(h) ${clientRef}: ${amount} were to be given back, which a refused refund had done`);
    if (given > books.captured && !excuses.lied)
      this.onViolation(`(h) ${clientRef}: ${given} were to be given back of ${books.captured}`);
  }

  #refundStatus(refundRef: string): Behaviour {
    const transaction = this.ledger.find(refundRef.replace(/_r\d+(?:e\d+)?$/, ''));
    const refund = transaction?.refunds.get(refundRef);
    this.onNote(`${refundRef} asked: ${refund?.state ?? 'unknown'}`);
    if (!transaction || !refund || refund.state === 'absent')
      return answerOf(refusal('NOT_FOUND', 'Refund not found'));
    const word = { done: 'REFUNDED', open: 'PENDING', refused: 'FAILED' }[refund.state];
    const { clientRef } = transaction;
    return answerOf(body({ word, amount: major(refund.amount), currency: 'NGN', reference: clientRef }));
  }

  #later<K extends 'otp' | 'complete' | 'void' | 'refund'>(
    request: RecordedRequest,
    kind: K,
  ): { transaction: Transaction | undefined; plan: Plans[K] } {
    const transaction = this.ledger.find(referenceOf(request));
    const plan = this.#take(kind);
    transaction?.count(kind);
    this.onNote(
      `${referenceOf(request)} ${kind}: ${plan.truth}, said ${plan.manner.how} ${plan.manner.word}`,
    );
    return { transaction, plan };
  }

  #carriedOut(
    transaction: Transaction | undefined,
    can: boolean,
    { truth, manner }: Plans['void'],
    about: Partial<Said> = {},
  ): Promise<Behaviour> {
    if (!transaction) return this.#answer(transaction, refusal('NOT_FOUND', 'Transaction not found'), HONEST);
    if (!can || truth === 'refused')
      return this.#behave(transaction, answerOf(refusal('INVALID_STATE', 'Not now')), quiet(manner));
    if (truth === 'absent') return this.#behave(transaction, rejection('absent'), quiet(manner));
    if (truth === 'late') return this.#behave(transaction, { do: 'reset-after-reading' }, quiet(manner));
    const word = truth === 'accepted' ? { word: 'PENDING' } : {};
    return this.#answer(transaction, body({ ...said(transaction), ...word, ...about }), manner);
  }

  #status(clientRef: string): Promise<Behaviour> {
    const transaction = this.ledger.find(clientRef);
    if (!transaction) return Promise.resolve(answerOf(refusal('NOT_FOUND', 'Transaction not found')));
    const asked = this.questions.shift() ?? HONEST;
    // An answer that names the payment, whatever else it says, means that the gateway has it.
    const names =
      !SAYS_NOTHING.includes(asked.how) && !['lag', 'busy', 'lie', 'other-reference'].includes(asked.how);
    const question = transaction.books.state === 'absent' && names ? HONEST : asked;
    this.onNote(`${clientRef} asked: ${transaction.books.state}, said ${question.how}`);
    switch (question.how) {
      case 'busy':
        return Promise.resolve({ do: 'answer', status: 429, body: {}, headers: { 'retry-after': '1' } });
      case 'lie':
        // A lie that happens to be true is none.
        if (said(transaction).word !== question.word) transaction.excuses.lied = true;
        return Promise.resolve(answerOf(body({ ...said(transaction), word: question.word })));
      case 'lag':
        return this.#lagging(transaction);
      default:
        if (question.how === 'honest') transaction.heard = transaction.books;
        return this.#answer(transaction, this.#deny(transaction, said(transaction)), question);
    }
  }

  #lagging(transaction: Transaction): Promise<Behaviour> {
    const { former, books } = transaction;
    const denies = former.state === 'absent' && books.state !== 'absent';
    if (denies && transaction.denied >= MOST_FALSE_DENIALS)
      return this.#answer(transaction, body(said(transaction)), HONEST);
    transaction.excuses.movedLate = true;
    return this.#answer(transaction, this.#deny(transaction, said(transaction, former)), HONEST);
  }

  /** Counts what it denies. */
  #deny(transaction: Transaction, what: Said): object {
    if (what.word === 'NOT_FOUND') {
      transaction.denied += 1;
      transaction.deniedLast = performance.now();
    }
    return body(what);
  }

  #answer(
    transaction: Transaction | undefined,
    honest: object,
    manner: Manner,
    write: (what: Said) => object = body,
  ): Promise<Behaviour> {
    const { how, word } = manner;
    if (!transaction) return Promise.resolve(answerOf(honest));
    if (how.startsWith('other-')) transaction.excuses.foreign = true;
    const own = { ...said(transaction), word };
    switch (how) {
      case 'other-reference':
        return Promise.resolve(answerOf(write({ ...own, reference: 'ANOTHER-ORDER_1' })));
      case 'other-amount':
        return Promise.resolve(answerOf(write({ ...own, amount: '9999.00' })));
      case 'other-currency':
        return Promise.resolve(answerOf(write({ ...own, currency: 'USD' })));
      case 'contradiction':
        return Promise.resolve(answerOf({ ...write({ ...own, word: 'SUCCESS' }), error: true }));
      case 'unlisted':
        return Promise.resolve(answerOf(write({ ...own, word: 'ON_THE_MOON' })));
      default:
        return this.#behave(transaction, answerOf(honest), manner);
    }
  }

  async #behave(transaction: Transaction, honest: Behaviour, { how }: Manner): Promise<Behaviour> {
    switch (how) {
      case 'slow': {
        const books = transaction.books;
        await this.#hold();
        if (transaction.books !== books) transaction.excuses.movedLate = true;
        return honest;
      }
      case 'silent':
        return { do: 'silent' };
      case 'reset':
        return { do: 'reset-after-reading' };
      case 'close':
        return { do: 'close-after-reading' };
      case 'cut':
        return { do: 'cut', ...(honest.do === 'answer' && { body: honest.body }) };
      case 'error-500':
        return { do: 'answer', status: 500, body: { error: true, message: 'oops' } };
      case 'html':
        return { do: 'text', status: 502, text: '<h1>Bad gateway</h1>' };
      default:
        return honest;
    }
  }

  #hold(): Promise<void> {
    for (const told of this.#whenHeld.splice(0)) told();
    return new Promise((resolve) => this.#held.push(resolve));
  }
}

function quiet(manner: Manner): Manner {
  return SAYS_NOTHING.includes(manner.how) ? manner : { ...manner, how: 'reset' };
}

function rejection(truth: 'absent' | 'busy'): Behaviour {
  return truth === 'busy'
    ? { do: 'answer', status: 429, body: { error: true, message: 'busy' }, headers: { 'retry-after': '1' } }
    : { do: 'answer', status: 422, body: { error: true, message: 'Refused unread' } };
}

function answerOf(content: object): Behaviour {
  return { do: 'answer', status: 200, body: content };
}

function referenceOf(request: RecordedRequest): string {
  return (request.json as { client_ref?: string } | undefined)?.client_ref ?? '';
}
