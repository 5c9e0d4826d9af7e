import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { contrast, lightened } from '../config/brand.js';
import type { Config } from '../config/config.js';

export const FOR_EVERY_ORIGIN = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

/** The checkout's dark background, and text on an accent that was lightened for it. */
const DARK_SURFACE = '#18211f';
const DARK_TEXT = '#06251d';

const LOGO_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  // A picture may style itself and hold pictures. It may run and load nothing, even when it is opened as a page.
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
};

/** Serves the shop's logo. Returns what the payer's page says of the shop: its name, logo and colours. */
export function serveMerchant(server: FastifyInstance, { brand }: Config): object {
  const { name = null, logo, accentColor } = brand;
  const accent = accentColor === undefined ? null : accentOf(accentColor);
  if (logo === undefined) return { name, logo: null, accent };
  const hash = createHash('sha256').update(logo.content).digest('hex').slice(0, 16);
  const path = `kit/merchant/${hash}.${logo.type === 'image/png' ? 'png' : 'svg'}`;
  server.get(`/${path}`, (_request, reply) => reply.headers(LOGO_HEADERS).type(logo.type).send(logo.content));
  return { name, logo: path, accent };
}

/** Colours on a light and on a dark page, and of text on each. */
function accentOf(light: string): object {
  const dark = lightened(light, DARK_SURFACE);
  const onLight = contrast(light, '#ffffff') < 4.5 ? '#000000' : '#ffffff';
  return { light, onLight, dark, onDark: contrast(dark, DARK_TEXT) < 4.5 ? '#000000' : DARK_TEXT };
}
