import { pause } from '../kit/keep-trying.js';
import { TillfrontError } from '../kit/tillfront-error.js';
import type { CheckoutSession, Payment, RedirectAction, Tillfront } from '../kit/types.js';
import { isWatched, livePayment, newsIn } from './late-news.js';
import { hasOtherAmount } from './outcome.js';
import { blocked, REFUSALS, type Refusal } from './refusal.js';
import type { TabMemory } from './tab-memory.js';
import type { View } from './view.js';

export interface FlowEvents {
  /** A new view. `session` is the last one that was read. */
  show: (view: View, session: CheckoutSession | undefined) => void;
  /** The payment has a result. */
  result: (payment: Payment) => void;
  /** The payer has to go to their bank's or wallet's page. */
  leave: (action: RedirectAction) => void;
  /** Little time is left to begin a payment. */
  warn: () => void;
}

/** The pause between two reads of the session while it is unknown whether a payment was created. */
const RECOVERY_PAUSE_MS = 3_000;

/** How often the session is read while nothing is awaited: money may come late, or in another tab. */
const FIRST_LOOK_MS = 4_000;
const LONGEST_LOOK_MS = 60_000;
const LOOKS_GROW = 1.2;
/** How long before its end a session's payer is warned. */
const WARNING_MS = 120_000;

/** Leads a payer through one session. Only the service's answers decide what is shown. */
export class CheckoutFlow {
  readonly #kit: Tillfront;
  readonly #events: FlowEvents;
  readonly #memory: TabMemory;
  readonly #named: string | undefined;
  /** Stops the waiting of the previous view. */
  #leave = new AbortController();
  #session: CheckoutSession | undefined;
  #view: View = { kind: 'loading' };
  #busy = false;
  #announced = '';

  /** `named`: the payment whose result is shown first, if it has one. */
  constructor(kit: Tillfront, events: FlowEvents, memory: TabMemory, named?: string) {
    this.#memory = memory;
    this.#kit = kit;
    this.#events = events;
    this.#named = named;
  }

  /** Reads the session and shows its current state. */
  async start(): Promise<void> {
    await this.#load(this.#named ?? this.#memory.recall());
  }

  /** Reads again when the payer returns to this page, and now and then: something may have been paid late or elsewhere. */
  async refresh(): Promise<void> {
    if (this.#busy || this.#view.kind === 'loading') return;
    const before = this.#view;
    try {
      const session = await this.#kit.session();
      if (this.#view !== before || this.#busy) return;
      this.#session = session;
      const news = newsIn(session, before);
      if (news === 'session') await this.#showSession(session, undefined);
      else if (news !== undefined) await this.#arrive(news, false);
    } catch {
      // as far as anybody knows, the view is still correct
    }
  }

  /** Whether the payer went to their bank's or wallet's page for this payment. */
  hasLeft(paymentId: string): boolean {
    return this.#memory.hasLeft(paymentId);
  }

  /** Stops waiting. */
  stop(): void {
    this.#leave.abort();
  }

  /** Returns to the choice of methods. */
  async chooseAgain(): Promise<void> {
    this.#memory.forget();
    await this.#load(undefined);
  }

  pay(begin: (kit: Tillfront) => Promise<Payment>): Promise<Refusal | undefined> {
    const before = new Set(this.#session?.payments.map(({ id }) => id));
    return this.#ask(async () => {
      try {
        await this.#arrive(await begin(this.#kit), true);
        return undefined;
      } catch (error) {
        if (!(error instanceof TillfrontError)) throw error;
        if (error.code === 'no-answer') return this.#recover(before, error.paymentId);
        return this.#refused(error);
      }
    });
  }

  /** Sends a one-time code or a card PIN. */
  submitCode(payment: Payment, type: 'otp' | 'pin', code: string): Promise<Refusal | undefined> {
    this.#leave.abort();
    return this.#ask(async () => {
      try {
        const answer = await (type === 'otp'
          ? this.#kit.submitOtp(payment, code)
          : this.#kit.submitPin(payment, code));
        if (answer.nextAction?.type === type) {
          this.#wait(answer);
          return { message: `${type}.wrong`, pointers: [`/${type}`], words: wordsOf(answer) };
        }
        await this.#arrive(answer, true);
        return undefined;
      } catch (error) {
        if (!(error instanceof TillfrontError)) throw error;
        return this.#refusedCode(error, payment, type);
      }
    });
  }

  cancel(payment: Payment): Promise<Refusal | undefined> {
    return this.#ask(async () => {
      try {
        await this.#arrive(await this.#kit.cancel(payment), false);
        return undefined;
      } catch (error) {
        if (!(error instanceof TillfrontError)) throw error;
        if (error.code === 'rate-limited') return blocked(error);
        if (error.code === 'invalid-state') await this.#arrive(await this.#kit.payment(payment.id), false);
        return { message: 'problem.cancelUnknown', pointers: [] };
      }
    });
  }

  /** Goes to the bank's or wallet's page. */
  go(payment: Payment, action: RedirectAction): void {
    this.leaves(payment);
    this.#events.leave(action);
  }

  /** The payer goes to their bank's or wallet's page. */
  leaves(payment: Payment): void {
    this.#memory.noteLeft(payment.id);
  }

  async #ask(work: () => Promise<Refusal | undefined>): Promise<Refusal | undefined> {
    if (this.#busy) return undefined;
    this.#busy = true;
    try {
      return await work();
    } catch {
      // nothing says whether the payment was begun
      return { message: 'problem.unclear', pointers: [] };
    } finally {
      this.#busy = false;
    }
  }

  async #refused(error: TillfrontError): Promise<Refusal | undefined> {
    if (error.paymentId !== undefined) {
      // another payment is live or paid already, or this one could not be started
      await this.#arrive(await this.#kit.payment(error.paymentId), false);
      return undefined;
    }
    if (['session-expired', 'session-closed', 'session-paid'].includes(error.code))
      await this.#load(undefined);
    else if (error.code === 'unauthorized') this.#show({ kind: 'unavailable', reason: 'token' });
    else if (error.code === 'origin-not-allowed') this.#show({ kind: 'unavailable', reason: 'setup' });
    else if (error.code === 'validation-failed')
      return { message: 'checkFields', pointers: error.errors.map(({ pointer }) => pointer) };
    else if (error.code === 'rate-limited') return blocked(error);
    else if (error.code === 'payments-held') return { ...blocked(error), message: 'problem.held' };
    else return { message: REFUSALS[error.code] ?? 'problem.unexpected', pointers: [] };
    return undefined;
  }

  async #refusedCode(
    error: TillfrontError,
    payment: Payment,
    type: 'otp' | 'pin',
  ): Promise<Refusal | undefined> {
    if (error.code === 'rate-limited' || error.code === 'validation-failed') {
      this.#wait(payment);
      return error.code === 'rate-limited'
        ? blocked(error)
        : { message: `error.${type}`, pointers: [`/${type}`] };
    }
    const now = await this.#kit.payment(payment.id);
    if (now.nextAction?.type !== type) {
      await this.#arrive(now, true);
      return undefined;
    }
    this.#wait(now);
    if (error.code === 'invalid-state') return { message: `problem.${type}Limit`, pointers: [] };
    const pointers = [`/${type}`];
    return error.code === 'gateway-refused'
      ? { message: `${type}.wrong`, pointers, words: error.message }
      : { message: `problem.${type}NotSent`, pointers };
  }

  /**
   * The kit gave up waiting for an answer. The session shows whether a payment was created. If not, paying again is safe,
   * because the kit kept the key of the lost call.
   */
  async #recover(before: ReadonlySet<string>, paymentId: string | undefined): Promise<Refusal | undefined> {
    this.#show({ kind: 'confirming' });
    const { signal } = this.#leave;
    for (;;) {
      try {
        if (paymentId !== undefined) {
          await this.#arrive(await this.#kit.payment(paymentId), false);
          return undefined;
        }
        const session = await this.#readSession();
        const begun = livePayment(session) ?? session.payments.find(({ id }) => !before.has(id));
        if (begun === undefined) {
          await this.#showSession(session, undefined);
          return { message: 'problem.unexpected', pointers: [] };
        }
        await this.#arrive(await this.#kit.payment(begun.id), false);
        return undefined;
      } catch (error) {
        if (!(error instanceof TillfrontError) || error.code !== 'no-answer') throw error;
        await pause(RECOVERY_PAUSE_MS, signal);
      }
    }
  }

  async #load(named: string | undefined): Promise<void> {
    this.#show({ kind: 'loading' });
    try {
      await this.#showSession(await this.#readSession(), named);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #readSession(): Promise<CheckoutSession> {
    return (this.#session = await this.#kit.session());
  }

  async #showSession(session: CheckoutSession, named: string | undefined): Promise<void> {
    const known =
      livePayment(session) ??
      session.payments.find(({ status }) => status === 'succeeded') ??
      session.payments.find(({ id }) => id === named);
    if (known !== undefined) await this.#arrive(known, false);
    else if (session.status === 'open') this.#show({ kind: 'choose', session });
    else this.#show({ kind: 'ended', session, reason: session.status });
  }

  /** Shows a payment and waits for changes. `go`: the payer pressed the button, so a redirect is followed at once. */
  async #arrive(payment: Payment, go: boolean): Promise<void> {
    const { nextAction, status } = payment;
    const isLive = status === 'processing' || status === 'requires_action';
    if (isLive) this.#memory.remember(payment.id);
    else this.#memory.forget();
    if (isLive && hasOtherAmount(payment)) {
      this.#show({ kind: 'partial', payment });
    } else if (status === 'processing') {
      this.#show({ kind: 'confirming' });
    } else if (status !== 'requires_action') {
      const news = `${payment.id} ${status}`;
      const isNews = this.#announced !== news;
      this.#announced = news;
      await this.#end(payment);
      if (isNews) this.#events.result(payment);
      return;
    } else if (nextAction === null) {
      this.#show({ kind: 'confirming' });
    } else if (nextAction.type === 'redirect') {
      const stage = go ? 'leaving' : payment.id === this.#named ? 'returned' : 'pending';
      this.#show({ kind: 'redirect', payment, stage });
      if (go) this.go(payment, nextAction);
    } else {
      this.#show({ kind: nextAction.type, payment });
    }
    this.#wait(payment);
  }

  /** Shows the result. After a failure the payer gets the form back, unless the session has ended with it. */
  async #end(payment: Payment): Promise<void> {
    this.#leave.abort();
    this.#leave = new AbortController();
    const { signal } = this.#leave;
    let view: View = { kind: 'outcome', payment };
    if (payment.status !== 'succeeded') {
      try {
        const session = await this.#readSession();
        const isOpen = session.status === 'open' && livePayment(session) === undefined;
        if (payment.status === 'failed' && isOpen) view = { kind: 'declined', session, payment };
      } catch {
        // the result is known all the same
      }
    }
    if (!signal.aborted) this.#show(view);
  }

  #wait(payment: Payment): void {
    this.#leave.abort();
    this.#leave = new AbortController();
    const { signal } = this.#leave;
    this.#kit
      .waitFor(payment, { signal })
      .then((news) => this.#arrive(news, false))
      .catch((error: unknown) => {
        if (!signal.aborted) this.#fail(error);
      });
  }

  #show(view: View): void {
    this.#leave.abort();
    this.#leave = new AbortController();
    const { signal } = this.#leave;
    this.#view = view;
    this.#events.show(view, this.#session);
    if (isWatched(view)) this.#watch(view, signal).catch(() => undefined);
  }

  /** Late money corrects what is shown, whatever it is, and so does the end of the session. The pauses grow. */
  async #watch(view: View, signal: AbortSignal): Promise<void> {
    for (let wait = FIRST_LOOK_MS; ; wait = Math.min(wait * LOOKS_GROW, LONGEST_LOOK_MS)) {
      const left = 'session' in view ? this.#timeLeft(view.session) : Number.POSITIVE_INFINITY;
      if (left > 0 && left <= WARNING_MS) this.#events.warn();
      const next = left > WARNING_MS ? left - WARNING_MS : Math.max(left, 1_000);
      await pause(Math.min(wait, next), signal);
      if (globalThis.document?.hidden !== true) await this.refresh();
    }
  }

  /** Milliseconds until the session ends, by the service's time. Where nobody knows it, it does not end here. */
  #timeLeft({ expiresAt }: CheckoutSession): number {
    const now = this.#kit.serviceTime();
    return now === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - now;
  }

  #fail(error: unknown): void {
    // for the developer of the page, because the payer is not shown such details
    console.error('checkout:', error);
    const isToken = error instanceof TillfrontError && [401, 403, 404].includes(error.status);
    this.#show({ kind: 'unavailable', reason: isToken ? 'token' : 'connection' });
  }
}

/** The bank's own words, where its answer has some. */
function wordsOf({ nextAction }: Payment): string | undefined {
  return nextAction !== null && 'message' in nextAction ? nextAction.message : undefined;
}
