const { AbstractPaymentProvider, ModuleProvider, Modules } = require('@medusajs/framework/utils');

/**
 * The least that a provider can be: the gateway is called once, when Medusa authorizes a payment, and the card goes by the context, which is
 * not stored.
 */
class GatewayProvider extends AbstractPaymentProvider {
  static identifier = 'gateway';

  async initiatePayment({ data }) {
    return { id: data.reference, data, status: 'pending' };
  }

  async authorizePayment({ data, context }) {
    const answer = await fetch(`${process.env.GATEWAY_BASE_URL}/payment/card`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': process.env.GATEWAY_API_KEY,
        'access-token': process.env.GATEWAY_ACCESS_TOKEN,
      },
      body: JSON.stringify(context.request),
    });
    const { status, transactionRef } = (await answer.json()).data;
    return { status: status === 'SUCCESSFUL' ? 'captured' : 'error', data: { ...data, transactionRef } };
  }

  async capturePayment({ data }) {
    return { data };
  }
  async cancelPayment({ data }) {
    return { data };
  }
  async deletePayment({ data }) {
    return { data };
  }
  async refundPayment({ data }) {
    return { data };
  }
  async retrievePayment({ data }) {
    return { data };
  }
  async updatePayment({ data }) {
    return { data };
  }
  async getPaymentStatus() {
    return { status: 'captured' };
  }
  async getWebhookActionAndData() {
    return { action: 'not_supported' };
  }
}

module.exports = ModuleProvider(Modules.PAYMENT, { services: [GatewayProvider] });
