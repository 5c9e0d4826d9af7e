/**
 * Gives the memory of bytes back at once, which were read from a connection and which nobody needs any more. They are empty then. The
 * collector alone would come to it only when some 64 MiB more have been read, which fifty clients send in a moment.
 */
export function release(bytes: Buffer): void {
  const { buffer } = bytes;
  // Less than half of it may be a part of memory that Node shares among small buffers.
  if (buffer instanceof ArrayBuffer && bytes.length > buffer.byteLength / 2) buffer.transfer(0);
}
