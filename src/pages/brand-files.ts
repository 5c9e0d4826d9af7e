import { createHash } from 'node:crypto';
import { contrast, lightened } from '../config/brand.js';
import type { BrandConfig } from '../config/config.js';

/** The dark surface of the checkout page. An accent must be told from it. */
const DARK_SURFACE = '#18211f';

/** Text on an accent that was lightened for the dark. */
const DARK_TEXT = '#06251d';

/** What the element learns about the service and the shop before it knows any session. */
export interface KitMerchant {
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
export function brandForPages({
  name,
  logo,
  accentColor,
}: BrandConfig): Pick<KitMerchant, 'name' | 'logo' | 'accent'> & { logoFile: string | undefined } {
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
