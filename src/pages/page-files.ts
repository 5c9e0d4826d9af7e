import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of the pages in every encoding in which it is sent. */
export interface PageFile {
  /** Its path below the service's address, without a leading slash. */
  readonly path: string;
  readonly type: string;
  /** `immutable`: the address contains a hash of the content. */
  readonly caching: 'immutable' | 'revalidate';
  /** For `integrity` attributes (Subresource Integrity). It is also a strong ETag of the content. */
  readonly integrity: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
}

/** The build puts them next to this code. */
export const builtPages = join(import.meta.dirname, 'files');

interface Manifest {
  files: Pick<PageFile, 'path' | 'type' | 'caching' | 'integrity'>[];
}

/**
 * Reads all files of the pages into memory: they are few and small, and reading during a request could fail. `undefined`
 * where they were never built, as when the code runs from source. Rejects if files of the manifest are missing.
 */
export async function readPageFiles(folder: string): Promise<ReadonlyMap<string, PageFile> | undefined> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const manifest = JSON.parse(text) as Manifest;
  const files = await Promise.all(
    manifest.files.map(async (file) => {
      const name = join(folder, file.path);
      const [plain, gzip, brotli] = await Promise.all([
        readFile(name),
        readFile(`${name}.gz`),
        readFile(`${name}.br`),
      ]);
      return { ...file, plain, gzip, brotli };
    }),
  );
  return new Map(files.map((file) => [file.path, file]));
}

/** The smallest encoding that the client's `Accept-Encoding` allows. */
export function encodedFor(
  file: PageFile,
  acceptEncoding: string | undefined,
): { body: Buffer; encoding?: 'br' | 'gzip' } {
  const accepted = new Set(
    (acceptEncoding ?? '')
      .split(',')
      .map((entry) => entry.trim().toLowerCase())
      .filter((entry) => !/;\s*q=0(\.0*)?$/.test(entry))
      .map((entry) => entry.split(';', 1)[0]),
  );
  if (accepted.has('br')) return { body: file.brotli, encoding: 'br' };
  if (accepted.has('gzip')) return { body: file.gzip, encoding: 'gzip' };
  return { body: file.plain };
}
