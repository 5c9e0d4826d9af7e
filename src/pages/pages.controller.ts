import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { OpenAt } from '../http/server/doors.js';
import { Problem } from '../http/problems/problem.js';
import { encodedFor, type PageFile } from './page-files.js';
import { pageSecurityPolicy } from './page-policy.js';

/** Injection token of the files, by path; `undefined` where they were not built. */
export const PAGE_FILES = Symbol('PAGE_FILES');

const CACHE_CONTROL = { immutable: 'public, max-age=31536000, immutable', revalidate: 'public, no-cache' };

/** Serves the browser kit and the two ready-made pages. */
@ApiExcludeController()
@OpenAt('payers')
@Controller()
export class PagesController {
  readonly #policies: Readonly<Record<'checkout' | 'console', string>>;

  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(PAGE_FILES) private readonly files: ReadonlyMap<string, PageFile> | undefined,
  ) {
    const { mode } = config.gateway;
    this.#policies = {
      checkout: pageSecurityPolicy('checkout', mode),
      console: pageSecurityPolicy('console', mode),
    };
  }

  // Shops load the kit from their own origins, which must be allowed ones: it could call nothing from any other.
  @Get('kit/:file')
  kitFile(
    @Param('file') file: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): FastifyReply {
    return this.#sendKit(`kit/${file}`, request, reply);
  }

  @Get('kit/:folder/:file')
  kitFileOfVersion(
    @Param('folder') folder: string,
    @Param('file') file: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): FastifyReply {
    return this.#sendKit(`kit/${folder}/${file}`, request, reply);
  }

  @Get('checkout')
  checkout(@Req() request: FastifyRequest, @Res() reply: FastifyReply): FastifyReply {
    return this.#sendPage('checkout', request, reply);
  }

  @Get('checkout/:file')
  checkoutFile(
    @Param('file') file: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): FastifyReply {
    return this.#send(`checkout/${file}`, request, reply);
  }

  @Get('console')
  @OpenAt('merchant')
  console(@Req() request: FastifyRequest, @Res() reply: FastifyReply): FastifyReply {
    return this.#sendPage('console', request, reply);
  }

  @Get('console/:file')
  @OpenAt('merchant')
  consoleFile(
    @Param('file') file: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): FastifyReply {
    return this.#send(`console/${file}`, request, reply);
  }

  #sendKit(path: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const file = this.#find(path);
    reply
      .header('access-control-expose-headers', 'Tillfront-Integrity')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('tillfront-integrity', file.integrity);
    return this.#send(path, request, reply);
  }

  #sendPage(page: 'checkout' | 'console', request: FastifyRequest, reply: FastifyReply): FastifyReply {
    reply
      .header('content-security-policy', this.#policies[page])
      .header('cross-origin-opener-policy', 'same-origin')
      .header('x-frame-options', 'DENY');
    return this.#send(`${page}.html`, request, reply);
  }

  #send(path: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const file = this.#find(path);
    const { body, encoding } = encodedFor(file, request.headers['accept-encoding']);
    // what a cache compares must tell the encodings apart
    const etag = `"${file.integrity.slice(7, 39)}${encoding === undefined ? '' : `-${encoding}`}"`;
    reply
      .header('content-type', file.type)
      .header('cache-control', CACHE_CONTROL[file.caching])
      .header('vary', 'Accept-Encoding, Origin')
      .header('etag', etag);
    if (encoding !== undefined) reply.header('content-encoding', encoding);
    const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    if (known?.includes(etag)) return reply.code(304).send();
    return reply.send(body);
  }

  #find(path: string): PageFile {
    const file = this.files?.get(path);
    if (file === undefined) throw new Problem('not-found', 'There is nothing at this address.');
    return file;
  }
}
