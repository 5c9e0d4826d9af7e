import type { AxiosAdapter, AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import type { Dispatcher } from 'undici';

/** How long and whether a call may go on. axios gets none of it: it would put an error of its own in the place of ours. */
export interface Limits {
  /** Ends the whole call, whatever it is waiting for. */
  readonly signal: AbortSignal;
  /** Asked right before the first byte is written. */
  readonly mayBegin: () => boolean;
}

/** `notSent`: it is proven that nothing left; `why` is a code of the system. `unknown`: nobody knows what became of it. */
export interface Failed {
  readonly kind: 'notSent' | 'unknown';
  readonly why: string;
}

/** A complete answer. */
export interface Received {
  readonly bytes: Buffer;
  readonly headers: Headers;
}

/**
 * Lets axios send through an undici dispatcher, which costs a third of its own adapter. The answer's `data` is what was received, or why
 * there is nothing: no error, which would carry the request. The proof that nothing left is undici's own: `onRequestStart` comes right
 * before the first byte is written.
 */
export function undiciAdapter(
  dispatcher: Dispatcher,
  headers: Readonly<Record<string, string>>,
  limits: Limits & { readonly maxBytes: number },
): AxiosAdapter {
  return (config) =>
    new Promise((resolve) => new Exchange(config, limits, resolve).dispatch(dispatcher, headers));
}

type Headers = Record<string, string | string[] | undefined>;

/** One request and its answer, driven by undici's callbacks. */
class Exchange implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  /** From just before the first byte is written. */
  #started = false;
  #status = 0;
  #headers: Headers = {};
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(
    private readonly config: InternalAxiosRequestConfig,
    private readonly limits: Limits & { readonly maxBytes: number },
    private readonly resolve: (response: AxiosResponse<Received | Failed>) => void,
  ) {}

  dispatch(dispatcher: Dispatcher, headers: Readonly<Record<string, string>>): void {
    const { method = 'get', url = '' } = this.config;
    const { signal } = this.limits;
    if (signal.aborted) return this.abort();
    signal.addEventListener('abort', this.abort);
    const { origin, pathname, search } = new URL(url);
    const body = (this.config.data as string | undefined) ?? null;
    // There is one deadline for everything, so undici's own timeouts are off.
    const request = { origin, path: pathname + search, headers, body, headersTimeout: 0, bodyTimeout: 0 };
    try {
      dispatcher.dispatch({ ...request, method: method.toUpperCase() }, this);
    } catch {
      this.onResponseError();
    }
  }

  /** The deadline covers every phase, from connecting to the last byte of the body. */
  readonly abort = (): void => this.fail('timeout');

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Nothing is ever sent twice: neither what was given up before its connection was ready, nor what undici would begin again.
    if (this.#settled) controller.abort(new Error('given up'));
    else if (this.#started) this.fail('reset');
    else if (!this.limits.mayBegin()) this.fail('abandoned');
    else this.#started = true;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status >= 200) [this.#status, this.#headers] = [status, headers];
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.limits.maxBytes) this.fail('too large');
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.settle({ bytes: Buffer.concat(this.#chunks), headers: this.#headers });
  }

  onResponseError(_controller?: Dispatcher.DispatchController, error?: Error): void {
    // Its code only, never its message: that names hosts.
    if (!this.#started) this.fail(error && 'code' in error ? String(error.code) : 'no connection');
    else if (error?.name === 'HTTPParserError') this.fail('no HTTP');
    else this.fail(this.#status === 0 ? 'reset' : 'cut');
  }

  private fail(why: string): void {
    this.settle({ kind: this.#started ? 'unknown' : 'notSent', why });
    // Also closes the connection: nobody reads what still arrives on it.
    this.#controller?.abort(new Error('given up'));
  }

  /** The first time counts. */
  private settle(data: Received | Failed): void {
    if (this.#settled) return;
    this.#settled = true;
    this.limits.signal.removeEventListener('abort', this.abort);
    this.resolve({ status: this.#status, statusText: '', headers: {}, config: this.config, data });
  }
}
