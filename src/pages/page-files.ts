import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../http/problems/problem.js';
import { acceptedEncodings } from '../http/request.js';
import type { Config } from '../config/config.js';

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
  const accepted = acceptedEncodings(acceptEncoding);
  if (accepted.has('br')) return { body: file.brotli, encoding: 'br' };
  if (accepted.has('gzip')) return { body: file.gzip, encoding: 'gzip' };
  return { body: file.plain };
}

/** Injection token of the files, by path; `undefined` where they were not built. */
export const PAGE_FILES = Symbol('PAGE_FILES');

export type PageFileIndex = ReadonlyMap<string, PageFile> | undefined;

const CACHE_CONTROL = { immutable: 'public, max-age=31536000, immutable', revalidate: 'public, no-cache' };

/** Throws `not-found`. */
export function findPageFile(files: PageFileIndex, path: string): PageFile {
  const file = files?.get(path);
  if (file === undefined) throw new Problem('not-found', 'There is nothing at this address.');
  return file;
}

/** Answers with a file in the smallest form that the client takes, or with 304 where it has this very file. */
export function sendPageFile(file: PageFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { body, encoding } = encodedFor(file, request.headers['accept-encoding']);
  // What a cache compares must tell the encodings apart.
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

/** What the pages must know before they may ask anybody: their own address, who may frame them, who is paid, and whether it is real money. */
export type PageSettings = Pick<Config['http'], 'publicBaseUrl' | 'allowedOrigins' | 'merchantPort'> &
  Pick<Config['brand'], 'name'> &
  Pick<Config['gateway'], 'mode'>;

/**
 * Fills the service's settings into the pages' markup. A page that was opened at another address than the payer's one can
 * then say so before it sends anything. The console at the merchant's own listener has no address that is configured anywhere,
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
