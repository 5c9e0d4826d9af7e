import type { AxiosAdapter, AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import { errors, type Dispatcher } from 'undici';
import { ConnectFailure } from './connector.js';
import type { NotSent, UnknownReason } from '../gateway-result.js';

/** An exchange without a complete answer. It carries nothing of the request: no headers, no body, no cause. */
export class ExchangeFailure extends Error {
  override readonly name = 'ExchangeFailure';

  constructor(
    readonly result:
      NotSent | { readonly kind: 'unknown'; readonly reason: UnknownReason; readonly status?: number },
  ) {
    super(`${result.kind}: ${result.reason}`);
  }
}

/** What an exchange needs besides the request. */
export interface ExchangeOptions {
  /** The deadline of the whole exchange, including reading the body, as a `performance.now()` timestamp. */
  readonly deadline: number;
  /**
   * The final check, made before a connection is asked for and again right before the first byte is written, since
   * connecting can take seconds. If it returns false, nothing is sent.
   */
  readonly beforeSend?: () => boolean;
}

/**
 * Lets axios send through an undici dispatcher, which costs a third of its own Node adapter. The answer's `data` is the raw
 * bytes of the body. Redirects are returned like any other answer. It rejects only with {@link ExchangeFailure}, which says
 * whether anything may have reached the other side.
 */
export function undiciAdapter(
  dispatcher: Dispatcher,
  { deadline, beforeSend }: ExchangeOptions,
): AxiosAdapter {
  return (config) =>
    new Promise<AxiosResponse<Buffer>>((resolve, reject) => {
      const exchange = new Exchange(config, beforeSend, resolve, reject);
      const left = deadline - performance.now();
      if (left <= 0 || !isLetThrough(beforeSend)) exchange.abandon();
      else exchange.dispatch(dispatcher, left);
    });
}

/** A gate that throws counts as a refusal. */
function isLetThrough(beforeSend: (() => boolean) | undefined): boolean {
  try {
    return beforeSend === undefined || beforeSend();
  } catch {
    return false;
  }
}

type Failure = ExchangeFailure['result'];

/** One request and its answer, driven by undici's callbacks. */
class Exchange implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  /** True from just before the first byte is written. */
  #started = false;
  #status = 0;
  #headers: Record<string, string | string[] | undefined> = {};
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly config: InternalAxiosRequestConfig,
    private readonly beforeSend: ExchangeOptions['beforeSend'],
    private readonly resolve: (response: AxiosResponse<Buffer>) => void,
    private readonly reject: (failure: ExchangeFailure) => void,
  ) {}

  dispatch(dispatcher: Dispatcher, withinMs: number): void {
    this.#timer = setTimeout(this.abort, withinMs);
    const { method, url, headers } = this.config;
    const data = this.config.data as string | undefined;
    try {
      dispatcher.dispatch(
        {
          method: (method ?? 'get').toUpperCase(),
          path: url ?? '/',
          headers: headers.toJSON() as Record<string, string>,
          body: data ?? null,
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

  /** The deadline covers every phase of the exchange, from connecting to reading the body. */
  readonly abort = (): void => {
    this.fail(
      this.#started
        ? { kind: 'unknown', reason: 'timeout' }
        : { kind: 'not-sent', reason: 'connect-timeout' },
    );
  };

  abandon(): void {
    this.fail({ kind: 'not-sent', reason: 'abandoned' });
  }

  /** Called right before the request is written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The exchange was settled before its connection was ready. Starting it again could send what has already arrived once,
    // and nothing here is ever sent twice.
    if (this.#settled) controller.abort(new ConnectFailure('abandoned'));
    else if (this.#started) this.fail({ kind: 'unknown', reason: 'reset' });
    else if (!isLetThrough(this.beforeSend)) this.abandon();
    else this.#started = true;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return;
    this.#bytes += chunk.length;
    if (this.#bytes > (this.config.maxContentLength ?? Infinity)) {
      this.fail({ kind: 'unknown', reason: 'too-large', status: this.#status });
    } else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (!this.settle()) return;
    const [only] = this.#chunks;
    this.resolve({
      data: this.#chunks.length === 1 && only ? only : Buffer.concat(this.#chunks),
      status: this.#status,
      statusText: '',
      headers: this.#headers,
      config: this.config,
    });
  }

  onResponseError(_controller?: Dispatcher.DispatchController, error?: Error): void {
    if (error instanceof ConnectFailure && !this.#started) {
      const { reason, causeCode } = error;
      if (reason === 'reset') this.fail({ kind: 'unknown', reason });
      else this.fail({ kind: 'not-sent', reason, ...(causeCode !== undefined && { cause: causeCode }) });
    } else if (!this.#started) this.abandon();
    else if (this.#status === 0)
      this.fail({ kind: 'unknown', reason: isProtocolError(error) ? 'other' : 'reset' });
    else this.fail({ kind: 'unknown', reason: 'cut', status: this.#status });
  }

  private fail(failure: Failure): void {
    if (!this.settle()) return;
    this.reject(new ExchangeFailure(failure));
    // Also closes the connection, because nobody reads what still arrives on it.
    this.#controller?.abort(new ConnectFailure('abandoned'));
  }

  /** True the first time it is called. */
  private settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    clearTimeout(this.#timer);
    return true;
  }
}

/** The answer was not HTTP. */
function isProtocolError(error: Error | undefined): boolean {
  return error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError;
}
