import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '../problems/problem.js';
import { fileTooLarge, unpacked } from './unpack.js';

/** The limits of a file that is sent as a body: its size, its time, and how long nothing of it may arrive while it is waited for. */
export const UPLOAD_LIMITS = {
  bytes: 64 * 1_048_576,
  milliseconds: 120_000,
  silentMilliseconds: 10_000,
} as const;

const CSV_MEDIA_TYPE =
  /^text\/csv(?:\s*;\s*(?:charset="?(?:utf-8|utf-16|utf-16le|windows-1252|iso-8859-1|us-ascii)"?|header=(?:present|absent)))*\s*;?$/i;

/** Whether a media type says CSV. Which encoding it has, the gateway profile says. */
export function isCsvMediaType(type: string): boolean {
  return CSV_MEDIA_TYPE.test(type.trim());
}

/** Whether a content coding says that the body is packed by gzip. */
export function isGzip(coding: string | undefined): boolean {
  return /^(?:x-)?gzip$/i.test(coding ?? '');
}

/** Connections whose request takes its own time. */
const uploading = new WeakSet<Socket>();

/** Whether a file is being read from this connection, for which the usual time of a request does not hold. */
export function isUploading(socket: Socket): boolean {
  return uploading.has(socket);
}

/**
 * Reads a file that is sent as a body, piece by piece, and unpacked where gzip has packed it: the next one is read when the last one was used. Call it only after the
 * caller has shown who it is, for the file may take its time. The pieces throw `body-too-large`, `malformed-request` where the
 * file ends early, `validation-failed` where it cannot be unpacked, and `request-timeout` where it does not arrive in time or nothing of it arrives for 10 s.
 */
export async function withUpload<T>(
  payload: IncomingMessage,
  use: (pieces: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  const { socket } = payload;
  uploading.add(socket);
  try {
    const pieces = piecesOf(payload, performance.now() + UPLOAD_LIMITS.milliseconds);
    // A file that is packed may be packed once more on its way.
    const isPacked = isGzip(payload.headers['content-encoding']);
    return await use(unpacked(isPacked ? unpacked(pieces, true) : pieces));
  } finally {
    uploading.delete(socket);
  }
}

/** Leaves the connection as it is where it ends early, so that the caller still reads an answer. */
async function* piecesOf(payload: IncomingMessage, deadline: number): AsyncGenerator<Buffer> {
  const pieces = payload.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, undefined>;
  let bytes = 0;
  for (;;) {
    const { value, done } = await inTime(pieces.next(), deadline);
    if (done === true) return;
    bytes += value.length;
    if (bytes > UPLOAD_LIMITS.bytes) throw fileTooLarge();
    yield value;
  }
}

/** Waits for a piece no longer than it may take. Throws `request-timeout`, and `malformed-request` where the connection broke. */
async function inTime<T>(piece: Promise<T>, deadline: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const patience = Math.min(deadline - performance.now(), UPLOAD_LIMITS.silentMilliseconds);
    timer = setTimeout(
      () => reject(new Problem('request-timeout', 'The file took too long to arrive.')),
      Math.max(0, patience),
    );
  });
  try {
    return await Promise.race([piece, late]);
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('malformed-request', 'The file ended early.');
  } finally {
    clearTimeout(timer);
  }
}
