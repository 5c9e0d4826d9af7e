import type { PaymentDto } from '../../payments/views/payment.dto.js';
import { type CommandContext, CommandFailure, EXIT, type ExitCode } from '../command.js';
import { serviceOf } from '../service-client.js';
import { SANDBOX_SCENARIOS, type TestCard } from '../go-live/scenarios-file.js';
import { ScenarioFailure, TestShop, type Order } from '../go-live/test-shop.js';
import type { Trigger } from '../choices.js';

/** How the sandbox's payments come to an end. Each returns the payment that the event is about; null for a session's own. */
type Way = (shop: TestShop, order: Order) => Promise<PaymentDto | null>;

const VALID = { expiryMonth: '12', expiryYear: '2030', cvv: '111' };
const EXPIRED: TestCard = { number: '4000000000001208', ...VALID };

const byCard =
  (card: TestCard | undefined, status: PaymentDto['status']): Way =>
  async (shop, order) =>
    shop.settle(await order.payByCard(card as TestCard), status);

const { approved, declined, authorized, otp } = SANDBOX_SCENARIOS.cards;
const paid = byCard(approved, 'succeeded') as (shop: TestShop, order: Order) => Promise<PaymentDto>;

const WAYS: Readonly<Record<Trigger, Way>> = {
  'payment.requires_action': byCard(otp, 'requires_action'),
  'payment.authorized': byCard(authorized, 'authorized'),
  'payment.succeeded': paid,
  'payment.failed': byCard(declined, 'failed'),
  'payment.canceled': async (shop, order) => shop.cancel(await order.payByTransfer()),
  'payment.expired': byCard(EXPIRED, 'expired'),
  'payment.voided': async (shop, order) => shop.settle(await shop.void(await paid(shop, order)), 'voided'),
  'payment.refunded': async (shop, order) => {
    const payment = await paid(shop, order);
    await shop.refund(payment);
    return payment;
  },
  'checkout_session.paid': paid,
  'checkout_session.closed': async (_till, order) => {
    await order.close();
    return null;
  },
};

/** Makes a test payment of the running service that ends with the event, with the sandbox's cards. */
export async function trigger(context: CommandContext, event: string): Promise<ExitCode> {
  const shop = new TestShop({
    service: serviceOf(context),
    file: SANDBOX_SCENARIOS,
    ask: (line) => context.reporter.ask(line),
    waitSeconds: 60,
    purpose: 'trigger',
  });
  const order = await shop.order();
  const { id: session, reference, livemode } = order.session;
  if (livemode) {
    await order.close();
    throw new CommandFailure(
      'The service runs in live mode, where test cards must not be sent.',
      'live-mode',
    );
  }
  let payment: PaymentDto | null;
  try {
    payment = await WAYS[event as Trigger](shop, order);
  } catch (error) {
    if (!(error instanceof ScenarioFailure)) throw error;
    throw new CommandFailure(
      `The payment of ${reference} ${error.message}. Does the service use the sandbox gateway?`,
      'other-outcome',
      EXIT.found,
    );
  }
  const about = payment?.id ?? session;
  context.reporter.report({
    text: [`${event}: ${reference} (${about})`],
    json: { type: event, reference, session, payment: payment?.id ?? null },
  });
  return EXIT.done;
}
