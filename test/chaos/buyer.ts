import { BILLING, cardBody, PAYER } from './bodies.ts';
import { call, pause, type Json, type Reply } from './calls.ts';
import { Client } from './client.ts';
import type { OnSilence } from './purchase-plan.ts';
import { isLostRefund } from './lost-refund.ts';
import { GIVEN_BACK } from './purchase-plan.ts';
import { newPurchase, type Payment, type Purchase } from './purchase.ts';
import type { PurchasePlan } from './purchase-plan.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

const RIGHT_CODE = '123456';
/** A payment that only waits at the gateway is helped along after so many looks. */
const LOOKS_BEFORE_HELP = 6;
const MOST_LOOKS = 400;
/** After so many, a refund that the gateway has nothing of is left to a person. */
const LOOKS_AT_A_REFUND = 150;
/** What is done at the sandbox for it. */
const AFTERWARDS: Readonly<Record<PurchasePlan['afterwards'], { move: string; body: object }>> = {
  nothing: { move: 'approve', body: {} },
  'part refunded': { move: 'refund', body: { amount: GIVEN_BACK } },
  'part reversed': { move: 'reverse', body: { amount: GIVEN_BACK } },
  'charged back': { move: 'chargeback', body: {} },
};
const CLOSED = ['failed', 'canceled', 'expired'];

/** A payer and their shop, with everything that they do about one order, whatever dies meanwhile. */
export class Buyer {
  readonly purchase: Purchase;
  readonly #world: World;
  readonly #plan: PurchasePlan;
  readonly #client: Client;
  readonly #silences: OnSilence[];
  #token = '';
  #attempts = 0;
  readonly #codes: string[];
  #canceled = false;

  constructor(world: World, plan: PurchasePlan, reference: string, random: Random) {
    this.#world = world;
    this.#plan = plan;
    this.purchase = newPurchase(plan, reference);
    this.#client = new Client(world, this.purchase, random);
    this.#silences = [...plan.onSilence];
    this.#codes = [...plan.wrongCodes];
  }

  /** Goes the whole way. Never throws: what went wrong is a violation. */
  async run(): Promise<void> {
    const { history } = this.#world;
    history.note(this.purchase.reference, `plans: ${JSON.stringify(this.#plan)}`);
    try {
      await this.#prepare();
      await this.#openSession();
      await this.#buy();
      history.note(this.purchase.reference, 'is done');
    } catch (error) {
      this.#world.violation(
        `${this.purchase.reference}: ${error instanceof Error ? error.message : 'stuck'}`,
      );
    }
    this.purchase.done = true;
  }

  /** Long afterwards, everything is looked at and asked once more. */
  async runAgain(): Promise<void> {
    try {
      await this.#attend();
      await this.#client.repeatAll();
    } catch (error) {
      this.#world.violation(
        `${this.purchase.reference}: ${error instanceof Error ? error.message : 'stuck'}`,
      );
    }
  }

  async #prepare(): Promise<void> {
    const { reference } = this.purchase;
    this.#world.shop.expect(reference, this.#plan.shop);
    for (const fault of this.#plan.faults) {
      const status = await this.#world.control('faults', { ...fault, client_ref: `${reference}_1` });
      if (status !== 200) throw new Error(`the sandbox refused the fault ${JSON.stringify(fault)}`);
    }
  }

  /** The shop makes its session; a repeated call finds the one that was made. */
  async #openSession(): Promise<void> {
    const { reference, sessions } = this.purchase;
    const body = {
      reference,
      amount: this.#plan.amount,
      currency: 'NGN',
      payer: PAYER,
      billing: BILLING,
      expiresInSeconds: 86_400,
    };
    const key = `${reference}.session`;
    const reply = await this.#client.insist('POST', '/v1/checkout-sessions', { key, body });
    if (reply.status !== 200 && reply.status !== 201) this.#client.surprised('a session', reply);
    this.#token = String(reply.json['clientToken']);
    sessions.add(String(reply.json['id']));
  }

  /** Pays, and pays again after an attempt that failed, until paid or out of attempts. */
  async #buy(): Promise<void> {
    for (;;) {
      this.#attempts += 1;
      const ended = await this.#follow(await this.#startPayment());
      const again = CLOSED.includes(ended.status) && this.#attempts < this.#plan.attempts;
      if (!again) return;
    }
  }

  async #startPayment(): Promise<string> {
    let key = this.#client.newKey('pay');
    const deadline = performance.now() + 45_000;
    for (;;) {
      const reply = await this.#sendPayment(key);
      const started = reply.answered ? this.#startedBy(reply) : undefined;
      if (started !== undefined) return started;
      if (performance.now() > deadline) throw new Error('no payment was started');
      await pause(30);
      if (reply.answered) continue;
      const found = await this.#afterSilence();
      if (found === 'other-key') key = this.#client.newKey('pay');
      else if (found !== undefined) return found;
    }
  }

  #sendPayment(key: string): Promise<Reply> {
    const { method, cards } = this.#plan;
    const number = cards[Math.min(this.#attempts, cards.length) - 1];
    const bodies = { card: cardBody(number ?? ''), wallet: {}, transfer: {}, ussd: { bankCode: '058' } };
    return this.#client.once('POST', `/v1/payments/${method}`, {
      key,
      bearer: this.#token,
      body: bodies[method],
    });
  }

  /** The payment that an answer is about; undefined: ask again. */
  #startedBy(reply: Extract<Reply, { answered: true }>): string | undefined {
    const { status, json } = reply;
    if (status <= 202) return String(json['id']);
    switch (json['code']) {
      case 'payment-in-progress':
      case 'session-paid':
      case 'gateway-unavailable':
      case 'gateway-busy':
      case 'gateway-credentials-rejected':
        return String(json['paymentId']);
      case 'idempotency-in-flight':
      case 'operation-in-progress':
      case 'overloaded':
      case 'shutting-down':
        return undefined;
      case 'store-unavailable':
        return undefined;
      default:
        return this.#client.surprised('a payment', reply);
    }
  }

  /** What this client does now that no answer came: the payment that it found, another key to use, or nothing: ask again. */
  async #afterSilence(): Promise<string | undefined> {
    const next = this.#silences.shift() ?? 'same-key';
    if (next !== 'same-key') this.#world.history.note(this.purchase.reference, `no answer: ${next}`);
    if (next === 'other-key') return next;
    if (next === 'session-again') await this.#openSession();
    if (next === 'look') return this.#livePayment();
    if (next === 'come-back') await this.#comeBack();
    return undefined;
  }

  /** What a page that was loaded again shows: the session's latest payment. */
  async #livePayment(): Promise<string | undefined> {
    const reply = await this.#client.insist('GET', '/v1/checkout-session', { bearer: this.#token });
    const payments = (reply.json['payments'] ?? []) as Json[];
    const live = payments.findLast(({ status }) => !CLOSED.includes(String(status)));
    return live && String(live['id']);
  }

  /** The payer's browser follows the address that the gateway has been given. */
  async #comeBack(): Promise<void> {
    const transaction = this.#world.sandbox.ledger
      .transactions()
      .findLast(({ clientRef }) => clientRef.startsWith(`${this.purchase.reference}_`));
    const address = transaction?.challenge?.notifyUrl;
    if (address === undefined) return;
    const by = transaction?.challenge?.returnBy === 'POST' ? { form: { from: 'the bank' } } : {};
    const reply = await call({ method: by.form ? 'POST' : 'GET', url: address, ...by });
    this.#world.history.note(
      this.purchase.reference,
      `came back -> ${reply.answered ? `${reply.status} ${reply.headers.location ?? ''}` : reply.why}`,
    );
    if (reply.answered && reply.status !== 303 && reply.status !== 503) {
      this.#world.violation(`the return address answered ${reply.status}: ${reply.text.slice(0, 300)}`);
    }
  }

  /** Does what the payment waits for, again and again, until there is nothing more to do about it. */
  async #follow(id: string): Promise<Payment> {
    for (let looks = 1; looks <= MOST_LOOKS; looks++) {
      const reply = await this.#client.insist('GET', `/v1/payments/${id}?wait=1`, { bearer: this.#token });
      if (reply.status !== 200) this.#client.surprised('a payment', reply);
      const payment = reply.json as unknown as Payment;
      if (payment.pendingOperation !== null && payment.status !== 'processing') {
        if (looks > LOOKS_AT_A_REFUND && (await this.#givesUpRefund(payment))) return payment;
        await pause(40);
        continue;
      }
      if (await this.#actOn(payment, looks)) return payment;
    }
    throw new Error(`${id} came to no end`);
  }

  /** True when nothing more is to be done. */
  async #actOn(payment: Payment, looks: number): Promise<boolean> {
    switch (payment.status) {
      case 'processing':
        if (looks % LOOKS_BEFORE_HELP === 0) await this.#helpAlong(payment);
        return false;
      case 'requires_action':
        await this.#doWhatIsAsked(payment);
        return false;
      case 'authorized':
        await this.#settleHold(payment);
        return false;
      case 'succeeded':
        if (this.#plan.contradicted) await this.#contradict(payment);
        if (this.#plan.afterwards !== 'nothing') await this.#giveBackThere(payment);
        if (this.#plan.refunds && payment.amountRefunded === null) {
          await this.#ask(payment, 'refunds', { amount: GIVEN_BACK });
          return false;
        }
        if (!this.#plan.voids) return true;
        await this.#ask(payment, 'void', {});
        return false;
      case 'canceled':
        if (this.#plan.cancels === 'pays-too') await this.#payInWallet(payment);
        return true;
      case 'failed':
        return !this.#plan.waitsForLate;
      case 'expired':
      case 'voided':
        return true;
    }
  }

  async #doWhatIsAsked(payment: Payment): Promise<void> {
    if (payment.nextAction?.type === 'otp') {
      await this.#giveCode(payment);
      return;
    }
    if (this.#plan.cancels !== 'no' && !this.#canceled) {
      this.#canceled = true;
      await this.#ask(payment, 'cancel', {});
      return;
    }
    if (payment.method === 'card') await this.#decideAtBank(payment);
    else if (payment.method === 'wallet') await this.#payInWallet(payment);
    else await this.#payByHand(payment);
  }

  /** A code that was wrong is followed by the next one; a crash may have eaten the right one. */
  async #giveCode(payment: Payment): Promise<void> {
    const otp = this.#codes.shift() ?? RIGHT_CODE;
    const path = `/v1/payments/${payment.id}/otp`;
    const key = this.#client.newKey('otp');
    const reply = await this.#client.insist('POST', path, { key, bearer: this.#token, body: { otp } });
    const fine = [
      'invalid-state',
      'gateway-refused',
      'gateway-unavailable',
      'gateway-busy',
      'gateway-credentials-rejected',
    ];
    if (reply.status > 202 && !fine.includes(String(reply.json['code'])))
      this.#client.surprised('a code', reply);
  }

  async #decideAtBank(payment: Payment): Promise<void> {
    const token = new URL(payment.nextAction?.url ?? '').searchParams.get('token') ?? '';
    await this.#form('/challenge', { token, decision: this.#plan.decision });
    if (this.#plan.comesBack) await this.#comeBack();
    else await this.#tell(payment);
  }

  async #payInWallet(payment: Payment): Promise<void> {
    const url = payment.nextAction?.url;
    if (url === undefined) {
      await this.#payByHand(payment);
      return;
    }
    const orderToken = new URL(url).searchParams.get('orderToken') ?? '';
    await this.#form('/cashier', { orderToken, decision: this.#plan.decision });
  }

  /** Money that comes without any page: a transfer, a dialled code, a wallet app. */
  async #payByHand({ gatewayReference }: Payment): Promise<void> {
    const move = this.#plan.decision === 'approve' ? 'receive' : 'decline';
    await this.#world.control(`transactions/${gatewayReference}/${move}`, {});
    await pause(50);
  }

  /** Where no page comes back, a bank tells by a notification; the sandbox tells once more. */
  async #tell({ gatewayReference }: Payment): Promise<void> {
    await this.#world.control('notifications/send', { client_ref: gatewayReference });
    await pause(50);
  }

  /** What waits at the gateway without any way for the payer is paid outside, or given up. */
  async #helpAlong(payment: Payment): Promise<void> {
    const there = this.#world.sandbox.ledger.find(payment.gatewayReference)?.state;
    if (there === undefined && payment.needsAttention) await this.#resolve(payment);
    const waits = there === 'initial' || there === 'pending';
    if (!waits || payment.method === 'card') return;
    if (this.#plan.cancels !== 'no') await this.#ask(payment, 'cancel', {});
    else await this.#payByHand(payment);
  }

  /**
   * A false answer has named the payment, so that "not known" is not believed any more: a person finds nothing of it at the
   * gateway, where nothing is on its way either.
   */
  async #resolve({ id }: Payment): Promise<void> {
    if (this.#plan.faults.some(({ processAfterMs }) => processAfterMs !== undefined)) return;
    const key = this.#client.newKey('resolve');
    const body = { status: 'failed', note: 'The gateway has nothing of it' };
    const reply = await this.#client.insist('POST', `/v1/payments/${id}/resolve`, { key, body });
    if (reply.status !== 200 && reply.json['code'] !== 'invalid-state')
      this.#client.surprised('a resolution', reply);
  }

  async #settleHold(payment: Payment): Promise<void> {
    if (this.#plan.held === 'void') await this.#ask(payment, 'void', {});
    else
      await this.#ask(payment, 'complete', this.#plan.held === 'complete-part' ? { amount: '1000.00' } : {});
  }

  /** The shop asks for something that moves the payment; a crash may have kept it from arriving, so it may ask anew. */
  async #ask(
    payment: Payment,
    what: 'complete' | 'void' | 'cancel' | 'refunds',
    body: object,
  ): Promise<void> {
    const key = this.#client.newKey(what);
    const reply = await this.#client.insist('POST', `/v1/payments/${payment.id}/${what}`, { key, body });
    const fine = [
      ...['invalid-state', 'gateway-refused', 'gateway-unavailable', 'gateway-busy'],
      ...['gateway-credentials-rejected', 'outcome-unknown'],
    ];
    if (reply.status > 202 && !fine.includes(String(reply.json['code']))) this.#client.surprised(what, reply);
  }

  /** A refund never reached the gateway, and stays open. Where it needs attention a person says that it was not made. */
  async #givesUpRefund(payment: Payment): Promise<boolean> {
    const { id, gatewayReference, needsAttention } = payment;
    const comesLater = this.#plan.faults.some(({ processAfterMs }) => processAfterMs !== undefined);
    if (comesLater || !isLostRefund(payment, this.#world.sandbox.ledger.find(gatewayReference))) return false;
    if (!needsAttention) return true;
    const { json } = await this.#client.insist('GET', `/v1/payments/${id}/refunds`);
    const open = (json['data'] as Json[]).find(({ status }) => status === 'processing');
    const body = { refundId: open?.['id'], status: 'failed', note: 'The gateway has nothing of it' };
    const key = this.#client.newKey('resolve');
    const reply = await this.#client.insist('POST', `/v1/payments/${id}/resolve`, { key, body });
    if (reply.status !== 200 && reply.json['code'] !== 'invalid-state')
      this.#client.surprised('the resolution of a refund', reply);
    return true;
  }

  /** The gateway denies what it has done, and comes to its senses: a person who looks again finds all as it was. */
  async #contradict(payment: Payment): Promise<void> {
    const { gatewayReference } = payment;
    const fault = { kind: 'contradict', operation: 'transactionStatus', client_ref: gatewayReference };
    await this.#world.control('faults', fault);
    const denied = (): boolean =>
      this.#world.sandbox.recorder.list(gatewayReference).some((asked) => asked.fault === 'contradict');
    // Faults that were queued before it may come first.
    for (let looks = 0; looks < MOST_LOOKS && !denied(); looks++) await this.#lookAt(payment);
    if (!denied()) throw new Error(`${payment.id} was never asked about`);
    await this.#lookAt(payment);
  }

  /** The gateway's own staff gives money back, or a bank claims it; a notification tells. */
  async #giveBackThere({ id, gatewayReference }: Payment): Promise<void> {
    const { move, body } = AFTERWARDS[this.#plan.afterwards];
    await this.#world.control(`transactions/${gatewayReference}/${move}`, body);
    for (let looks = 0; looks < MOST_LOOKS; looks++) {
      const reply = await this.#client.insist('POST', `/v1/payments/${id}/refresh`, {});
      const { amountRefunded, disputed } = reply.json as unknown as Payment;
      if (reply.status === 200 && (amountRefunded !== null || disputed)) return;
      await pause(40);
    }
    throw new Error(`${id}: what was given back at the gateway is not recorded`);
  }

  /** What needs attention is looked at by a person, who asks the gateway anew until it says what it said before. */
  async #attend(): Promise<void> {
    for (const id of new Set(this.purchase.told.map(({ payment }) => payment))) {
      for (let looks = 0; looks < MOST_LOOKS; looks++) {
        const reply = await this.#client.insist('GET', `/v1/payments/${id}`);
        const payment = reply.json as unknown as Payment;
        if (!payment.needsAttention) break;
        await this.#lookAt(payment);
      }
    }
  }

  async #lookAt({ id }: Payment): Promise<void> {
    const reply = await this.#client.insist('POST', `/v1/payments/${id}/refresh`, {});
    const { status } = reply.json as unknown as Payment;
    const wasPaid = this.purchase.told.some((told) => told.payment === id && told.status === 'succeeded');
    if (reply.status === 200 && wasPaid && status !== 'succeeded' && status !== 'voided') {
      this.#world.violation(`a contradiction has made ${id} ${status}`);
    }
  }

  async #form(path: string, form: Record<string, string>): Promise<void> {
    await call({ method: 'POST', url: this.#world.sandbox.url + path, form });
  }
}
