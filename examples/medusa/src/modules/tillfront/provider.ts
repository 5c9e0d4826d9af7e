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
import { AbstractPaymentProvider, MedusaError } from '@medusajs/framework/utils';
import { TillfrontClient, TillfrontError, type TillfrontPayment, type TillfrontSession } from './client';
import { asDecimal } from './money';

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

/**
 * Payments through Tillfront. A payment session of Medusa is a checkout session of Tillfront; its reference is the payment
 * session's id. Whatever a browser or an event says, the provider asks Tillfront what holds now.
 */
export class TillfrontPaymentProvider extends AbstractPaymentProvider<TillfrontOptions> {
  static override identifier = 'tillfront';
  private readonly tillfront: TillfrontClient;
  private readonly webhook: Webhook;

  static override validateOptions(options: Partial<TillfrontOptions>): void {
    for (const name of ['url', 'merchantKey', 'webhookSecret', 'returnUrl'] as const)
      if (!options[name])
        throw new MedusaError(MedusaError.Types.INVALID_DATA, `Tillfront needs the option ${name}`);
  }

  constructor(container: Record<string, unknown>, options: TillfrontOptions) {
    super(container, options);
    this.tillfront = new TillfrontClient(options);
    this.webhook = new Webhook(options.webhookSecret);
  }

  async initiatePayment(input: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    const medusaSession = String(input.data?.session_id);
    const kept = await this.open(medusaSession, input, medusaSession);
    return { id: kept.sessionId, data: { ...kept } };
  }

  /** A session's price never changes, so another price needs another session, under the same reference. */
  async updatePayment(input: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    const kept = keptIn(input.data);
    const currency = input.currency_code.toUpperCase();
    if (kept.amount === asDecimal(input.amount, currency) && kept.currency === currency)
      return { data: { ...kept } };
    await this.close(kept);
    // The key names the session that is replaced: a repeat gives the same new one.
    return {
      data: { ...(await this.open(kept.medusaSession, input, `${kept.medusaSession}:${kept.sessionId}`)) },
    };
  }

  async deletePayment(input: DeletePaymentInput): Promise<DeletePaymentOutput> {
    await this.close(keptIn(input.data));
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

  async capturePayment(input: CapturePaymentInput): Promise<CapturePaymentOutput> {
    const payment = await this.paymentIn(input.data);
    if (payment.status === 'succeeded') return { data: input.data };
    const done = await this.tillfront.post<TillfrontPayment>(
      `/v1/payments/${payment.id}/complete`,
      keyOf('complete', input),
    );
    return done.status === 'succeeded' ? { data: input.data } : stillUnknown('completion');
  }

  async cancelPayment(input: CancelPaymentInput): Promise<CancelPaymentOutput> {
    const payment = await this.paymentIn(input.data);
    if (payment.status === 'voided') return { data: input.data };
    const done = await this.tillfront.post<TillfrontPayment>(
      `/v1/payments/${payment.id}/void`,
      keyOf('void', input),
    );
    return done.status === 'voided' ? { data: input.data } : stillUnknown('void');
  }

  /** Gives back a part or all. A gateway without refunds can still reverse the whole. */
  async refundPayment(input: RefundPaymentInput): Promise<RefundPaymentOutput> {
    const payment = await this.paymentIn(input.data);
    const amount = asDecimal(input.amount, payment.currency);
    try {
      const path = `/v1/payments/${payment.id}/refunds`;
      const refund = await this.tillfront.post<{ status: string }>(path, keyOf('refund', input), { amount });
      return refund.status === 'succeeded' ? { data: input.data } : stillUnknown('refund');
    } catch (error) {
      const isWhole = amount === (payment.amountCaptured ?? payment.amount);
      const cannot = error instanceof TillfrontError && ['not-supported', 'not-found'].includes(error.code);
      if (cannot && isWhole) return this.cancelPayment(input);
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
    const paid = payment.amountCaptured ?? payment.amountAuthorized ?? payment.amount;
    return { action: status, data: { session_id: medusaSession, amount: Number(paid) } };
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

  /** Throws while a payment is under way, so that Medusa keeps the session that it belongs to. */
  private async close({ sessionId }: Kept): Promise<void> {
    const { status } = await this.tillfront.get<TillfrontSession>(`/v1/checkout-sessions/${sessionId}`);
    if (status === 'paid')
      throw new MedusaError(MedusaError.Types.NOT_ALLOWED, 'This payment session is already paid');
    if (status === 'open')
      await this.tillfront.post(`/v1/checkout-sessions/${sessionId}/close`, `close-${sessionId}`);
  }

  /** Only a payment of the right amount and currency that no person has to look at counts as paid. */
  private async stateOf(
    due: Pick<Kept, 'reference' | 'amount' | 'currency'>,
  ): Promise<{ status: PaymentSessionStatus; payment?: TillfrontPayment }> {
    const { data } = await this.tillfront.get<{ data: TillfrontPayment[] }>(
      `/v1/payments?reference=${due.reference}`,
    );
    const fits = (payment: TillfrontPayment): boolean =>
      payment.amount === due.amount &&
      payment.currency === due.currency &&
      payment.duplicateOf === null &&
      !payment.needsAttention;
    const paid = data.find((payment) => payment.status === 'succeeded' && fits(payment));
    if (paid) return { status: 'captured', payment: paid };
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

/** One key for one thing that Medusa asks for. Medusa repeats it with the same key. */
function keyOf(
  what: string,
  { context, data }: { context?: { idempotency_key?: string }; data?: Data },
): string {
  return `${what}-${context?.idempotency_key ?? String(data?.paymentId)}`;
}

/** Medusa must not take an unknown outcome for done. It asks again with the same key, and an event tells it, too. */
function stillUnknown(what: string): never {
  throw new MedusaError(
    MedusaError.Types.UNEXPECTED_STATE,
    `The outcome of the ${what} is not known yet: try again later`,
  );
}
