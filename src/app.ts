import { setTimeout as pause } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { AppModule, type Dependencies } from './app.module.js';
import { Audit } from './audit/audit.js';
import { auditCalls } from './audit/audited.js';
import { AccessGuard } from './auth/access.guard.js';
import { DtoValidationPipe } from './http/check.js';
import { ProblemFilter } from './http/problem-reply.js';
import { HttpEdge } from './http/server.js';
import { serveApiDocs } from './openapi/openapi.js';
import { Health } from './ops/health.js';
import { logRequests } from './ops/request-log.js';
import { servePages } from './pages/pages.js';
import { NestLogger } from './telemetry/nest-logger.js';

/** Of the time to shut down: for what is in flight. */
const DRAIN_SHARE = 0.8;

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
  const { config, telemetry } = dependencies;
  const edge = new HttpEdge(config);
  const nest = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(dependencies), edge, {
    logger: new NestLogger(telemetry.logger),
    bodyParser: false,
    // main reports a fault at the start.
    abortOnError: false,
  });
  const guard = nest.get(AccessGuard, { strict: false });
  const server = edge.getInstance<FastifyInstance>();
  logRequests(server, telemetry, (request) => guard.ownerOf(request) !== undefined);
  auditCalls(server, nest.get(Audit, { strict: false }), (request) => guard.ownerOf(request));
  nest.useGlobalPipes(new DtoValidationPipe());
  nest.useGlobalFilters(new ProblemFilter());
  serveApiDocs(nest, config.http.publicBaseUrl);
  await servePages(server, config);
  return {
    nest,
    listen: async () => {
      await nest.init();
      await nest.listen(config.http.port, config.http.host);
      await edge.openOthers(config.http);
    },
    stop: async () => {
      nest.get(Health, { strict: false }).stop();
      edge.shut();
      // What is still not done then is cut off, and what closes the store has its time.
      await Promise.race([
        edge.idle(),
        pause(config.http.shutdownGraceMs * DRAIN_SHARE, undefined, { ref: false }),
      ]);
      await nest.close();
    },
  };
}
