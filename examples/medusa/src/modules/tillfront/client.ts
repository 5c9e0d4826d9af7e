/** A payment as Tillfront answers it, with the members that this provider reads. */
export interface TillfrontPayment {
  id: string;
  reference: string;
  status: string;
  amount: string;
  amountAuthorized: string | null;
  amountCaptured: string | null;
  currency: string;
  duplicateOf: string | null;
  needsAttention: boolean;
}

export interface TillfrontSession {
  id: string;
  status: string;
  reference: string;
  amount: string;
  currency: string;
  clientToken: string;
  checkoutUrl: string;
}

/** Tillfront has refused a call. `code` is a problem code of its API. */
export class TillfrontError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const ANSWER_WITHIN_MS = 40_000;

/** Calls Tillfront with the merchant key. */
export class TillfrontClient {
  constructor(private readonly options: { url: string; merchantKey: string }) {}

  get<T>(path: string): Promise<T> {
    return this.call('GET', path);
  }

  /** The same key never does a thing twice, so a call without an answer may be repeated with it. */
  post<T>(path: string, idempotencyKey: string, body: object = {}): Promise<T> {
    return this.call('POST', path, idempotencyKey, body);
  }

  private async call<T>(method: string, path: string, idempotencyKey?: string, body?: object): Promise<T> {
    const answer = await fetch(this.options.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.options.merchantKey}`,
        ...(idempotencyKey && { 'content-type': 'application/json', 'idempotency-key': idempotencyKey }),
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const json = (await answer.json()) as T & {
      code: string;
      detail: string;
      requestId: string;
      errors?: { pointer: string; message: string }[];
    };
    if (answer.ok) return json;
    const fields = (json.errors ?? []).map(({ pointer, message }) => `; ${pointer} ${message}`);
    throw new TillfrontError(json.code, `${json.code}: ${json.detail} (${json.requestId})${fields.join('')}`);
  }
}
