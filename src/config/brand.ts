import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';

/** The most bytes of a logo. */
const MOST_LOGO_BYTES = 100 * 1024;

/** The contrast that WCAG 2.2 asks of text (AA). */
const READABLE = 4.5;

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A picture as it is sent to browsers. */
export interface Logo {
  readonly type: 'image/svg+xml' | 'image/png';
  readonly content: Buffer;
}

/** Reads a logo. Returns what is wrong with it as a text. */
export function readLogo(path: string): Logo | string {
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch {
    return 'names a file that cannot be read';
  }
  if (content.length > MOST_LOGO_BYTES) return 'names a file of more than 100 KB';
  if (isPng(content)) return { type: 'image/png', content };
  return isSvg(content) ? { type: 'image/svg+xml', content } : 'names a file that is neither SVG nor PNG';
}

/** The contrast of two `#rrggbb` colours by WCAG 2.2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The colour, mixed with as much white as its contrast with a dark background needs. */
export function lightened(color: string, background: string): string {
  for (let white = 0; white < 1; white += 0.05) {
    const mixed = channels(color).map((value) => Math.round(value + (255 - value) * white));
    const text = `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
    if (contrast(text, background) > READABLE + 1) return text;
  }
  return '#ffffff';
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const share = value / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

function isPng(content: Buffer): boolean {
  return (
    content.subarray(0, 8).equals(PNG_SIGNATURE) && content.subarray(12, 16).toString('latin1') === 'IHDR'
  );
}

/** Whether the root element of the text is `svg`, after a declaration, comments and a document type. */
function isSvg(content: Buffer): boolean {
  const head = /^\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*|<![a-z][^>]*>\s*)*<svg[\s>]/is;
  return isUtf8(content) && head.test(content.toString('utf8'));
}
