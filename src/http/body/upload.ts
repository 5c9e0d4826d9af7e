import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '../problems/problem.js';

/** The limits of a file that is sent as a body. */
export const UPLOAD_LIMITS = { bytes: 64 * 1_048_576, milliseconds: 120_000 } as const;

const CSV_MEDIA_TYPE = /^text\/csv(?:\s*;\s*(?:charset="?utf-8"?|header=(?:present|absent)))*\s*;?$/i;

/** Whether a media type says CSV in UTF-8. */
export function isCsvMediaType(type: string): boolean {
  return CSV_MEDIA_TYPE.test(type.trim());
}

export function uploadTooLarge(): Problem {
  return new Problem('body-too-large', `A file is at most ${UPLOAD_LIMITS.bytes / 1_048_576} MiB.`);
}

/** Connections whose request takes its own time. */
const uploading = new WeakSet<Socket>();

/** Whether a file is being read from this connection, for which the usual time of a request does not hold. */
export function isUploading(socket: Socket): boolean {
  return uploading.has(socket);
}

/**
 * Reads a file that is sent as a body, piece by piece: the next one is read when the last one was used. Call it only after the
 * caller has shown who it is, for the file may take its time. The pieces throw `body-too-large`, `malformed-request` where the
 * file ends early, and `request-timeout` where it does not arrive in time.
 */
export async function withUpload<T>(
  payload: IncomingMessage,
  use: (pieces: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  const { socket } = payload;
  const late = new AbortController();
  uploading.add(socket);
  const timer = setTimeout(() => {
    late.abort();
    payload.destroy();
  }, UPLOAD_LIMITS.milliseconds);
  try {
    return await use(piecesOf(payload, late.signal));
  } finally {
    clearTimeout(timer);
    uploading.delete(socket);
  }
}

/** Leaves the connection as it is where it ends early, so that the caller still reads an answer. */
async function* piecesOf(payload: IncomingMessage, late: AbortSignal): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const piece of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > UPLOAD_LIMITS.bytes) throw uploadTooLarge();
      yield piece;
    }
  } catch (error) {
    if (late.aborted) throw new Problem('request-timeout', 'The file took too long to arrive.');
    if (error instanceof Problem) throw error;
    throw new Problem('malformed-request', 'The file ended early.');
  }
}
