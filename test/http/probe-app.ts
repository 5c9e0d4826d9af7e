import { setTimeout as sleep } from 'node:timers/promises';
import { BadRequestException, Body, Controller, Get, Module, Post, Query, Req } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { clientAddress } from '../../src/http/request/client-address.js';
import { EdgeRoute } from '../../src/http/request/edge-route.js';
import { Problem } from '../../src/http/problems/problem.js';
import { ProblemFilter } from '../../src/http/problems/problem.filter.js';
import { DtoValidationPipe } from '../../src/http/validation/validate.js';
import {
  createFastifyAdapter,
  HTTP_LIMITS,
  type HttpEdge,
  type HttpLimits,
} from '../../src/http/server/server.js';

/** Requests that have come in and take their time. */
export const slowRequests = { begun: 0 };

@Controller()
class ProbeController {
  @Get('v1/things/:id')
  thing(): unknown {
    return { ok: true };
  }

  @Post('v1/things/:id')
  post(@Body() body: unknown): unknown {
    return { body: body ?? null };
  }

  @Get('v1/address')
  address(@Req() request: FastifyRequest): unknown {
    return { address: clientAddress(request) };
  }

  @Get('v1/slow')
  async slow(@Query('wait') wait: string): Promise<unknown> {
    slowRequests.begun += 1;
    await sleep(Number(wait));
    return { ok: true };
  }

  @Get('v1/fails/:how')
  fails(@Req() request: FastifyRequest<{ Params: { how: string } }>): never {
    switch (request.params.how) {
      case 'problem':
        throw new Problem('gateway-busy', 'The gateway is busy.', {
          retryAfterSeconds: 2.1,
          paymentId: 'pay_1',
        });
      case 'unauthorized':
        throw new Problem('unauthorized', 'Who are you?');
      case 'store':
        throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.1'), { code: 'store-unavailable' });
      case 'nest':
        throw new BadRequestException('your value was 4111111111111111');
      case 'text':
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- what a careless library does
        throw 'card 4111111111111111';
      default:
        throw Object.assign(
          new Error('card 4111 1111 1111 1111 failed', { cause: new Error('Bearer abc.def') }),
          {
            config: { data: '{"cvv":"987"}' },
            statusCode: 404,
          },
        );
    }
  }

  @Post('v1/gateway/notifications')
  @EdgeRoute({ body: 'raw', anyOrigin: true })
  raw(@Body() body: unknown): unknown {
    return { bytes: Buffer.isBuffer(body) ? body.length : null };
  }

  @Post('v1/payments/:id/return/:token')
  @EdgeRoute({ body: 'form', anyOrigin: true })
  form(@Body() body: unknown): unknown {
    return { body };
  }

  @Get('health/live')
  @EdgeRoute({ whileShuttingDown: true })
  live(): unknown {
    return { status: 'ok' };
  }
}

@Module({ controllers: [ProbeController] })
class ProbeModule {}

const IMPATIENT = { headersTimeoutMs: 400, requestTimeoutMs: 600, timeoutCheckMs: 50 };

/** An application with the service's own edge, listening on loopback. */
export interface Probe {
  edge: HttpEdge;
  app: NestFastifyApplication;
  port: number;
}

/** What a probe has instead of the usual routes. */
export interface ProbeOptions {
  module?: new () => object;
  /** Called before it listens. */
  prepare?: (app: NestFastifyApplication) => void;
  /** Gives requests so little time that a test can wait for the end of it. A busy machine would need more for any other request. */
  impatient?: boolean;
  /** Limits other than the service's. */
  limits?: Partial<HttpLimits>;
}

/** Starts one. Close `app` afterwards. */
export async function startProbe(
  http: Partial<Parameters<typeof createFastifyAdapter>[0]['http']> = {},
  { module = ProbeModule, prepare = () => undefined, impatient = false, limits: other }: ProbeOptions = {},
): Promise<Probe> {
  const limits = { ...HTTP_LIMITS, ...(impatient && IMPATIENT), ...other };
  const adapter = createFastifyAdapter(
    {
      http: {
        port: 0,
        host: '127.0.0.1',
        publicBaseUrl: 'https://pay.example',
        trustProxy: false,
        allowedOrigins: ['https://shop.example'],
        allowedReturnOrigins: [],
        rateLimitPerMinute: 0,
        shutdownGraceMs: 0,
        ...http,
      },
    },
    { limits },
  );
  const nest = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: false,
    abortOnError: false,
  });
  nest.useGlobalFilters(new ProblemFilter());
  nest.useGlobalPipes(new DtoValidationPipe());
  prepare(nest);
  await nest.listen(0, '127.0.0.1');
  const address = nest.getHttpServer().address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { edge: adapter, app: nest, port: address.port };
}
