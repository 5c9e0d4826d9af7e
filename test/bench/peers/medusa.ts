import express from 'express';
import type { AddressInfo } from 'node:net';
import { charge, type Outcome } from './card-payment.ts';
import { medusaPackages } from './medusa-packages.ts';

/**
 * What a Medusa shop does for a card: its payment module on its own, with a provider that charges at the gateway. A collection, a
 * session in it, and the session's authorization, which the provider answers with a captured payment.
 */

/** What is used of Medusa, whose types are as far away as its packages. */
interface PaymentModule {
  createPaymentCollections(collection: object): Promise<{ id: string }>;
  createPaymentSession(collectionId: string, session: object): Promise<{ id: string }>;
  authorizePaymentSession(id: string, context: object): Promise<{ id: string; data: Outcome }>;
}
interface Container {
  register(name: string, value: unknown): void;
}
interface ModulesSdk {
  MedusaModule: {
    migrateUp(module: object): Promise<void>;
    bootstrap(module: object): Promise<{ payment: PaymentModule }>;
  };
}
interface Utils {
  createMedusaContainer: () => Container;
  AbstractPaymentProvider: new () => object;
}
type Body = Parameters<typeof charge>[0];

const { MedusaModule } = medusaPackages('@medusajs/framework/modules-sdk') as ModulesSdk;
const { AbstractPaymentProvider, createMedusaContainer } = medusaPackages(
  '@medusajs/framework/utils',
) as Utils;
const { asValue } = medusaPackages('@medusajs/framework/awilix') as { asValue: (value: object) => unknown };

class BenchGateway extends AbstractPaymentProvider {
  static readonly identifier = 'bench';

  initiatePayment(): object {
    return { id: 'bench', data: {} };
  }

  /** The card comes in the context, which unlike the session's data is not stored. */
  async authorizePayment({ context }: { context: { body: Body } }): Promise<object> {
    const data = await charge(context.body);
    return { data, status: data.status === 'SUCCESSFUL' ? 'captured' : 'error' };
  }
}

const quiet = (): void => undefined;
const container = createMedusaContainer();
container.register(
  'logger',
  asValue({ log: quiet, info: quiet, debug: quiet, warn: console.warn, error: console.error }),
);
const path = medusaPackages.resolve('@medusajs/payment');
const options = {
  database: { clientUrl: process.env['DATABASE_URL'] },
  providers: [{ id: 'gateway', resolve: { services: [BenchGateway] } }],
};
await MedusaModule.migrateUp({ moduleKey: 'payment', modulePath: path, options, container });
const { payment: payments } = await MedusaModule.bootstrap({
  moduleKey: 'payment',
  defaultPath: path,
  declaration: { options },
  sharedContainer: container,
});

const app = express().use(express.json());
app.post('/pay', async (request, response) => {
  const body = request.body as Body;
  const money = { currency_code: body.currency, amount: body.amount };
  const collection = await payments.createPaymentCollections(money);
  const session = await payments.createPaymentSession(collection.id, {
    ...money,
    provider_id: 'pp_bench_gateway',
    data: { reference: body.reference },
  });
  const { id, data } = await payments.authorizePaymentSession(session.id, { body });
  response.status(201).json({ id, ...data });
});
const server = app.listen(0, '127.0.0.1', () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
);
