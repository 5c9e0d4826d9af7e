import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../http/problems/problem.js';
import { encodedFor, type PageFile } from './page-files.js';

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
