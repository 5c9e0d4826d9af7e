import { defineConfig } from '@medusajs/framework/utils';

const { DATABASE_URL, JWT_SECRET, COOKIE_SECRET, STORE_CORS = 'http://localhost:8000' } = process.env;
const {
  TILLFRONT_URL,
  TILLFRONT_MERCHANT_KEY,
  TILLFRONT_WEBHOOK_SECRET,
  MEDUSA_URL = 'http://localhost:9000',
} = process.env;

module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: DATABASE_URL,
    http: {
      storeCors: STORE_CORS,
      adminCors: STORE_CORS,
      authCors: STORE_CORS,
      jwtSecret: JWT_SECRET,
      cookieSecret: COOKIE_SECRET,
    },
  },
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: {
        webhook_delay: Number(process.env.WEBHOOK_DELAY_MS ?? 5000),
        providers: [
          {
            resolve: './src/modules/tillfront',
            id: 'tillfront',
            options: {
              url: TILLFRONT_URL,
              merchantKey: TILLFRONT_MERCHANT_KEY,
              webhookSecret: TILLFRONT_WEBHOOK_SECRET,
              returnUrl: `${MEDUSA_URL}/tillfront/return`,
            },
          },
        ],
      },
    },
  ],
});
