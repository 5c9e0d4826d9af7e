import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';

/** The text of a body, or why it could not be read. */
export type DecodedBody = { readonly text: string } | { readonly reason: 'too-large' | 'cut' | 'not-json' };

type Decompress = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const gunzipAsync: Decompress = promisify(gunzip);
const inflateAsync: Decompress = promisify(inflate);
const inflateRawAsync: Decompress = promisify(inflateRaw);

/** Decoders by content coding. The service asks for no compression, but some servers compress anyway. */
const decompressors: Readonly<Record<string, Decompress>> = {
  gzip: gunzipAsync,
  'x-gzip': gunzipAsync,
  br: promisify(brotliDecompress),
  // By the standard "deflate" is the zlib format, but some servers send raw deflate data.
  deflate: (bytes, options) =>
    ((bytes[0] ?? 0) & 0x0f) === 8 ? inflateAsync(bytes, options) : inflateRawAsync(bytes, options),
};

/**
 * The text of an answer's body. It is decompressed up to `limit` bytes, so that a small answer cannot fill the memory, and
 * decoded as UTF-8 without its byte order mark.
 */
export async function decodeBody(
  bytes: Buffer,
  contentEncoding: string,
  limit: number,
): Promise<DecodedBody> {
  const coding = contentEncoding.trim().toLowerCase();
  if (coding === '' || coding === 'identity') return asText(bytes);
  const decompress = Object.hasOwn(decompressors, coding) ? decompressors[coding] : undefined;
  if (!decompress) return { reason: 'not-json' };
  try {
    return asText(await decompress(bytes, { maxOutputLength: limit }));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') return { reason: 'too-large' };
    return { reason: code === 'Z_BUF_ERROR' ? 'cut' : 'not-json' };
  }
}

function asText(bytes: Buffer): DecodedBody {
  if (!isUtf8(bytes)) return { reason: 'not-json' };
  const text = bytes.toString('utf8');
  return { text: text.startsWith('\uFEFF') ? text.slice(1) : text };
}
