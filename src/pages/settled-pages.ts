import { createHash } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Config } from '../config/config.js';
import type { PageFile } from './page-files.js';

/** What the pages must know before they may ask anybody: their own address, who may frame them, who is paid, and whether it is real money. */
export type PageSettings = Pick<Config['http'], 'publicBaseUrl' | 'allowedOrigins' | 'merchantPort'> &
  Pick<Config['brand'], 'name'> &
  Pick<Config['gateway'], 'mode'>;

/**
 * Fills the service's settings into the pages' markup. A page that was opened at another address than the payer's one can
 * then say so before it sends anything. The console at the merchant's own door has no address that is configured anywhere,
 * so it gets none.
 */
export function settledPages(
  files: ReadonlyMap<string, PageFile>,
  { publicBaseUrl, allowedOrigins, merchantPort, name, mode }: PageSettings,
): ReadonlyMap<string, PageFile> {
  const settings = (path: string): Record<string, string> => ({
    '%base-url%': path === 'console.html' && merchantPort !== undefined ? '' : publicBaseUrl,
    '%mode%': mode,
    '%title%': name === undefined ? 'Checkout' : `Checkout – ${name}`,
    '%allowed-origins%': allowedOrigins.join(' '),
  });
  const settled = [...files.values()].map((file) =>
    file.path.endsWith('.html') ? filled(file, settings(file.path)) : file,
  );
  return new Map(settled.map((file) => [file.path, file]));
}

function filled(file: PageFile, settings: Readonly<Record<string, string>>): PageFile {
  const text = file.plain
    .toString('utf8')
    .replace(/%[a-z-]+%/g, (name) => attributeText(settings[name] ?? name));
  const plain = Buffer.from(text);
  return {
    ...file,
    integrity: `sha384-${createHash('sha384').update(plain).digest('base64')}`,
    plain,
    gzip: gzipSync(plain),
    brotli: brotliCompressSync(plain),
  };
}

function attributeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
