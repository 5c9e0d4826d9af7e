import { createHash } from 'node:crypto';
import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { contrast, lightened } from '../config/brand.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { Problem } from '../http/problems/problem.js';
import { EdgeRoute } from '../http/route.js';
import { findPageFile, PAGE_FILES, sendPageFile, type PageFileIndex } from './page-files.js';

/** The dark surface of the checkout page. An accent must be told from it. */
const DARK_SURFACE = '#18211f';

/** Text on an accent that was lightened for the dark. */
const DARK_TEXT = '#06251d';

/** What the element learns about the service and the shop before it knows any session. */
interface KitMerchant {
  /** Who is paid. */
  name: string | null;
  /** Address of the logo below the service's. */
  logo: string | null;
  /** Colours `#rrggbb` on a light and on a dark page, and of text on each. */
  accent: { light: string; onLight: string; dark: string; onDark: string } | null;
  /** `PUBLIC_BASE_URL`. */
  baseUrl: string;
  /** The asking page's origin, if `ALLOWED_ORIGINS` lacks it: calls from there are refused. */
  refusedOrigin: string | null;
}

/** The shop's brand as the pages are told of it. */
function brandForPages({
  name,
  logo,
  accentColor,
}: Config['brand']): Pick<KitMerchant, 'name' | 'logo' | 'accent'> & { logoFile: string | undefined } {
  const logoFile =
    logo === undefined
      ? undefined
      : `${createHash('sha256').update(logo.content).digest('hex').slice(0, 16)}.${logo.type === 'image/png' ? 'png' : 'svg'}`;
  return {
    name: name ?? null,
    logo: logoFile === undefined ? null : `/kit/merchant/${logoFile}`,
    logoFile,
    accent: accentColor === undefined ? null : accentOf(accentColor),
  };
}

function accentOf(light: string): KitMerchant['accent'] {
  const dark = lightened(light, DARK_SURFACE);
  return { light, onLight: '#ffffff', dark, onDark: contrast(dark, DARK_TEXT) < 4.5 ? '#000000' : DARK_TEXT };
}

/** A picture may style itself and hold pictures. It may run and load nothing, even when it is opened as a page. */
const LOGO_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

/**
 * The browser kit, and what it needs to know before it knows a session. Public: any page may load it, so that the element
 * can say why it cannot work there. Calls to `/v1` still need an allowed origin.
 */
@ApiExcludeController()
@Controller('kit')
export class KitController {
  readonly #brand: ReturnType<typeof brandForPages>;
  readonly #allowedOrigins: ReadonlySet<string>;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(PAGE_FILES) private readonly files: PageFileIndex,
  ) {
    this.#brand = brandForPages(config.brand);
    this.#allowedOrigins = new Set(config.http.allowedOrigins);
  }

  /** Who is paid, and whether the asking page may call the service. */
  @Get('merchant.json')
  @EdgeRoute({ openAt: 'payers' })
  merchant(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): KitMerchant {
    const { name, logo, accent } = this.#brand;
    const { origin } = request.headers;
    openToAll(reply);
    return {
      name,
      logo,
      accent,
      baseUrl: this.config.http.publicBaseUrl,
      refusedOrigin: origin === undefined || this.#allowedOrigins.has(origin) ? null : origin,
    };
  }

  @Get('merchant/:file')
  @EdgeRoute({ openAt: 'payers' })
  logo(@Param('file') file: string, @Res() reply: FastifyReply): FastifyReply {
    const { logo } = this.config.brand;
    if (logo === undefined || file !== this.#brand.logoFile) {
      throw new Problem('not-found', 'There is nothing at this address.');
    }
    return openToAll(reply)
      .header('content-type', logo.type)
      .header('content-security-policy', LOGO_POLICY)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(logo.content);
  }

  @Get(':file')
  @EdgeRoute({ openAt: 'payers' })
  file(
    @Param('file') file: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): FastifyReply {
    return this.#send(`kit/${file}`, request, reply);
  }

  @Get(':folder/:file')
  @EdgeRoute({ openAt: 'payers' })
  fileOfVersion(
    @Param('folder') folder: string,
    @Param('file') file: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): FastifyReply {
    return this.#send(`kit/${folder}/${file}`, request, reply);
  }

  #send(path: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const file = findPageFile(this.files, path);
    openToAll(reply)
      .header('access-control-expose-headers', 'Tillfront-Integrity')
      .header('tillfront-integrity', file.integrity);
    return sendPageFile(file, request, reply);
  }
}

/** Any page may load this and read it. */
function openToAll(reply: FastifyReply): FastifyReply {
  return reply
    .header('access-control-allow-origin', '*')
    .header('cross-origin-resource-policy', 'cross-origin');
}
