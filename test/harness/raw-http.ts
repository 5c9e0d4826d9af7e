import { connect } from 'node:net';

/** An answer read from the socket. */
export interface RawAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  text: string;
  /** From the first byte sent to the end of the answer, in milliseconds. */
  tookMs: number;
}

/**
 * Sends raw bytes over one connection. Reads until the other side closes it, or until an answer with a length is complete.
 * `parts` are sent one after another, `pauseMs` apart. Use it for requests that no HTTP library would send.
 */
export function sendRaw(
  port: number,
  parts: (string | Buffer)[],
  options: { pauseMs?: number; withinMs?: number } = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const started = Date.now();
    const socket = connect(port, '127.0.0.1');
    let received = Buffer.alloc(0);
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      const answer = parse(received);
      if (answer) resolve({ ...answer, tookMs: Date.now() - started });
      else
        reject(new Error(`no HTTP answer, but ${JSON.stringify(received.toString('latin1').slice(0, 200))}`));
    };
    const timer = setTimeout(finish, options.withinMs ?? 25_000);
    socket.on('data', (data) => {
      received = Buffer.concat([received, Buffer.from(data)]);
      if (isWhole(received)) finish();
    });
    socket.once('close', finish);
    // a reset after the answer is not a fault of the answer
    socket.on('error', () => undefined);
    const send = async (): Promise<void> => {
      for (const part of parts) {
        if (socket.destroyed) return;
        socket.write(part);
        if (options.pauseMs) await new Promise((wake) => setTimeout(wake, options.pauseMs));
      }
    };
    socket.once('connect', () => void send());
  });
}

function parse(bytes: Buffer): Omit<RawAnswer, 'tookMs'> | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(first.split(' ')[1]), headers, text: bytes.subarray(end + 4).toString('utf8') };
}

function isWhole(bytes: Buffer): boolean {
  const answer = parse(bytes);
  const length = answer?.headers['content-length'];
  return answer !== undefined && length !== undefined && Buffer.byteLength(answer.text) >= Number(length);
}
