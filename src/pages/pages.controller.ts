import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { EdgeRoute } from '../http/request/edge-route.js';
import { OpenAt } from '../http/server/doors.js';
import { PAGES, pageSecurityPolicy, type Page } from './page-policy.js';
import { findPageFile, PAGE_FILES, sendPageFile, type PageFileIndex } from './send-page-file.js';

/** Serves the ready-made pages. Their files are public; what they show needs a token or a key. */
@ApiExcludeController()
@OpenAt('payers')
@Controller()
export class PagesController {
  readonly #policies: ReadonlyMap<Page, string>;

  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(PAGE_FILES) private readonly files: PageFileIndex,
  ) {
    this.#policies = new Map(PAGES.map((page) => [page, pageSecurityPolicy(page, config)]));
  }

  @Get('checkout')
  @EdgeRoute({ anyOrigin: true })
  checkout(@Req() request: FastifyRequest, @Res() reply: FastifyReply): FastifyReply {
    return this.#sendPage('checkout', request, reply);
  }

  /** The checkout inside a page of the shop's: the only page that others may frame, and only allowed origins. */
  @Get('checkout/frame')
  @EdgeRoute({ anyOrigin: true })
  frame(@Req() request: FastifyRequest, @Res() reply: FastifyReply): FastifyReply {
    reply.header('cross-origin-resource-policy', 'cross-origin');
    return this.#sendPage('frame', request, reply);
  }

  @Get('checkout/:file')
  @EdgeRoute({ anyOrigin: true })
  checkoutFile(
    @Param('file') file: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): FastifyReply {
    return sendPageFile(findPageFile(this.files, `checkout/${file}`), request, reply);
  }

  @Get('console')
  @EdgeRoute({ anyOrigin: true })
  @OpenAt('merchant')
  console(@Req() request: FastifyRequest, @Res() reply: FastifyReply): FastifyReply {
    return this.#sendPage('console', request, reply);
  }

  @Get('console/:file')
  @EdgeRoute({ anyOrigin: true })
  @OpenAt('merchant')
  consoleFile(
    @Param('file') file: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): FastifyReply {
    return sendPageFile(findPageFile(this.files, `console/${file}`), request, reply);
  }

  #sendPage(page: Page, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    reply.header('content-security-policy', this.#policies.get(page));
    if (page !== 'frame') {
      reply.header('cross-origin-opener-policy', 'same-origin').header('x-frame-options', 'DENY');
    }
    return sendPageFile(findPageFile(this.files, `${page}.html`), request, reply);
  }
}
