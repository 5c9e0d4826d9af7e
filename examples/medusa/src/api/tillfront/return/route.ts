import type { MedusaRequest, MedusaResponse } from '@medusajs/framework/http';
import { Modules } from '@medusajs/framework/utils';
import { processPaymentWorkflow } from '@medusajs/medusa/core-flows';

const { STOREFRONT_URL = 'http://localhost:8000' } = process.env;

/**
 * Where payers come back to from the bank or the wallet. It does what an event does, so the order exists at once, and sends
 * the payer to the storefront. It believes nothing in the address except which payment session to ask about.
 */
export async function GET(request: MedusaRequest, response: MedusaResponse): Promise<void> {
  const id = String(request.query['payment_session']);
  const payments = request.scope.resolve(Modules.PAYMENT);
  const [session] = await payments.listPaymentSessions({ id: [id] });
  if (!session) {
    response.sendStatus(404);
    return;
  }
  // Completes the cart if Tillfront says that it is paid, and changes nothing otherwise.
  const input = { action: 'authorized' as const, data: { session_id: id, amount: session.amount } };
  await processPaymentWorkflow(request.scope).run({ input, throwOnError: false });
  const [payment] = await payments.listPayments({ payment_session_id: [id] });
  response.redirect(
    303,
    `${STOREFRONT_URL}/checkout/return?payment_session=${id}&state=${payment ? 'paid' : 'waiting'}`,
  );
}
