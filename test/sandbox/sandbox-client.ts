import { connect } from 'node:net';
import { startSandbox, type Sandbox } from '../../sandbox/server.ts';
import type { SandboxOptions } from '../../sandbox/options.ts';
import { randomWord } from '../harness/random-word.js';

export type Json = Record<string, unknown>;

/** What came back: HTTP status and JSON; `reset` where the connection ended without an answer. */
export interface Reply {
  status: number | 'reset' | 'timeout';
  json: Json;
  text: string;
}

/** A complete card request; `PARTS` of it may be replaced. */
export function cardBody(parts: Json = {}): Json {
  return {
    cardNumber: '4111111111111111',
    expiryMonth: '12',
    expiryYear: '2030',
    cvv: '111',
    card_pin: '1111',
    nameOnCard: 'Ada Obi',
    amount: '1500.00',
    currency: 'NGN',
    client_ref: `ORDER-${randomWord(24)}_1`,
    authNotifyUrl: 'http://127.0.0.1:9/return',
    payerEmail: 'ada@example.com',
    payerPhone: '+2348012345678',
    firstName: 'Ada',
    lastName: 'Obi',
    billingStreet: '1 Marina',
    billingCity: 'Lagos',
    billingStateProvince: 'Lagos',
    billingPostCode: '101001',
    billingCountry: 'NGA',
    javaEnabled: false,
    language: 'en-NG',
    screenHeight: 1080,
    screenWidth: 1920,
    colorDepth: 24,
    timeZone: 'Africa/Lagos',
    userAgent: 'test',
    ...parts,
  };
}

/** A sandbox of one's own with a caller that has its credentials. */
export class SandboxClient {
  readonly sandbox: Sandbox;

  private constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
  }

  static async start(options: SandboxOptions = {}): Promise<SandboxClient> {
    return new SandboxClient(await startSandbox({ port: 0, ...options }));
  }

  close(): Promise<void> {
    return this.sandbox.close();
  }

  /** One call with both credentials; `timeoutMs` is how long it waits for the whole answer. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    timeoutMs = 60_000,
  ): Promise<Reply> {
    try {
      const response = await fetch(`${this.sandbox.url}${path}`, {
        method,
        headers: {
          'x-api-key': 'sandbox-key',
          'access-token': 'sandbox-token',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, text, json: parse(text) };
    } catch (error) {
      return { status: (error as Error).name === 'TimeoutError' ? 'timeout' : 'reset', text: '', json: {} };
    }
  }

  post(path: string, body?: unknown, headers?: Record<string, string>, timeoutMs?: number): Promise<Reply> {
    return this.call('POST', path, body, headers, timeoutMs);
  }

  get(path: string): Promise<Reply> {
    return this.call('GET', path);
  }

  /** Pays by card and answers with the reference that was used. */
  async pay(parts: Json = {}, timeoutMs?: number): Promise<Reply & { ref: string }> {
    const body = cardBody(parts);
    return { ...(await this.post('/payment/card', body, {}, timeoutMs)), ref: String(body.client_ref) };
  }

  async status(ref: string): Promise<Json> {
    return (await this.get(`/transaction/${encodeURIComponent(ref)}`)).json;
  }

  /** What the control API says of a reference; `{}` where it is not known. */
  async truth(ref: string): Promise<Json> {
    const reply = await this.get(`/sandbox/transactions/${encodeURIComponent(ref)}`);
    return reply.status === 200 ? reply.json : {};
  }

  /** A browser's form POST. */
  form(path: string, fields: Record<string, string>): Promise<Response> {
    return fetch(`${this.sandbox.url}${path}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
  }
}

/** `data.transaction` of an answer in the built-in dialect. */
export function transactionOf(json: Json): Json {
  return ((json.data as Json | undefined)?.transaction ?? {}) as Json;
}

/** Bytes as they come over a socket of its own, until it ends or `ms` have passed. */
export function rawCall(port: number, text: string, ms: number): Promise<{ bytes: Buffer; ended: boolean }> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    const finish = (ended: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ bytes: Buffer.concat(chunks), ended });
    };
    const timer = setTimeout(() => finish(false), ms);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => finish(true));
    socket.on('close', () => finish(true));
  });
}

/** Waits until a condition holds; throws after `ms`. */
export async function until(condition: () => boolean | Promise<boolean>, ms = 15_000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('the condition never held');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {};
  }
}
