const { defineConfig } = require('@medusajs/framework/utils');

/** A shop with one payment provider, which calls the gateway by itself. */
module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    http: {
      storeCors: 'http://localhost:8000',
      adminCors: 'http://localhost:8000',
      authCors: 'http://localhost:8000',
      jwtSecret: process.env.JWT_SECRET,
      cookieSecret: process.env.COOKIE_SECRET,
    },
  },
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: { providers: [{ resolve: './src/modules/gateway', id: 'gateway' }] },
    },
  ],
});
