const { Modules } = require('@medusajs/framework/utils');

const PROVIDER = 'pp_gateway_gateway';

/** A card payment by Medusa's payment module, in the steps in which its checkout makes them: collection, session, authorization. */
module.exports.POST = async (request, response) => {
  const payments = request.scope.resolve(Modules.PAYMENT);
  const { amount, currency, client_ref: reference } = request.body;
  const collection = await payments.createPaymentCollections({
    amount: Number(amount),
    currency_code: currency.toLowerCase(),
  });
  const session = await payments.createPaymentSession(collection.id, {
    provider_id: PROVIDER,
    amount: Number(amount),
    currency_code: currency.toLowerCase(),
    data: { reference },
  });
  const payment = await payments.authorizePaymentSession(session.id, { request: request.body });
  response.status(200).json({ id: payment.id, status: payment.captured_at ? 'SUCCESSFUL' : 'UNKNOWN' });
};
