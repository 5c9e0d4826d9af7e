import { Webhook } from 'standardwebhooks';
import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  CancelPaymentInput,
  CancelPaymentOutput,
  CapturePaymentInput,
  CapturePaymentOutput,
  DeletePaymentInput,
  DeletePaymentOutput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  PaymentSessionStatus,
  ProviderWebhookPayload,
  RefundPaymentInput,
  RefundPaymentOutput,
  RetrievePaymentInput,
  RetrievePaymentOutput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from '@medusajs/framework/types';
import { AbstractPaymentProvider, MathBN, MedusaError } from '@medusajs/framework/utils';
import { randomUUID } from 'node:crypto';
import { Book, sum } from './book';
import { TillfrontClient, TillfrontError, type TillfrontPayment, type TillfrontSession } from './client';
import { asDecimal } from './money';
import { nextRefund, reasonOf, type EnteredRefund, type TillfrontRefund } from './next-refund';

export interface TillfrontOptions extends Record<string, unknown> {
  url: string;
  merchantKey: string;
  webhookSecret: string;
  /** Where payers come back to. The payment session's id is added as `payment_session`. */
  returnUrl: string;
}

/** What Medusa keeps of a payment session. The storefront reads it, so it holds nothing that a payer must not see. */
interface Kept {
  medusaSession: string;
  reference: string;
  sessionId: string;
  clientToken: string;
  checkoutUrl: string;
  amount: string;
  currency: string;
}

type Data = Record<string, unknown>;

const KEY_IS_USED = ['idempotency-key-reused', 'idempotency-in-flight'];
const ANOTHER_REFUND = 'Another refund of this payment';

/**
 * Payments through Tillfront. A payment session of Medusa is a checkout session of Tillfront; its reference is the payment
 * session's id. Whatever a browser or an event says, the provider asks Tillfront what holds now.
 */
export class TillfrontPaymentProvider extends AbstractPaymentProvider<TillfrontOptions> {
  static override identifier = 'tillfront';
  private readonly tillfront: TillfrontClient;
  private readonly webhook: Webhook;
  private readonly book: Book;

  static override validateOptions(options: Partial<TillfrontOptions>): void {
    for (const name of ['url', 'merchantKey', 'webhookSecret', 'returnUrl'] as const)
      if (!options[name])
        throw new MedusaError(MedusaError.Types.INVALID_DATA, `Tillfront needs the option ${name}`);
  }

  constructor(container: Record<string, unknown>, options: TillfrontOptions) {
    super(container, options);
    this.tillfront = new TillfrontClient(options);
    this.webhook = new Webhook(options.webhookSecret);
    this.book = new Book(container);
  }

  async initiatePayment(input: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    const medusaSession = input.data?.session_id;
    // It becomes the reference, which no two payers may share.
    if (typeof medusaSession !== 'string')
      throw new MedusaError(MedusaError.Types.INVALID_DATA, 'Medusa’s id of the payment session is missing');
    const kept = await this.open(medusaSession, input, medusaSession);
    return { id: kept.sessionId, data: { ...kept } };
  }

  /** A session's price never changes, so another price needs another session, under the same reference. */
  async updatePayment(input: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    const kept = keptIn(input.data);
    const currency = input.currency_code.toUpperCase();
    if (MathBN.eq(kept.amount, asDecimal(input.amount, currency)) && kept.currency === currency)
      return { data: { ...kept } };
    const newest = await this.close(kept);
    // The key names the session that is replaced: a repeat gives the same new one.
    return { data: { ...(await this.open(kept.medusaSession, input, `${kept.medusaSession}:${newest}`)) } };
  }

  async deletePayment(input: DeletePaymentInput): Promise<DeletePaymentOutput> {
    // Medusa also asks this of a session that it could not enter: then there is nothing to close.
    if (typeof input.data?.sessionId === 'string') await this.close(keptIn(input.data));
    return {};
  }

  async getPaymentStatus(input: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    return { status: (await this.stateOf(keptIn(input.data))).status };
  }

  async authorizePayment(input: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    const kept = keptIn(input.data);
    const { status, payment } = await this.stateOf(kept);
    return { status, data: { ...kept, ...(payment && { paymentId: payment.id }) } };
  }

  /**
   * Tillfront captures once, a part or all. Medusa may enter several captures, so their sum is held against what was captured.
   * The key need not be Medusa's: Tillfront completes a payment once, and a key that is used again would only repeat a refusal.
   */
  async capturePayment(input: CapturePaymentInput): Promise<CapturePaymentOutput> {
    let payment = await this.paymentIn(input.data);
    const { own, others } = await this.book.captures(input.context?.idempotency_key);
    const held = payment.amountAuthorized ?? payment.amount;
    if (payment.status !== 'succeeded') {
      const amount = asDecimal(own.amount, payment.currency);
      const path = `/v1/payments/${payment.id}/complete`;
      const body = MathBN.eq(amount, held) ? {} : { amount };
      payment = await this.tillfront.post<TillfrontPayment>(path, `complete-${randomUUID()}`, body);
      if (payment.status !== 'succeeded') stillUnknown('capture');
    }
    const entered = asDecimal(sum([own, ...others]), payment.currency);
    if (MathBN.lte(entered, capturedOf(payment))) return { data: input.data };
    throw new MedusaError(
      MedusaError.Types.NOT_ALLOWED,
      `${capturedOf(payment)} ${payment.currency} of this payment was captured, once and for all: no more can be`,
    );
  }

  /** Tillfront voids a payment once, whatever the key. Medusa's own key is always the same, so a refusal would stay one. */
  async cancelPayment(input: CancelPaymentInput): Promise<CancelPaymentOutput> {
    const payment = await this.paymentIn(input.data);
    if (['voided', 'expired', 'failed', 'canceled'].includes(payment.status)) return { data: input.data };
    const path = `/v1/payments/${payment.id}/void`;
    const done = await this.tillfront.post<TillfrontPayment>(path, `void-${randomUUID()}`);
    return done.status === 'voided' ? { data: input.data } : stillUnknown('void');
  }

  /** Gives back a part or all, once for each refund that Medusa enters. A gateway without refunds can still reverse the whole. */
  async refundPayment(input: RefundPaymentInput): Promise<RefundPaymentOutput> {
    const payment = await this.paymentIn(input.data);
    const { currency } = payment;
    const path = `/v1/payments/${payment.id}/refunds`;
    const { data } = await this.tillfront.get<{ data: TillfrontRefund[] }>(path);
    const made = data.map((refund) => ({ ...refund, amount: asDecimal(refund.amount, currency) }));
    const { own, others } = await this.book.refunds(input.context?.idempotency_key, currency);
    const isWhole = MathBN.eq(own.amount, capturedOf(payment));
    if (payment.status === 'voided' && isWhole) return { data: input.data };
    const next = nextRefund(own, others, made);
    if (next.step === 'wait') throw underWay(`A refund of ${next.amount} ${currency}`);
    if (next.step === 'enter-first')
      throw new MedusaError(
        MedusaError.Types.NOT_ALLOWED,
        `${next.refund.amount} ${currency} was given back that Medusa does not know of. Refund this amount first: it is only entered, and not given back again.`,
      );
    try {
      const refund =
        next.step === 'take-over'
          ? next.refund
          : await this.makeRefund(path, `refund-${payment.id}-${next.number}`, own);
      await this.book.settle(own, refund.id);
      return { data: input.data };
    } catch (error) {
      if (isWhole && error instanceof TillfrontError && error.code === 'not-supported')
        return this.cancelPayment(input);
      throw error;
    }
  }

  async retrievePayment(input: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    return { data: { ...input.data, payment: await this.paymentIn(input.data) } };
  }

  /** Medusa's view of a genuine event. What it does follows from what Tillfront says now, so late events do no harm. */
  async getWebhookActionAndData(payload: ProviderWebhookPayload['payload']): Promise<WebhookActionResult> {
    const event = this.webhook.verify(
      payload.rawData as Buffer,
      payload.headers as Record<string, string>,
    ) as {
      data?: {
        metadata?: { medusaSession?: string };
        reference?: string;
        amount?: string;
        currency?: string;
      };
    };
    const { metadata, reference, amount, currency } = event.data ?? {};
    const medusaSession = metadata?.medusaSession;
    // Events of others on the same Tillfront, and events about nothing that is paid.
    if (!medusaSession || !reference || !amount || !currency) return { action: 'not_supported' };
    const { status, payment } = await this.stateOf({ reference, amount, currency });
    if (!payment || (status !== 'captured' && status !== 'authorized')) return { action: 'not_supported' };
    // Without the session Medusa would look for any cart. Money that came so late needs a person, in Tillfront's console.
    if (!(await this.book.knowsSession(medusaSession))) return { action: 'not_supported' };
    const paid = capturedOf(payment);
    const data = { session_id: medusaSession, amount: Number(paid) };
    if (payment.status !== 'succeeded') return { action: 'authorized', data };
    // What Medusa has captured by itself is not captured again, but a cart that is still open is completed.
    const entered = asDecimal(await this.book.capturedIn(medusaSession), currency);
    return { action: MathBN.gte(entered, paid) ? 'authorized' : 'captured', data };
  }

  /** Another attempt that has used the key, and perhaps has no answer yet, is refused or answered in its stead. */
  private async makeRefund(path: string, key: string, own: EnteredRefund): Promise<TillfrontRefund> {
    const body = { amount: own.amount, reason: reasonOf(own) };
    const refund = await this.tillfront.post<TillfrontRefund>(path, key, body).catch((error: unknown) => {
      const isUsed = error instanceof TillfrontError && KEY_IS_USED.includes(error.code);
      throw isUsed ? underWay(ANOTHER_REFUND) : error;
    });
    if (refund.reason !== body.reason) throw underWay(ANOTHER_REFUND);
    return refund.status === 'succeeded' ? refund : stillUnknown('refund');
  }

  private async open(
    medusaSession: string,
    { amount, currency_code, context }: InitiatePaymentInput,
    key: string,
  ): Promise<Kept> {
    const currency = currency_code.toUpperCase();
    const email = context?.customer?.email;
    const session = await this.tillfront.post<TillfrontSession>('/v1/checkout-sessions', key, {
      reference: medusaSession.replaceAll('_', '-'),
      amount: asDecimal(amount, currency),
      currency,
      returnUrl: `${this.config.returnUrl}?payment_session=${medusaSession}`,
      metadata: { medusaSession },
      ...(email && { payer: { email } }),
    });
    const { reference, id: sessionId, clientToken, checkoutUrl } = session;
    return {
      medusaSession,
      reference,
      sessionId,
      clientToken,
      checkoutUrl,
      amount: session.amount,
      currency,
    };
  }

  /**
   * Closes every session of the reference, one whose making had no answer too. Returns the id of the newest. Throws while a payment
   * is under way or the money is there, so that Medusa keeps the session that it belongs to.
   */
  private async close(kept: Kept): Promise<string> {
    const { data } = await this.tillfront.get<{ data: TillfrontSession[] }>(
      `/v1/checkout-sessions?reference=${kept.reference}`,
    );
    if (data.some(({ status }) => status === 'paid') && (await this.holdsMoney(kept.reference)))
      throw new MedusaError(MedusaError.Types.NOT_ALLOWED, 'This payment session is already paid');
    for (const { id } of data.filter(({ status }) => status === 'open'))
      await this.tillfront.post(`/v1/checkout-sessions/${id}/close`, `close-${id}`);
    return data[0]?.id ?? kept.sessionId;
  }

  private async paymentsOf(reference: string): Promise<TillfrontPayment[]> {
    return (await this.tillfront.get<{ data: TillfrontPayment[] }>(`/v1/payments?reference=${reference}`))
      .data;
  }

  private async holdsMoney(reference: string): Promise<boolean> {
    return (await this.paymentsOf(reference)).some(
      (payment) => payment.status === 'succeeded' && !isGivenBack(payment),
    );
  }

  /**
   * Only a payment of the right amount and currency that no person has to look at counts as paid, as long as the money was not given
   * back. One of which only a part was captured counts as authorized: Medusa would take the whole for captured.
   */
  private async stateOf(
    due: Pick<Kept, 'reference' | 'amount' | 'currency'>,
  ): Promise<{ status: PaymentSessionStatus; payment?: TillfrontPayment }> {
    const data = await this.paymentsOf(due.reference);
    const fits = (payment: TillfrontPayment): boolean =>
      MathBN.eq(payment.amount, due.amount) &&
      payment.currency === due.currency &&
      payment.duplicateOf === null &&
      !payment.needsAttention &&
      !payment.disputed &&
      !isGivenBack(payment);
    const paid = data.find((payment) => payment.status === 'succeeded' && fits(payment));
    if (paid) {
      const isWhole = MathBN.gte(capturedOf(paid), due.amount);
      return { status: isWhole ? 'captured' : 'authorized', payment: paid };
    }
    const held = data.find((payment) => payment.status === 'authorized' && fits(payment));
    if (held) return { status: 'authorized', payment: held };
    const waits = data.some(({ status }) => status === 'requires_action');
    return { status: waits ? 'requires_more' : 'pending' };
  }

  private async paymentIn(data: Data | undefined): Promise<TillfrontPayment> {
    const paymentId = data?.paymentId;
    if (typeof paymentId !== 'string')
      throw new MedusaError(MedusaError.Types.NOT_FOUND, 'Nothing was paid in this payment session');
    return this.tillfront.get(`/v1/payments/${paymentId}`);
  }
}

function keptIn(data: Data | undefined): Kept {
  if (typeof data?.sessionId !== 'string')
    throw new MedusaError(MedusaError.Types.INVALID_DATA, 'This payment session was not opened at Tillfront');
  return data as unknown as Kept;
}

function capturedOf(payment: TillfrontPayment): string {
  return payment.amountCaptured ?? payment.amountAuthorized ?? payment.amount;
}

function isGivenBack(payment: TillfrontPayment): boolean {
  return payment.amountRefunded !== null && MathBN.gte(payment.amountRefunded, capturedOf(payment));
}

/** Medusa must not take an unknown outcome for done. Whoever tries again is told what has become of it. */
function stillUnknown(what: string): never {
  throw new MedusaError(
    MedusaError.Types.UNEXPECTED_STATE,
    `The outcome of the ${what} is not known yet: try again later`,
  );
}

function underWay(refund: string): MedusaError {
  return new MedusaError(
    MedusaError.Types.NOT_ALLOWED,
    `${refund} is under way, and its outcome is not known yet: try again later. Nothing is given back twice.`,
  );
}
