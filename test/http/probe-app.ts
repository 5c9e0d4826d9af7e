import { setTimeout as sleep } from 'node:timers/promises';
import { BadRequestException, Body, Controller, Get, Module, Post, Query, Req } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { clientAddress } from '../../src/http/address.js';
import { EdgeRoute } from '../../src/http/route.js';
import { Problem } from '../../src/http/problems/problem.js';
import { ProblemFilter } from '../../src/http/problem-reply.js';
import { DtoValidationPipe } from '../../src/http/check.js';
import { HttpEdge, SERVER_LIMITS } from '../../src/http/server.js';
import { Overloaded } from '../../src/store/store-unavailable.js';

/** Requests that have come in and take their time. */
export const slowRequests = { begun: 0 };

@Controller()
class ProbeController {
  @Get('v1/things/:id')
  @EdgeRoute({ openAt: 'payers' })
  thing(): unknown {
    return { ok: true };
  }

  @Post('v1/things/:id')
  @EdgeRoute({ openAt: 'payers' })
  post(@Body() body: unknown): unknown {
    return { body: body ?? null };
  }

  @Get('v1/address')
  @EdgeRoute({ openAt: 'payers' })
  address(@Req() request: FastifyRequest): unknown {
    return { address: clientAddress(request) };
  }

  @Get('v1/slow')
  @EdgeRoute({ openAt: 'payers' })
  async slow(@Query('wait') wait: string): Promise<unknown> {
    slowRequests.begun += 1;
    await sleep(Number(wait));
    return { ok: true };
  }

  @Get('v1/fails/:how')
  @EdgeRoute({ openAt: 'payers' })
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
      case 'overload':
        throw new Overloaded();
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
  @EdgeRoute({ openAt: 'payers', body: 'raw' })
  raw(@Body() body: unknown): unknown {
    return { bytes: Buffer.isBuffer(body) ? body.length : null };
  }

  @Post('v1/payments/:id/return/:token')
  @EdgeRoute({ openAt: 'payers', body: 'raw' })
  back(@Body() body: unknown): unknown {
    return { bytes: Buffer.isBuffer(body) ? body.length : null };
  }

  @Get('console')
  @EdgeRoute({ openAt: 'merchant' })
  console(): unknown {
    return { ok: true };
  }

  @Post('v1/merchants')
  @EdgeRoute({ openAt: 'merchant' })
  merchants(): unknown {
    return { ok: true };
  }

  @Get('v1/both')
  @EdgeRoute({ openAt: 'both' })
  both(): unknown {
    return { ok: true };
  }

  @Get('health/live')
  @EdgeRoute({ openAt: 'management' })
  live(): unknown {
    return { status: 'ok' };
  }
}

@Module({ controllers: [ProbeController] })
class ProbeModule {}

const IMPATIENT = { headersTimeout: 400, requestTimeout: 600, connectionsCheckingInterval: 50 };

/** An application with the service's own edge, listening on loopback. */
export interface Probe {
  edge: HttpEdge;
  app: NestFastifyApplication;
  port: number;
}

/** What a probe has instead of the usual routes and limits. */
export interface ProbeOptions {
  module?: new () => object;
  /** Called before it listens. */
  prepare?: (app: NestFastifyApplication) => void;
  /** Gives requests so little time that a test can wait for the end of it. */
  impatient?: boolean;
  limits?: Partial<typeof SERVER_LIMITS>;
}

type Http = ConstructorParameters<typeof HttpEdge>[0]['http'];

/** Starts one. Close `app` afterwards. */
export async function startProbe(
  http: Partial<Http> = {},
  { module = ProbeModule, prepare = () => undefined, impatient = false, limits }: ProbeOptions = {},
): Promise<Probe> {
  const usual = {
    publicBaseUrl: 'https://pay.example',
    trustProxy: false,
    allowedOrigins: ['https://shop.example'],
  };
  const edge = new HttpEdge(
    { http: { ...usual, ...http } as Http, gateway: { timeoutMs: 1_000 } },
    { ...SERVER_LIMITS, ...(impatient && IMPATIENT), ...limits },
  );
  const app = await NestFactory.create<NestFastifyApplication>(module, edge, {
    logger: false,
    abortOnError: false,
  });
  app.useGlobalFilters(new ProblemFilter());
  app.useGlobalPipes(new DtoValidationPipe());
  prepare(app);
  await app.listen(0, '127.0.0.1');
  await edge.openOthers({ host: '127.0.0.1', ...http });
  const address = app.getHttpServer().address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { edge, app, port: address.port };
}
