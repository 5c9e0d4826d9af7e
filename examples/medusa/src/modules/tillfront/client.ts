import { MedusaError } from '@medusajs/framework/utils';

/** A payment as Tillfront answers it, with the members that this provider reads. */
export interface TillfrontPayment {
  id: string;
  reference: string;
  status: string;
  amount: string;
  amountAuthorized: string | null;
  amountCaptured: string | null;
  amountRefunded: string | null;
  currency: string;
  duplicateOf: string | null;
  disputed: boolean;
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

/** Tillfront has refused a call. `code` is a problem code of its API. Medusa's admin shows the message. */
export class TillfrontError extends MedusaError {
  constructor(
    status: number,
    override readonly code: string,
    message: string,
  ) {
    super(status < 500 ? MedusaError.Types.NOT_ALLOWED : MedusaError.Types.UNEXPECTED_STATE, message, code);
  }
}

interface Problem {
  code: string;
  detail: string;
  requestId: string;
  errors?: { pointer: string; message: string }[];
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
    const headers = {
      authorization: `Bearer ${this.options.merchantKey}`,
      ...(idempotencyKey && { 'content-type': 'application/json', 'idempotency-key': idempotencyKey }),
    };
    const asked = {
      method,
      headers,
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    };
    const answer = await fetch(this.options.url + path, asked).catch(noAnswer);
    const json = (await answer.json().catch(noAnswer)) as T & Problem;
    if (answer.ok) return json;
    const fields = (json.errors ?? []).map(({ pointer, message }) => `; ${pointer} ${message}`);
    const message = `${json.code}: ${json.detail} (${json.requestId})${fields.join('')}`;
    throw new TillfrontError(answer.status, json.code, message);
  }
}

/** The call may have been carried out all the same. */
function noAnswer(error: Error): never {
  throw new TillfrontError(
    503,
    'no-answer',
    `Tillfront has not answered: try again later (${error.message})`,
  );
}
