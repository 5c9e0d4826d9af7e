import type { AxiosAdapter, AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import type { Dispatcher } from 'undici';

/** Why nothing was sent. `abandoned`: the caller's last check refused. */
export type NotSentReason = 'refused' | 'dns' | 'tls' | 'timeout' | 'proxy' | 'abandoned' | 'token';

/** Why nobody knows what became of a request. */
export type UnknownReason = 'timeout' | 'reset' | 'cut' | 'too large' | 'no HTTP';

/** How long and whether a call may go on. axios gets none of it: it would put an error of its own in the place of ours. */
export interface Limits {
  /** Ends the whole call, whatever it is waiting for. */
  readonly signal: AbortSignal;
  /** Asked right before the first byte is written. */
  readonly mayBegin: () => boolean;
}

/** An exchange without a complete answer. It carries nothing of the request: no headers, no body, no cause. */
export class ExchangeFailure extends Error {
  override readonly name = 'ExchangeFailure';

  constructor(
    readonly failure:
      | { readonly kind: 'notSent'; readonly why: NotSentReason; readonly code?: string }
      | { readonly kind: 'unknown'; readonly why: UnknownReason },
  ) {
    super(`${failure.kind}: ${failure.why}`);
  }
}

/**
 * Lets axios send through an undici dispatcher, which costs a third of its own adapter. The answer's `data` is the raw bytes. It
 * rejects only with {@link ExchangeFailure}. The proof that nothing left is undici's own: `onRequestStart` comes right before the
 * first byte is written.
 */
export function undiciAdapter(dispatcher: Dispatcher, limits: Limits): AxiosAdapter {
  return (config) =>
    new Promise<AxiosResponse<Buffer>>((resolve, reject) => {
      new Exchange(config, limits, resolve, reject).dispatch(dispatcher);
    });
}

type Failure = ExchangeFailure['failure'];
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
    private readonly limits: Limits,
    private readonly resolve: (response: AxiosResponse<Buffer>) => void,
    private readonly reject: (failure: ExchangeFailure) => void,
  ) {}

  dispatch(dispatcher: Dispatcher): void {
    const { method = 'get', url = '', headers } = this.config;
    const { signal } = this.limits;
    if (signal.aborted) return this.abort();
    signal.addEventListener('abort', this.abort);
    const { origin, pathname, search } = new URL(url);
    try {
      dispatcher.dispatch(
        {
          origin,
          method: method.toUpperCase(),
          path: pathname + search,
          headers: headers.toJSON() as Record<string, string>,
          body: (this.config.data as string | undefined) ?? null,
          // There is one deadline for everything, so undici's own timeouts are off.
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        this,
      );
    } catch {
      this.onResponseError();
    }
  }

  /** The deadline covers every phase, from connecting to the last byte of the body. */
  readonly abort = (): void => {
    this.fail(this.#started ? { kind: 'unknown', why: 'timeout' } : { kind: 'notSent', why: 'timeout' });
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Nothing is ever sent twice: neither what was given up before its connection was ready, nor what undici would begin again.
    if (this.#settled) controller.abort(new Error('given up'));
    else if (this.#started) this.fail({ kind: 'unknown', why: 'reset' });
    else if (!this.limits.mayBegin()) this.fail({ kind: 'notSent', why: 'abandoned' });
    else this.#started = true;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return;
    this.#bytes += chunk.length;
    if (this.#bytes > (this.config.maxContentLength ?? Infinity))
      this.fail({ kind: 'unknown', why: 'too large' });
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (!this.settle()) return;
    this.resolve({
      data: Buffer.concat(this.#chunks),
      status: this.#status,
      statusText: '',
      headers: this.#headers,
      config: this.config,
    });
  }

  onResponseError(_controller?: Dispatcher.DispatchController, error?: Error): void {
    if (!this.#started) this.fail(notSentBecause(error));
    else if (error?.name === 'HTTPParserError') this.fail({ kind: 'unknown', why: 'no HTTP' });
    else this.fail({ kind: 'unknown', why: this.#status === 0 ? 'reset' : 'cut' });
  }

  private fail(failure: Failure): void {
    if (!this.settle()) return;
    this.reject(new ExchangeFailure(failure));
    // Also closes the connection: nobody reads what still arrives on it.
    this.#controller?.abort(new Error('given up'));
  }

  /** True the first time it is called. */
  private settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.limits.signal.removeEventListener('abort', this.abort);
    return true;
  }
}

const DNS = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME']);
const TIMEOUTS = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);

/** Codes only, never messages: those name hosts. */
function notSentBecause(error: Error | undefined): Failure {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  const cause = code === undefined ? {} : { code };
  if (code !== undefined && DNS.has(code)) return { kind: 'notSent', why: 'dns', ...cause };
  if (code !== undefined && TIMEOUTS.has(code)) return { kind: 'notSent', why: 'timeout', ...cause };
  if (error?.name === 'AbortError' || code === 'UND_ERR_ABORTED') return { kind: 'notSent', why: 'proxy' };
  if (error instanceof AggregateError || syscall === 'connect')
    return { kind: 'notSent', why: 'refused', ...cause };
  return { kind: 'notSent', why: 'tls', ...cause };
}
