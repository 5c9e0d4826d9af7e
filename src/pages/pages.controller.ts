import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { EdgeRoute } from '../http/route.js';
import { findPageFile, PAGE_FILES, sendPageFile, type PageFileIndex } from './page-files.js';

/** The ready-made pages. `frame` is the checkout inside a page of the shop's. */
const PAGES = ['checkout', 'frame', 'console'] as const;
export type Page = (typeof PAGES)[number];

/** What a page's policy depends on. */
export interface PolicyConfig {
  gateway: Pick<Config['gateway'], 'mode'>;
  http: Pick<Config['http'], 'allowedOrigins'>;
}

/**
 * The pages may load scripts and styles only from this service, call only this service, and never turn text into markup.
 * Nobody may frame them, but for the frame's page, which allowed origins may. The checkout page's forms may go to any https
 * address, because banks choose where a 3-D Secure form is posted. In test mode they may also go to loopback addresses,
 * where the sandbox's bank is. The frame hands the way to a bank to the page around it, and the console's forms are handled
 * by its script, so neither submits any.
 */
export function pageSecurityPolicy(page: Page, { gateway, http }: PolicyConfig): string {
  const banks = gateway.mode === 'live' ? 'https:' : 'https: http://localhost:* http://127.0.0.1:*';
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    page === 'checkout' ? `form-action 'self' ${banks}` : "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${page === 'frame' ? http.allowedOrigins.join(' ') : "'none'"}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

/** Serves the ready-made pages. Their files are public; what they show needs a token or a key. */
@ApiExcludeController()
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
  @EdgeRoute({ openAt: 'payers' })
  checkout(@Req() request: FastifyRequest, @Res() reply: FastifyReply): FastifyReply {
    return this.#sendPage('checkout', request, reply);
  }

  /** The checkout inside a page of the shop's: the only page that others may frame, and only allowed origins. */
  @Get('checkout/frame')
  @EdgeRoute({ openAt: 'payers' })
  frame(@Req() request: FastifyRequest, @Res() reply: FastifyReply): FastifyReply {
    reply.header('cross-origin-resource-policy', 'cross-origin');
    return this.#sendPage('frame', request, reply);
  }

  @Get('checkout/:file')
  @EdgeRoute({ openAt: 'payers' })
  checkoutFile(
    @Param('file') file: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): FastifyReply {
    return sendPageFile(findPageFile(this.files, `checkout/${file}`), request, reply);
  }

  @Get('console')
  @EdgeRoute({ openAt: 'merchant' })
  console(@Req() request: FastifyRequest, @Res() reply: FastifyReply): FastifyReply {
    return this.#sendPage('console', request, reply);
  }

  @Get('console/:file')
  @EdgeRoute({ openAt: 'merchant' })
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
