import type { Random } from '../chaos/random.ts';
import type { ApprovedDto } from '../../src/approvals/approval.dto.ts';
import type { PaymentDto } from '../../src/payments/views/payment.dto.ts';
import { decide, waitingApprovals, type DecisionKind } from './approvals.ts';
import { major, type Charge, type Method } from './book.ts';
import { mayMove, moveAtGateway } from './gateway-moves.ts';
import { lookAtMoment } from './judge.ts';
import { anyStep, type Order } from './plan.ts';
import type { Container } from './engine.ts';
import type { Reply } from './replica.ts';
import { isMove, type GatewayMove, type How, type Step, type StepKind } from './steps.ts';
import type { World } from './world.ts';

/** One order: what its payer, the merchant's people and the gateway do with it. */

type Operation = 'otp' | 'pin' | 'complete' | 'void' | 'refund';

/** So long a step of a beginning waits for the one before it, or until it can be done. */
const PATIENCE_MS = 4_000;
const LOOKS_AGAIN_MS = 250;

const OPERATIONS = ['otp', 'pin', 'complete', 'void', 'refund'] as const;

const DEVICE = {
  javaEnabled: false,
  language: 'en-NG',
  screenHeight: 1080,
  screenWidth: 1920,
  colorDepth: 24,
  timeZone: 'Africa/Lagos',
  userAgent: 'Simulated/1.0',
};
const PAYER = { email: 'ada@example.com', phone: '+2348012345678', firstName: 'Ada', lastName: 'Obi' };
const BILLING = {
  street: '1 Marina',
  city: 'Lagos',
  stateProvince: 'Lagos',
  postCode: '101001',
  country: 'NGA',
};
const CARD = {
  number: '5060990580000217499',
  expiryMonth: '12',
  expiryYear: '2035',
  cvv: '111',
  nameOnCard: 'Ada Obi',
};

export class OrderRun {
  readonly reference: string;
  /** How often the shop or the payer has asked for an operation, each key once: by operation and charge. */
  readonly asked = new Map<string, number>();
  /** The last call, to be made again under its own key. */
  #last: (() => Promise<void>) | undefined;
  /** All refunds that were asked for, to be asked for again. */
  readonly #refunds: (() => Promise<void>)[] = [];
  /** The step that was begun last. */
  #step: Promise<void> = Promise.resolve();
  /** Which payment a key has made. */
  readonly #madeBy = new Map<string, string>();
  #session: string | undefined;
  #sessions = 0;
  private readonly world: World;
  private readonly order: Order;

  constructor(world: World, order: Order) {
    this.world = world;
    this.order = order;
    this.reference = order.reference;
  }

  /** Takes a step, then holds the order against the books. */
  async take(step: Step): Promise<void> {
    const before = this.#step;
    this.#step = this.#takeAfter(before, step);
    await this.#step;
  }

  async #takeAfter(before: Promise<void>, step: Step): Promise<void> {
    const { world } = this;
    if (step.isPatient) await Promise.race([before, world.time.pause(PATIENCE_MS)]);
    const random = world.random(`step ${step.id}`);
    await this.#do(step, random);
    lookAtMoment(world, this.reference);
  }

  async #do(step: Step, random: Random): Promise<void> {
    const { world } = this;
    const { id } = step;
    for (let waited = 0; step.isPatient && waited < PATIENCE_MS && !this.#applies(step.kind);) {
      await world.time.pause(LOOKS_AGAIN_MS);
      waited += LOOKS_AGAIN_MS;
    }
    const kind = this.#applicable(step.kind, random);
    const { how } = step;
    world.note(`STEP ${step.id} ${kind} ${this.reference} ${JSON.stringify(how)}`);
    if (isMove(kind)) return this.#moves(kind, random);
    if (kind === step.kind && (how.fate ?? how.outcome) !== undefined) this.#expect(step, kind, how);
    switch (kind) {
      case 'expect':
      case 'wait':
        return;
      case 'sets-clock':
        if (world.plan.setsClock && !world.calm) world.setDatabaseClock(random);
        return;
      case 'pay':
      case 'pay-anyway':
        return this.pay(id, step.method, random);
      case 'pay-twice':
        return this.#both(id, (key) => this.pay(key, step.method, random));
      case 'again':
        return this.#last?.();
      case 'otp':
      case 'pin':
        return this.#operate(kind, id, random);
      case 'otp-twice':
        return this.#both(id, (key) => this.#operate('otp', key, random));
      case 'pin-twice':
        return this.#both(id, (key) => this.#operate('pin', key, random));
      case 'complete':
      case 'void':
        return this.#operate(kind, id, random);
      case 'complete-part':
        return this.#operate('complete', id, random, major(this.order.amount / 2n));
      case 'void-twice':
        return this.#both(id, (key) => this.#operate('void', key, random));
      case 'void-payer':
        return this.#operate('void', id, random, undefined, this.#payer);
      case 'refund-payer':
        return this.#operate('refund', id, random, undefined, this.#payer);
      case 'refund':
        return this.#operate('refund', id, random);
      case 'refund-part':
        return this.#operate('refund', id, random, major(this.order.amount / 3n));
      case 'refund-half':
        return this.#operate('refund', id, random, major(this.order.amount / 2n));
      case 'refund-twice':
        return this.#both(id, (key) =>
          this.#operate('refund', key, random, major(this.order.amount / 2n + 1n)),
        );
      case 'cancel':
        return this.#cancel(id, random);
      case 'approve':
      case 'approve-own':
      case 'decline':
        return this.#decide(kind, id, random);
      case 'approve-twice':
        return this.#both(id, (key) => this.#decide('approve', key, random));
      case 'approve-and-decline':
        await Promise.all([this.#decide('approve', id, random), this.#decide('decline', id, random)]);
        return;
      case 'resolve':
        return this.#resolve(id, random);
      case 'resolve-hastily':
        return this.#resolve(id, random, { hastily: true });
      case 'resolve-amount':
        return this.#resolve(id, random, { amount: major(this.order.amount / 2n) });
      case 'resolve-refund':
        return this.#resolveRefund(id, random);
      case 'refresh':
        await this.refresh(this.#pick(random), random);
        return;
      case 'return':
        return this.#comeBack(random);
      case 'close':
        return this.#close(id, random);
      case 'new-session':
        return this.#open(id, random);
      case 'notify':
        return this.#notify(random);
      default:
        return undefined;
    }
  }

  /** What the next call meets of what this step does. */
  #expect(step: Step, kind: StepKind, how: How): void {
    const operation =
      kind === 'expect' ? step.operation : (OPERATIONS.find((one) => kind.startsWith(one)) ?? 'pay');
    this.world.gateway.expect(this.reference, operation, how);
  }

  /** The payment that pays, where there are duplicates of it. */
  get #payer(): PaymentDto | undefined {
    const { payments } = this;
    return payments.find(({ id }) => payments.some(({ duplicateOf }) => duplicateOf === id));
  }

  /** What was planned, or something else where that is not possible now. */
  #applicable(planned: StepKind, random: Random): StepKind {
    let kind = planned;
    for (let tries = 0; tries < 6 && !this.#applies(kind); tries++) kind = anyStep(random);
    return kind;
  }

  #applies(kind: StepKind): boolean {
    const charges = this.world.book.of(this.reference);
    if (isMove(kind)) return charges.some((charge) => mayMove(kind, charge));
    const { payments } = this;
    const any = (...statuses: string[]): boolean => payments.some(({ status }) => statuses.includes(status));
    switch (kind) {
      case 'otp':
      case 'otp-twice':
        return payments.some(({ nextAction }) => nextAction?.type === 'otp');
      case 'pin':
      case 'pin-twice':
        return payments.some(({ nextAction }) => nextAction?.type === 'pin');
      case 'cancel':
        return any('processing', 'requires_action');
      case 'complete':
      case 'complete-part':
        return any('authorized');
      case 'void':
      case 'void-twice':
        return any('authorized', 'succeeded');
      case 'refund':
      case 'refund-part':
      case 'refund-half':
      case 'refund-twice':
        return any('succeeded');
      case 'void-payer':
      case 'refund-payer':
        return this.#payer !== undefined;
      case 'approve':
      case 'approve-own':
      case 'approve-twice':
      case 'approve-and-decline':
      case 'decline':
        return waitingApprovals(this.world, this.reference).length > 0;
      case 'resolve-amount':
        return payments.some(({ needsAttention, status }) => needsAttention && status === 'succeeded');
      case 'resolve':
        return payments.some(({ needsAttention }) => needsAttention);
      case 'resolve-hastily':
        return charges.some(({ ref }) => this.world.gateway.isSending(ref));
      case 'resolve-refund':
        return charges.some(({ refunds }) => refunds.size > 0);
      case 'pay':
      case 'pay-twice':
        return !any('processing', 'requires_action', 'authorized', 'succeeded');
      default:
        return true;
    }
  }

  async #both(id: string, act: (key: string) => Promise<void>): Promise<void> {
    await Promise.all([act(`${id}a`), act(`${id}b`)]);
  }

  get payments(): readonly PaymentDto[] {
    return this.world.store.payments(this.reference);
  }

  /** Most often the newest payment. */
  #pick(random: Random, fits: (payment: PaymentDto) => boolean = () => true): PaymentDto | undefined {
    const fitting = this.payments.filter(fits);
    if (fitting.length === 0) return undefined;
    return random.chance(0.7) ? fitting.at(-1) : random.pick(fitting);
  }

  #keyed(key: string, path: string, actor: string, scope: string) {
    return (content: object) => ({
      scope,
      key,
      path,
      content: { ...content },
      actor,
      intended: () => undefined,
    });
  }

  async #open(id: string, random: Random): Promise<void> {
    const { SessionsController } = this.world.engine.sessions;
    const key = `session-${this.reference}-${id}-${++this.#sessions}`;
    const dto = {
      reference: this.reference,
      amount: major(this.order.amount),
      currency: 'NGN',
      payer: PAYER,
      billing: BILLING,
      expiresInSeconds: random.pick([30, 60, 90]),
    };
    const reply = await this.world.call(random, ({ container }) =>
      container
        .get(SessionsController)
        .create(dto as never, this.#keyed(key, '/v1/checkout-sessions', 'merchant', 'merchant')),
    );
    if (reply.kind === 'answered') this.#session = reply.value.body.id;
    else if (reply.kind === 'refused' && reply.code === 'reference-in-use')
      this.#session = this.#openSession();
  }

  /** One whose answer was lost, as the shop finds it by its reference. */
  #openSession(): string | undefined {
    const [row] = this.world.store.rows(
      "select id from checkout_sessions where reference = ? and status = 'open'",
      this.reference,
    );
    return row ? String(row['id']) : this.#session;
  }

  async pay(id: string, method: Method, random: Random): Promise<void> {
    if (this.#session === undefined) await this.#open(id, random);
    const session = this.#session;
    if (session === undefined) return;
    const key = `pay-${id}`;
    const make = async (): Promise<void> => {
      const reply = await this.world.call(random, ({ container }) =>
        this.#start(container, method, session, key),
      );
      this.#made(key, reply);
      if (reply.kind !== 'refused') return;
      // Whoever finds the session over gets a new one from the shop.
      if (['session-expired', 'session-closed', 'unauthorized'].includes(reply.code))
        await this.#open(id, random);
    };
    this.#last = make;
    await make();
  }

  #start(container: Container, method: Method, session: string, key: string) {
    const { cards, plain } = this.world.engine;
    const starting = () => ({
      sessionId: session,
      scope: `session:${session}`,
      key,
      path: `/v1/payments/${method}`,
      actor: 'payer',
      address: '203.0.113.7',
      userAgent: DEVICE.userAgent,
      intended: () => undefined,
    });
    if (method === 'card') {
      const dto = { card: CARD, device: DEVICE };
      return container.get(cards.CardsController).pay(dto, starting);
    }
    const controller = container.get(plain.PlainMethodsController);
    if (method === 'ussd') return controller.payByUssd({ bankCode: '058' }, starting);
    return method === 'wallet'
      ? controller.payByWallet({}, starting)
      : controller.payByTransfer({}, starting);
  }

  /** A key answers with what it made, and with nothing else. */
  #made(key: string, reply: Reply<{ body: { id: string } | ApprovedDto }>): void {
    if (reply.kind !== 'answered') return;
    const { body } = reply.value;
    const { id } = 'approval' in body ? body.approval : body;
    const known = this.#madeBy.get(key) ?? id;
    this.#madeBy.set(key, known);
    if (known !== id && !this.world.lost.has(this.reference))
      this.world.blame(`the key ${key} has made ${known}, and answers with ${id}`);
  }

  #count(operation: Operation, ref: string): void {
    const name = `${operation} ${ref}`;
    this.asked.set(name, (this.asked.get(name) ?? 0) + 1);
  }

  async #operate(
    operation: Operation,
    id: string,
    random: Random,
    amount?: string,
    about?: PaymentDto,
  ): Promise<void> {
    const wanted = {
      otp: ({ nextAction }: PaymentDto) => nextAction?.type === 'otp',
      pin: ({ nextAction }: PaymentDto) => nextAction?.type === 'pin',
      complete: ({ status }: PaymentDto) => status === 'authorized',
      void: ({ status }: PaymentDto) => status === 'authorized' || status === 'succeeded',
      refund: ({ status }: PaymentDto) => status === 'succeeded',
    }[operation];
    const payment =
      about ?? this.#pick(random, wanted) ?? (random.chance(0.2) ? this.#pick(random) : undefined);
    if (!payment) return;
    const key = `${operation}-${id}`;
    this.#count(operation, payment.gatewayReference);
    const make = async (): Promise<void> => {
      const reply = await this.world.call(random, ({ container }) =>
        this.#send(container, operation, payment, key, amount),
      );
      this.#made(`${key} ${payment.id}`, reply);
    };
    this.#last = make;
    if (operation === 'refund') this.#refunds.push(make);
    await make();
  }

  /** Asks for every refund once more, each under its own key. */
  async refundAgain(): Promise<void> {
    for (const again of this.#refunds) await again();
  }

  /** Somebody approves what has waited for days. */
  async approveLate(): Promise<void> {
    for (const approval of waitingApprovals(this.world, this.reference))
      await decide(this.world, 'approve', approval, 'late', this.world.random(`approves ${approval.id}`));
  }

  #send(
    container: Container,
    operation: Operation,
    { id, sessionId }: PaymentDto,
    key: string,
    amount: string | undefined,
  ): Promise<{ body: { id: string } | ApprovedDto }> {
    const { payments, refunds, cards } = this.world.engine;
    const path = `/v1/payments/${id}/${operation}`;
    const client = { kind: 'client' as const, sessionId };
    const merchant = { kind: 'merchant' as const, access: 'full' as const, name: 'anna' };
    const controller = container.get(payments.PaymentsController);
    const keyed = this.#keyed(key, path, 'merchant:anna', 'merchant');
    const byPayer = this.#keyed(key, path, 'payer', `session:${sessionId}`);
    const wish = amount === undefined ? {} : { amount };
    switch (operation) {
      case 'otp':
        return controller.otp(id, { otp: '123456' }, byPayer, client);
      case 'pin':
        return container.get(cards.CardPinController).pin(id, { pin: '1234' }, byPayer, client);
      case 'complete':
        return controller.complete(id, wish, keyed, merchant);
      case 'void':
        return controller.void(id, {}, keyed, merchant);
      case 'refund':
        return container.get(refunds.RefundsController).refund(id, wish, keyed, merchant);
    }
  }

  /** Most often about what was asked for last. */
  async #decide(kind: DecisionKind, id: string, random: Random): Promise<void> {
    const waiting = waitingApprovals(this.world, this.reference);
    const approval = random.chance(0.7) ? waiting.at(-1) : waiting[0];
    if (!approval) return;
    const make = async (): Promise<void> => {
      await decide(this.world, kind, approval, id, random);
    };
    this.#last = make;
    await make();
  }

  async #cancel(id: string, random: Random): Promise<void> {
    const payment = this.#pick(random, ({ status }) => ['processing', 'requires_action'].includes(status));
    if (!payment) return;
    const { PaymentsController } = this.world.engine.payments;
    const payer = random.chance(0.7);
    const scope = payer ? `session:${payment.sessionId}` : 'merchant';
    const keyed = this.#keyed(
      `cancel-${id}`,
      `/v1/payments/${payment.id}/cancel`,
      payer ? 'payer' : 'merchant',
      scope,
    );
    const caller = payer
      ? { kind: 'client' as const, sessionId: payment.sessionId }
      : { kind: 'merchant' as const, access: 'full' as const };
    await this.world.call(random, ({ container }) =>
      container.get(PaymentsController).cancel(payment.id, {}, keyed, caller),
    );
  }

  #charge(payment: PaymentDto): Charge | undefined {
    return this.world.book.find(payment.gatewayReference);
  }

  /**
   * A person has looked it up in the gateway's own books. Hastily: without waiting for a call's answer. With an amount: with another one
   * than was taken.
   */
  async #resolve(
    id: string,
    random: Random,
    { hastily = false, amount }: { hastily?: boolean; amount?: string } = {},
  ): Promise<void> {
    const { world } = this;
    const sending = (ref: string): boolean => world.gateway.isSending(ref);
    const payment = this.#pick(random, ({ needsAttention, gatewayReference }) =>
      hastily ? sending(gatewayReference) : needsAttention,
    );
    if (!payment) return;
    const charge = this.#charge(payment);
    const state = charge?.money.state ?? 'absent';
    if (state === 'held' && !hastily) return;
    const status = state === 'captured' ? 'succeeded' : state === 'reversed' ? 'voided' : 'failed';
    if (amount !== undefined && status !== 'succeeded') return;
    const taken = charge && status === 'succeeded' ? major(charge.money.captured) : undefined;
    const amountReceived = amount ?? taken;
    const dto = { status, note: 'looked up', ...(amountReceived !== undefined && { amountReceived }) };
    const { PaymentsController } = world.engine.payments;
    const keyed = this.#keyed(
      `resolve-${id}`,
      `/v1/payments/${payment.id}/resolve`,
      'merchant:ben',
      'merchant',
    );
    const caller = { kind: 'merchant' as const, access: 'full' as const, name: 'ben' };
    const before = sending(payment.gatewayReference);
    // The shop may hear of it before the person does, who may never be answered.
    const word = { namesAmount: amount !== undefined };
    charge?.words.add(word);
    const reply = await world.call(random, ({ container }) =>
      container.get(PaymentsController).resolve(payment.id, dto as never, keyed, caller),
    );
    if (reply.kind === 'refused') {
      // A store that is away may have it all the same.
      if (!(reply.error instanceof world.engine.unavailable.StoreUnavailable)) charge?.words.delete(word);
      return;
    }
    // A refund that was done goes on counting as failed, as the person left it.
    if (charge) charge.blurred ||= this.#isLeftAsFailed(payment, charge);
    if (reply.kind === 'answered' && before && sending(payment.gatewayReference) && !this.#anyStill())
      world.blame(`${payment.gatewayReference} was resolved while a call about it was being sent`);
  }

  /** Whether a refund counts as failed that was done. */
  #isLeftAsFailed({ id }: PaymentDto, { refunds }: Charge): boolean {
    return this.world.store
      .rows("select refund_reference as ref from operations where payment_id = ? and status = 'refused'", id)
      .some(({ ref }) => refunds.get(String(ref))?.state === 'done');
  }

  /** A process that stands still may be taken for dead. */
  #anyStill(): boolean {
    const { now } = this.world.time;
    const lately = (until: number): boolean => until > 0 && until > now - 60_000;
    return this.world.replicas.some(
      (replica) => replica && (lately(replica.frozenUntil) || lately(replica.cutOffUntil)),
    );
  }

  async #resolveRefund(id: string, random: Random): Promise<void> {
    const { world } = this;
    const payment = this.#pick(random, ({ status }) => status === 'succeeded');
    const charge = payment && this.#charge(payment);
    if (!payment || !charge) return;
    const row = world.store
      .rows(
        "select id, refund_reference from operations where payment_id = ? and type = 'refund'",
        payment.id,
      )
      .at(-1);
    const state = charge.refunds.get(String(row?.['refund_reference']))?.state;
    if (!row || state === undefined || state === 'open') return;
    const { PaymentsController } = world.engine.payments;
    const keyed = this.#keyed(
      `settle-${id}`,
      `/v1/payments/${payment.id}/resolve`,
      'merchant:ben',
      'merchant',
    );
    const status = state === 'done' ? 'succeeded' : 'failed';
    const refund = charge.refunds.get(String(row['refund_reference']));
    if (status === 'failed') {
      charge.blurred = true;
      // A person says so.
      if (refund) refund.toldFailed = true;
    }
    const dto = { status, refundId: String(row['id']), note: 'looked up' };
    const caller = { kind: 'merchant' as const, access: 'full' as const, name: 'ben' };
    await world.call(random, ({ container }) =>
      container.get(PaymentsController).resolve(payment.id, dto as never, keyed, caller),
    );
  }

  async refresh(payment: PaymentDto | undefined, random: Random): Promise<boolean> {
    if (!payment) return false;
    const { PaymentsController } = this.world.engine.payments;
    const caller = { kind: 'merchant' as const, access: 'full' as const };
    const reply = await this.world.call(random, ({ container }) =>
      container.get(PaymentsController).refresh(payment.id, {}, caller),
    );
    return reply.kind === 'answered';
  }

  async #comeBack(random: Random): Promise<void> {
    const payment = this.#pick(random);
    if (!payment) return;
    const { PayerQuestions } = this.world.engine.questions;
    await this.world.call(random, ({ container }) => container.get(PayerQuestions).askForPayer(payment.id));
  }

  async #close(id: string, random: Random): Promise<void> {
    const session = this.#session;
    if (session === undefined) return;
    const { SessionsController } = this.world.engine.sessions;
    const keyed = this.#keyed(
      `close-${id}`,
      `/v1/checkout-sessions/${session}/close`,
      'merchant',
      'merchant',
    );
    await this.world.call(random, ({ container }) =>
      container.get(SessionsController).close(session, {}, keyed),
    );
  }

  async #notify(random: Random): Promise<void> {
    const payment = this.#pick(random);
    const ref = payment?.gatewayReference ?? `${this.reference}_1`;
    await this.world.notify(random, ref, { status: random.pick(['SUCCESS', 'FAILED', 'VOIDED']) });
  }

  #moves(move: GatewayMove, random: Random): Promise<void> {
    const charges = this.world.book.of(this.reference).filter((charge) => mayMove(move, charge));
    if (charges.length > 0) {
      const charge = random.pick(charges);
      moveAtGateway(move, charge, this.world.time.now);
      this.world.note(`gateway ${move} ${charge.ref}: ${charge.money.state}`);
      this.world.moved(charge);
    }
    return Promise.resolve();
  }
}
