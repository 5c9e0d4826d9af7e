import type { ExecArgs } from '@medusajs/framework/types';
import { Modules, ProductStatus } from '@medusajs/framework/utils';
import {
  createApiKeysWorkflow,
  createProductsWorkflow,
  createRegionsWorkflow,
  createSalesChannelsWorkflow,
  linkSalesChannelsToApiKeyWorkflow,
  updateStoresWorkflow,
} from '@medusajs/medusa/core-flows';

/** A store that sells one thing in naira, paid through Tillfront. Prints the ids that a storefront needs. */
export default async function seed({ container }: ExecArgs): Promise<void> {
  const [store] = await container.resolve(Modules.STORE).listStores();
  if (!store) throw new Error('Run the migrations first');
  const { result: channels } = await createSalesChannelsWorkflow(container).run({
    input: { salesChannelsData: [{ name: 'Web' }] },
  });
  const channelId = channels[0]?.id ?? '';
  await updateStoresWorkflow(container).run({
    input: {
      selector: { id: store.id },
      update: {
        supported_currencies: [{ currency_code: 'ngn', is_default: true }],
        default_sales_channel_id: channelId,
      },
    },
  });
  const { result: regions } = await createRegionsWorkflow(container).run({
    input: {
      regions: [
        {
          name: 'Nigeria',
          currency_code: 'ngn',
          countries: ['ng'],
          payment_providers: ['pp_tillfront_tillfront'],
        },
      ],
    },
  });
  const { result: keys } = await createApiKeysWorkflow(container).run({
    input: { api_keys: [{ title: 'Web', type: 'publishable', created_by: '' }] },
  });
  await linkSalesChannelsToApiKeyWorkflow(container).run({
    input: { id: keys[0]?.id ?? '', add: [channelId] },
  });
  const { result: products } = await createProductsWorkflow(container).run({
    input: {
      products: [
        {
          title: 'A recipe for coffee',
          status: ProductStatus.PUBLISHED,
          options: [{ title: 'Format', values: ['PDF'] }],
          variants: [
            {
              title: 'PDF',
              options: { Format: 'PDF' },
              manage_inventory: false,
              prices: [{ amount: 1500, currency_code: 'ngn' }],
            },
          ],
          sales_channels: [{ id: channelId }],
        },
      ],
    },
  });
  const seeded = {
    publishableKey: keys[0]?.token,
    regionId: regions[0]?.id,
    productId: products[0]?.id,
    variantId: products[0]?.variants[0]?.id,
  };
  console.log(`SEEDED ${JSON.stringify(seeded)}`);
}
