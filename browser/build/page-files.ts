import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/**
 * How long a file may be cached: for ever if its address contains a hash of the content, otherwise only after revalidation.
 */
export type Caching = 'immutable' | 'revalidate';

export interface PageFile {
  /** Its path below the service's address. */
  path: string;
  type: string;
  caching: Caching;
  /** For `integrity` attributes (Subresource Integrity). */
  integrity: string;
}

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  ts: 'text/plain; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
};

export function integrityOf(content: string): string {
  return `sha384-${createHash('sha384').update(content).digest('base64')}`;
}

/** A hash of the content, for use in an address. */
export function contentHash(content: string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

export function gzippedSize(content: string): number {
  return gzipSync(content, { level: 9 }).length;
}

/** Collects the files, then writes them with their compressed forms and the manifest that the service reads. */
export class PageFiles {
  readonly #contents = new Map<string, { content: string; caching: Caching }>();

  add(path: string, content: string, caching: Caching): PageFile {
    this.#contents.set(path, { content, caching });
    return this.#describe(path, content, caching);
  }

  async write(folder: string): Promise<void> {
    await rm(folder, { recursive: true, force: true });
    const manifest = [...this.#contents].map(([path, { content, caching }]) =>
      this.#describe(path, content, caching),
    );
    for (const [path, { content }] of this.#contents) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
      // Packed, the server would take it for a film.
      if (path.endsWith('.d.ts')) continue;
      await writeFile(`${file}.gz`, gzipSync(content, { level: 9 }));
      const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
      await writeFile(`${file}.br`, brotliCompressSync(content, { params: quality }));
    }
    await writeFile(join(folder, 'manifest.json'), `${JSON.stringify({ files: manifest }, undefined, 2)}\n`);
  }

  #describe(path: string, content: string, caching: Caching): PageFile {
    const type = TYPES[path.split('.').at(-1) ?? ''];
    if (type === undefined) throw new Error(`no media type is known for ${path}`);
    return { path, type, caching, integrity: integrityOf(content) };
  }
}
