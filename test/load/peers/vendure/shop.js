const {
  ChannelService,
  DefaultLogger,
  LanguageCode,
  LogLevel,
  OrderService,
  PaymentMethodHandler,
  PaymentMethodService,
  PaymentService,
  PluginCommonModule,
  RequestContextService,
  VendurePlugin,
  bootstrap,
} = require('@vendure/core');
const {
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  Post,
  ServiceUnavailableException,
} = require('@nestjs/common');

const METHOD = 'gateway';
const CURRENCY = 'NGN';
let isReady = false;

/** The least that a handler can be: the gateway is called once, and of what it was asked with nothing is stored. */
const gateway = new PaymentMethodHandler({
  code: METHOD,
  description: [{ languageCode: LanguageCode.en, value: 'Card' }],
  args: {},
  createPayment: async (ctx, order, amount, args, request) => {
    const answer = await fetch(`${process.env.GATEWAY_BASE_URL}/payment/card`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': process.env.GATEWAY_API_KEY,
        'access-token': process.env.GATEWAY_ACCESS_TOKEN,
      },
      body: JSON.stringify(request),
    });
    const { status, transactionRef } = (await answer.json()).data;
    return {
      amount,
      state: status === 'SUCCESSFUL' ? 'Settled' : 'Error',
      transactionId: transactionRef,
      metadata: {},
    };
  },
  settlePayment: async () => ({ success: true }),
});

/** A card payment by Vendure's payment service, for an order that is made before. */
class Payments {
  constructor(orders, payments, contexts) {
    Object.assign(this, { orders, payments, contexts });
  }

  /** It listens before there is a way to pay. */
  ready() {
    if (!isReady) throw new ServiceUnavailableException();
    return {};
  }

  async pay(body) {
    const ctx = await this.contexts.create({ apiType: 'admin' });
    const order = await this.orders.create(ctx);
    const amount = Math.round(Number(body.amount) * 100);
    const payment = await this.payments.createPayment(ctx, order, amount, METHOD, body);
    return { id: String(payment.id), status: payment.state === 'Settled' ? 'SUCCESSFUL' : 'UNKNOWN' };
  }
}

/** What decorators would do: this file is run as it is. */
const decorate = (member, ...decorators) => {
  const described = Object.getOwnPropertyDescriptor(Payments.prototype, member);
  for (const decorator of decorators) decorator(Payments.prototype, member, described);
};
[OrderService, PaymentService, RequestContextService].forEach((service, index) =>
  Inject(service)(Payments, undefined, index),
);
Body()(Payments.prototype, 'pay', 0);
decorate('pay', Post('pay'), HttpCode(200));
decorate('ready', Get('ready'));
Controller()(Payments);

class Shop {}
VendurePlugin({
  imports: [PluginCommonModule],
  controllers: [Payments],
  compatibility: '^3.0.0',
})(Shop);

/** A shop in naira with one way to pay. */
async function start() {
  const app = await bootstrap({
    apiOptions: { hostname: '127.0.0.1', port: Number(process.env.PORT) },
    authOptions: {
      tokenMethod: 'bearer',
      superadminCredentials: { identifier: 'bench', password: process.env.ADMIN_PASSWORD },
    },
    dbConnectionOptions: { type: 'postgres', url: process.env.DATABASE_URL, synchronize: true, poolSize: 20 },
    logger: new DefaultLogger({ level: LogLevel.Error }),
    paymentOptions: { paymentMethodHandlers: [gateway] },
    plugins: [Shop],
  });
  const contexts = app.get(RequestContextService);
  const channels = app.get(ChannelService);
  const { id } = await channels.getDefaultChannel();
  await channels.update(await contexts.create({ apiType: 'admin' }), {
    id,
    defaultCurrencyCode: CURRENCY,
    availableCurrencyCodes: [CURRENCY],
  });
  await app.get(PaymentMethodService).create(await contexts.create({ apiType: 'admin' }), {
    code: METHOD,
    enabled: true,
    handler: { code: METHOD, arguments: [] },
    translations: [{ languageCode: LanguageCode.en, name: 'Card', description: '' }],
  });
  isReady = true;
}

module.exports = { start };
