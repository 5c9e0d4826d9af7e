import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { AppModule, type Dependencies } from './app.module.js';
import { serveApiDocs } from './openapi/openapi.js';
import { servePages } from './pages/pages.js';
import { ProblemFilter } from './http/problems/problem.filter.js';
import { createFastifyAdapter } from './http/server/server.js';
import { DtoValidationPipe } from './http/validation/validate.js';
import { Health } from './ops/health.js';
import { logRequests } from './ops/request-log.js';
import { Authenticator } from './sessions/authenticator.js';
import { isPayersToken } from './sessions/client-token.js';
import { NestLogger } from './telemetry/nest-logger.js';

/** The whole service, ready to listen. */
export interface Application {
  nest: NestFastifyApplication;
  /** Opens all of the service's ports, or none. */
  listen: () => Promise<void>;
  /** Is not ready from now on and refuses new work, finishes running work, then closes everything. */
  stop: () => Promise<void>;
}

/** Assembles the application from the dependencies that were created before. */
export async function createApp(dependencies: Dependencies): Promise<Application> {
  const { config, telemetry, gateway, store } = dependencies;
  const edge = createFastifyAdapter(config, { isPayersToken });
  const nest = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(dependencies), edge, {
    logger: new NestLogger(telemetry.logger),
    bodyParser: false,
    // main reports a fault at the start.
    abortOnError: false,
  });
  const authenticator = nest.get(Authenticator, { strict: false });
  edge.admissionGate.onShed(() => {
    telemetry.metrics.overloaded.inc();
  });
  logRequests(edge.getInstance<FastifyInstance>(), telemetry, (request) =>
    authenticator.isMerchants(request),
  );
  nest.useGlobalPipes(new DtoValidationPipe());
  nest.useGlobalFilters(new ProblemFilter());
  serveApiDocs(nest, config.http.publicBaseUrl);
  await servePages(edge.getInstance(), config);
  return {
    nest,
    listen: async () => {
      const { host, port, merchantPort } = config.http;
      await nest.init();
      edge.listeners.settle(nest);
      await nest.listen(port, host);
      if (merchantPort !== undefined) await edge.openMerchantsDoor(merchantPort, host);
    },
    stop: async () => {
      nest.get(Health).stop();
      edge.shutdownGate.shut();
      await nest.close();
      await gateway.close();
      await store.close();
    },
  };
}
