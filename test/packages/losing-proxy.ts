import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to one call: it reaches the service and its answer is lost, or this is the answer. */
export type Fault = 'lose-answer' | { status: number; headers?: Record<string, string>; body: string };

/** A proxy before the service that spoils calls. */
export interface LosingProxy {
  readonly url: string;
  /** Method, path and idempotency key of each call. */
  readonly calls: { method: string; path: string; key: string | undefined }[];
  /** What happens to the next calls; later ones are passed on. */
  spoil(...faults: Fault[]): void;
  close(): Promise<void>;
}

/** Starts one that passes calls on to `target`. */
export async function startLosingProxy(target: string): Promise<LosingProxy> {
  const calls: LosingProxy['calls'] = [];
  const faults: Fault[] = [];
  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request;
    const key = headers['idempotency-key'];
    calls.push({ method, path, key: typeof key === 'string' ? key : undefined });
    const fault = faults.shift();
    if (fault !== undefined && fault !== 'lose-answer') {
      response.writeHead(fault.status, fault.headers).end(fault.body);
      return;
    }
    void (async () => {
      const body = Buffer.concat((await request.toArray()) as Buffer[]);
      const passed = ['authorization', 'content-type', 'idempotency-key'].flatMap((name) => {
        const value = headers[name];
        return typeof value === 'string' ? [[name, value] as [string, string]] : [];
      });
      const init = { method, headers: passed, ...(method === 'POST' && { body }) };
      const answer = await fetch(target + path, init);
      const text = await answer.text();
      if (fault === 'lose-answer') response.destroy();
      else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    spoil: (...next) => void faults.push(...next),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
