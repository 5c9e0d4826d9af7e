import { pause } from '../kit/keep-trying.js';
import { TillfrontError } from '../kit/tillfront-error.js';
import type { CheckoutSession, Payment, RedirectAction, Tillfront } from '../kit/types.js';
import { newsIn, paymentThatCounts } from './late-news.js';
import { hasOtherAmount } from './outcome.js';
import { blocked, REFUSALS, type Refusal } from './refusal.js';
import { isWaiting, viewOf, type View } from './view.js';

export interface FlowEvents {
  /** A new view. `session` is the last one that was read. */
  show: (view: View, session: CheckoutSession | undefined) => void;
  /** The payment has a result. */
  result: (payment: Payment) => void;
  /** The payer has to go to their bank's or wallet's page. */
  leave: (action: RedirectAction) => void;
}

/** How often the session is read while nothing is awaited: money may come late, or in another tab. */
const FIRST_LOOK_MS = 4_000;
const LONGEST_LOOK_MS = 60_000;
const LOOKS_GROW = 1.2;

/** A page that is still here after this time was not left. Browsers keep no page that waits for an answer. */
const LEAVING_MS = 5_000;

/** Leads a payer through one session. Only the service's answers decide what is shown. */
export class CheckoutFlow {
  readonly #kit: Tillfront;
  readonly #events: FlowEvents;
  readonly #named: string | undefined;
  /** Stops the waiting of the previous view. */
  #leave = new AbortController();
  #session: CheckoutSession | undefined;
  #view: View = { kind: 'loading' };
  #busy = false;
  #announced = '';

  /** `named`: the payment whose result is shown first, if it has one. */
  constructor(kit: Tillfront, events: FlowEvents, named?: string) {
    this.#kit = kit;
    this.#events = events;
    this.#named = named;
  }

  /** Reads the session and shows its current state; of an earlier try, why it failed. */
  async start(): Promise<void> {
    await this.#load((session) => {
      const last = session.payments.at(-1);
      const isOpen = session.status === 'open' && last?.status === 'failed';
      if (this.#named !== undefined || !isOpen) return this.#named;
      // It is no news to the shop.
      this.#announced = newsOf(last);
      return last.id;
    });
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

  /** Stops waiting. */
  stop(): void {
    this.#leave.abort();
  }

  /** Returns to the choice of methods. */
  async chooseAgain(): Promise<void> {
    await this.#load(() => undefined);
  }

  pay(begin: (kit: Tillfront) => Promise<Payment>): Promise<Refusal | undefined> {
    return this.#ask(
      async () => this.#arrive(await begin(this.#kit), true),
      (error) => this.#refused(error),
    );
  }

  /** Sends a one-time code or a card PIN. */
  submitCode(payment: Payment, type: 'otp' | 'pin', code: string): Promise<Refusal | undefined> {
    this.#leave.abort();
    const kit = this.#kit;
    return this.#ask(
      async () => {
        const answer = await (type === 'otp' ? kit.submitOtp(payment, code) : kit.submitPin(payment, code));
        if (answer.nextAction?.type !== type) return this.#arrive(answer, true);
        this.#wait(answer);
        return { message: `${type}.wrong`, words: answer.nextAction.message };
      },
      async (error) => {
        const now = await kit.payment(payment.id);
        if (now.nextAction?.type !== type) return this.#arrive(now, true);
        this.#wait(now);
        switch (error.code) {
          case 'rate-limited':
            return blocked(error);
          case 'invalid-state':
            return { message: `problem.${type}Limit` };
          case 'validation-failed':
            return { message: `error.${type}` };
          case 'gateway-refused':
            return { message: `${type}.wrong`, words: error.message };
          default:
            return { message: `problem.${type}NotSent` };
        }
      },
    );
  }

  cancel(payment: Payment): Promise<Refusal | undefined> {
    return this.#ask(
      async () => this.#arrive(await this.#kit.cancel(payment), false),
      async (error) => {
        if (error.code === 'rate-limited') return blocked(error);
        if (error.code === 'invalid-state') await this.#arrive(await this.#kit.payment(payment.id), false);
        return { message: 'problem.cancelUnknown' };
      },
    );
  }

  /** Goes to the bank's or wallet's page. */
  go(action: RedirectAction): void {
    this.#events.leave(action);
  }

  /** Does one thing at a time, and says why it was refused. */
  async #ask(
    work: () => Promise<Refusal | undefined | void>,
    refused: (error: TillfrontError) => Promise<Refusal | undefined | void>,
  ): Promise<Refusal | undefined> {
    if (this.#busy) return undefined;
    this.#busy = true;
    try {
      const end = await work().catch((error: unknown) => {
        if (error instanceof TillfrontError) return refused(error);
        throw error;
      });
      return end ?? undefined;
    } catch {
      // nothing says whether the payment was begun
      return { message: 'problem.unclear' };
    } finally {
      this.#busy = false;
    }
  }

  async #refused(error: TillfrontError): Promise<Refusal | undefined> {
    switch (error.code) {
      case 'no-answer':
        // The session shows whether a payment was created. If not, paying again is safe: the kit kept the lost call's key.
        await this.#load(() => error.paymentId);
        return undefined;
      case 'unauthorized':
      case 'origin-not-allowed':
        this.#show({ kind: 'unavailable', reason: error.code === 'unauthorized' ? 'token' : 'setup' });
        return undefined;
      case 'validation-failed':
        return { message: 'checkFields', pointers: error.errors.map(({ pointer }) => pointer) };
      case 'rate-limited':
        return blocked(error);
      case 'payments-held':
        return { ...blocked(error), message: 'problem.held' };
      default:
        // Another payment is live or paid already, or this one could not be started.
        if (error.paymentId !== undefined) await this.#arriveAt(error, error.paymentId);
        else if (error.code.startsWith('session-')) await this.#load(() => undefined);
        else return { message: REFUSALS[error.code] ?? 'problem.unexpected' };
        return undefined;
    }
  }

  /** The token may read no payment of another session, which has paid the order then. */
  async #arriveAt({ code }: TillfrontError, id: string): Promise<void> {
    const payment = await this.#kit.payment(id).catch((error: unknown) => {
      if (code === 'session-paid' && error instanceof TillfrontError && error.code === 'not-found')
        return undefined;
      throw error;
    });
    if (payment) await this.#arrive(payment, false);
    else this.#show({ kind: 'ended', reason: 'paid' });
  }

  /** Reads the session and shows it. `named`: the payment of it that is shown where none is live or paid. */
  async #load(named: (session: CheckoutSession) => string | undefined): Promise<void> {
    this.#show({ kind: 'loading' });
    try {
      this.#session = await this.#kit.session();
      await this.#showSession(this.#session, named(this.#session));
    } catch (error) {
      this.#fail(error);
    }
  }

  async #showSession(session: CheckoutSession, named: string | undefined): Promise<void> {
    const known = paymentThatCounts(session) ?? session.payments.find(({ id }) => id === named);
    if (known) await this.#arrive(known, false);
    else if (session.status === 'open') this.#show({ kind: 'choose' });
    else this.#show({ kind: 'ended', reason: session.status });
  }

  /** Shows a payment and waits for changes. `go`: the payer pressed the button, so a redirect is followed at once. */
  async #arrive(payment: Payment, go: boolean): Promise<void> {
    if (!isWaiting(payment)) return this.#end(payment);
    const stage = go ? 'leaving' : payment.id === this.#named ? 'returned' : 'pending';
    this.#show(viewOf(payment, stage));
    const redirect = go && payment.nextAction?.type === 'redirect' ? payment.nextAction : undefined;
    if (redirect) this.go(redirect);
    this.#wait(payment, redirect ? LEAVING_MS : 0);
  }

  /** Shows the result. After a failure the payer gets the form back, unless the session has ended with it. */
  async #end(payment: Payment): Promise<void> {
    const isNews = this.#announced !== newsOf(payment);
    this.#announced = newsOf(payment);
    const signal = this.#next();
    let view = viewOf(payment, 'pending');
    if (payment.status !== 'succeeded') {
      try {
        const session = (this.#session = await this.#kit.session());
        const isOpen = session.status === 'open' && paymentThatCounts(session) === undefined;
        // Whom the shop has to help does not pay again before.
        if (payment.status === 'failed' && isOpen && !hasOtherAmount(payment))
          view = { kind: 'declined', payment };
      } catch {
        // the result is known all the same
      }
    }
    if (!signal.aborted) this.#show(view);
    if (isNews) this.#events.result(payment);
  }

  #wait(payment: Payment, afterMs = 0): void {
    const signal = this.#next();
    pause(afterMs, signal)
      .then(() => this.#kit.waitFor(payment, { signal }))
      .then((news) => this.#arrive(news, false))
      .catch((error: unknown) => {
        if (!signal.aborted) this.#fail(error);
      });
  }

  #show(view: View): void {
    const signal = this.#next();
    this.#view = view;
    this.#events.show(view, this.#session);
    // Views of a payment that waits get the news anyway.
    const isSettled = 'payment' in view && (isWaiting(view.payment) || view.payment.status === 'succeeded');
    if (!isSettled && view.kind !== 'loading') this.#watch(signal).catch(() => undefined);
  }

  /** Ends the waiting before, and begins another. */
  #next(): AbortSignal {
    this.#leave.abort();
    this.#leave = new AbortController();
    return this.#leave.signal;
  }

  /** Late money corrects what is shown, whatever it is, and so does the end of the session. The pauses grow. */
  async #watch(signal: AbortSignal): Promise<void> {
    for (let wait = FIRST_LOOK_MS; ; wait = Math.min(wait * LOOKS_GROW, LONGEST_LOOK_MS)) {
      await pause(wait, signal);
      if (globalThis.document?.hidden !== true) await this.refresh();
    }
  }

  #fail(error: unknown): void {
    // for the developer of the page, because the payer is not shown such details
    console.error('checkout:', error);
    const isToken = error instanceof TillfrontError && [401, 403, 404].includes(error.status);
    this.#show({ kind: 'unavailable', reason: isToken ? 'token' : 'connection' });
  }
}

/** What the shop is told of a payment, once. */
function newsOf({ id, status }: Payment): string {
  return `${id} ${status}`;
}
