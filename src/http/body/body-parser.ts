import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { edgeRule } from '../request/edge-route.js';
import { Problem } from '../problems/problem.js';
import { release } from './release.js';
import { parseStrictJson } from './strict-json.js';
import { fileTooLarge } from './unpack.js';
import { isCsvMediaType, isGzip, UPLOAD_LIMITS } from './upload.js';

type Done = (error: Error | null, body?: unknown) => void;

export interface BodyLimits {
  /** The most bytes of a JSON body or a form. */
  readonly bodyBytes: number;
  /** The most bytes of a raw body. */
  readonly rawBodyBytes: number;
}

const JSON_MEDIA_TYPE = /^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*;?$/i;

const FORM_MEDIA_TYPE = /^application\/x-www-form-urlencoded(?:\s*;|$)/i;

const MULTIPART_MEDIA_TYPE = /^multipart\/form-data(?:\s*;|$)/i;

/** The syntax of a media type that the framework understands. It would refuse any other before it looks for a route. */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;.*)?$/;

/** How much of a refused body is still read. Otherwise the connection is reset before the client reads the answer. */
const DRAIN_BYTES = 1_048_576;
const DRAIN_MS = 500;

/**
 * Reads bodies according to each route's {@link edgeRule}. The framework's own parsers are removed: they accept text and
 * forms from any page's simple request, keep the last of two equal keys and have no nesting limit.
 */
export function installBodyParser(server: FastifyInstance, limits: BodyLimits): void {
  server.removeAllContentTypeParsers();
  server.addHook('onRequest', (request, _reply, done) => {
    const type = request.headers['content-type'];
    if (type !== undefined && !MEDIA_TYPE.test(type) && edgeRule(request).body === 'raw') {
      // A gateway's notification is accepted whatever its media type says.
      request.raw.headers['content-type'] = 'application/octet-stream';
    }
    done();
  });
  server.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage, done: Done) => {
    const kind = edgeRule(request).body ?? 'json';
    if (kind === 'csv') {
      takeUpload(request.headers, payload, done);
      return;
    }
    const read = kind === 'raw' ? takeRaw : readerFor(request.headers, kind === 'form');
    if (read === undefined) {
      const expected = kind === 'form' ? 'application/json in UTF-8, or a form' : 'application/json in UTF-8';
      refuse(
        payload,
        new Problem('unsupported-media-type', `Send ${expected}, without a content coding.`),
        done,
      );
      return;
    }
    readBody(payload, kind === 'raw' ? limits.rawBodyBytes : limits.bodyBytes, read, done);
  });
}

/** Passes the body on unread. Whoever sends something else is told so before a byte of it is read. */
function takeUpload(headers: FastifyRequest['headers'], payload: IncomingMessage, done: Done): void {
  const problem = isCsv(headers)
    ? undefined
    : new Problem('unsupported-media-type', 'Send text/csv, plain or with the content coding gzip.');
  const announced = Number(headers['content-length'] ?? 0);
  if (problem) refuse(payload, problem, done);
  else if (announced > UPLOAD_LIMITS.bytes) refuse(payload, fileTooLarge(), done);
  else done(null, payload);
}

function isCsv(headers: FastifyRequest['headers']): boolean {
  const coding = headers['content-encoding'];
  return (
    (coding === undefined || coding.toLowerCase() === 'identity' || isGzip(coding)) &&
    isCsvMediaType(headers['content-type'] ?? '')
  );
}

type Reader = (body: Buffer) => unknown;

/** Copies the bytes, so that a stored body does not keep the connection's whole read buffer alive. */
const takeRaw: Reader = (body) => Buffer.from(body);

/** Nobody needs the fields of a return. They are accepted so that a bank's form post is answered. */
const takeForm: Reader = (body) => Object.fromEntries(new URLSearchParams(body.toString('utf8')));

const ignore: Reader = () => ({});

function readerFor(headers: FastifyRequest['headers'], forms: boolean): Reader | undefined {
  const coding = headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity') return undefined;
  const type = headers['content-type'] ?? '';
  if (JSON_MEDIA_TYPE.test(type)) return parseStrictJson;
  if (forms && FORM_MEDIA_TYPE.test(type)) return takeForm;
  if (forms && MULTIPART_MEDIA_TYPE.test(type)) return ignore;
  return undefined;
}

function readBody(payload: IncomingMessage, limit: number, read: Reader, done: Done): void {
  const announced = Number(payload.headers['content-length'] ?? 0);
  if (announced > limit) {
    refuse(payload, tooLarge(limit), done);
    return;
  }
  const received = new ReceivedBytes();
  const stop = (): void => {
    payload.off('data', onData);
    payload.off('end', onEnd);
    payload.off('error', onError);
  };
  const onData = (chunk: Buffer): void => {
    if (received.length + chunk.length > limit) {
      stop();
      refuse(payload, tooLarge(limit), done);
    } else {
      received.add(chunk);
    }
  };
  const onEnd = (): void => {
    stop();
    let body: unknown;
    try {
      body = read(received.bytes);
    } catch (error) {
      done(error instanceof Error ? error : new Error('The body could not be read.'));
      return;
    }
    done(null, body);
  };
  const onError = (): void => {
    stop();
    // The connection broke, so nobody will read this answer.
    done(new Problem('malformed-request', 'The body ended early.'));
  };
  payload.on('data', onData);
  payload.on('end', onEnd);
  payload.on('error', onError);
}

/**
 * Reads a little more before answering. Closing while the client still sends would reset the connection before it reads the
 * answer.
 */
function refuse(payload: IncomingMessage, problem: Problem, done: Done): void {
  let drained = 0;
  const finish = (): void => {
    clearTimeout(timer);
    payload.off('data', onData);
    payload.off('end', finish);
    payload.off('error', finish);
    payload.on('error', () => undefined);
    done(problem);
  };
  const onData = (chunk: Buffer): void => {
    drained += chunk.length;
    release(chunk);
    if (drained > DRAIN_BYTES) finish();
  };
  const timer = setTimeout(finish, DRAIN_MS);
  payload.on('data', onData);
  payload.on('end', finish);
  payload.on('error', finish);
}

function tooLarge(limit: number): Problem {
  return new Problem('body-too-large', `A body here is at most ${limit / 1024} KiB.`);
}

/** The least that is set aside for a body of several chunks, in bytes. */
const LEAST = 1_024;

/**
 * What has arrived of a body, in one piece. A list of its chunks would cost some 200 bytes for each, and a client may send chunks
 * of one byte.
 */
export class ReceivedBytes {
  #first: Buffer | undefined;
  #copied: Buffer | undefined;
  #length = 0;

  /** Bytes so far. */
  get length(): number {
    return this.#length;
  }

  /** All of them, in memory that is shared with the chunk where there was only one. */
  get bytes(): Buffer {
    return this.#copied?.subarray(0, this.#length) ?? this.#first ?? Buffer.alloc(0);
  }

  /** Adds what has arrived next. Most bodies are one chunk, which is not copied. */
  add(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (this.#length === 0) {
      this.#first = chunk;
    } else {
      this.#copied = this.#withRoomFor(length);
      chunk.copy(this.#copied, this.#length);
    }
    this.#length = length;
  }

  #withRoomFor(length: number): Buffer {
    if (this.#copied !== undefined && this.#copied.length >= length) return this.#copied;
    const space = Buffer.alloc(Math.max(LEAST, 2 * length));
    this.bytes.copy(space);
    return space;
  }
}
