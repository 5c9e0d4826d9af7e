import { encryptCard, encryptPin, type CardEncryptionKey, type SealingContext } from './card-encryption.js';
import { Connection, type Answer } from './connection.js';
import { collectDeviceData } from './device-data.js';
import { IdempotencyKeys } from './idempotency-keys.js';
import { keepTrying } from './keep-trying.js';
import { TillfrontError } from './tillfront-error.js';
import type {
  CardPaymentRequest,
  CheckoutSession,
  PayerDetails,
  Payment,
  Tillfront,
  TillfrontOptions,
  UssdBank,
  UssdPaymentRequest,
  WaitOptions,
} from './types.js';
import { waitForNews } from './wait-for-news.js';

/** How long a call is repeated before it is given up, while the browser is online. */
const READ_PATIENCE_MS = 20_000;
const WRITE_PATIENCE_MS = 75_000;
const CARD_KEY_LIFETIME_MS = 5 * 60_000;

interface KnownCardKey {
  key: CardEncryptionKey;
  /** A reading of `performance.now()`. */
  fetchedAt: number;
}

/**
 * Makes the client of one checkout session. Throws {@link TillfrontError} `invalid-token` for text that cannot be a token. With the
 * token of a link back from the bank (`crt_…`) it reads that one payment.
 */
export function createTillfront(options: TillfrontOptions): Tillfront {
  return new SessionClient(options);
}

class SessionClient implements Tillfront {
  readonly #connection: Connection;
  readonly #keys: IdempotencyKeys;
  readonly #onRetry: TillfrontOptions['onRetry'];
  /** Running calls, so that the same call made twice at once is sent only once. */
  readonly #running = new Map<string, { input: string; answer: Promise<Payment> }>();
  readonly #lastSeen = new Map<string, Payment>();
  #sessionId: string | undefined;
  #cardKey: KnownCardKey | undefined;

  constructor({ baseUrl, clientToken, onRetry }: TillfrontOptions) {
    const scope = /^c[sr]t_([^.]+)\.[\w.-]+$/.exec(clientToken)?.[1];
    if (scope === undefined) throw new TillfrontError('invalid-token', 'This is not a client token.');
    this.#connection = new Connection(baseUrl, clientToken);
    this.#keys = new IdempotencyKeys(scope);
    this.#onRetry = onRetry;
    // A shop may take a method out of the object.
    const { constructor: _, ...methods } = Object.getOwnPropertyDescriptors(SessionClient.prototype);
    for (const name of Object.keys(methods) as (keyof Tillfront)[])
      Object.defineProperty(this, name, { value: this[name].bind(this), enumerable: true });
  }

  serviceTime(): number | undefined {
    return this.#connection.clock.now();
  }

  async session(): Promise<CheckoutSession> {
    const session = await this.#get<CheckoutSession>('/v1/checkout-session');
    this.#sessionId = session.id;
    return session;
  }

  async payment(paymentId: string): Promise<Payment> {
    return this.#remember(await this.#get<Payment>(paymentPath(paymentId)));
  }

  payByCard(request: CardPaymentRequest): Promise<Payment> {
    const { card, device = collectDeviceData() } = request;
    const rest = { ...detailsOf(request), device };
    const body = async (): Promise<object> => ({
      encryptedCard: await encryptCard(card, await this.#sealing()),
      ...rest,
    });
    return this.#once('card', { card, ...rest }, () =>
      this.#performSealed('card', '/v1/payments/card', body),
    );
  }

  payByWallet(request: PayerDetails = {}): Promise<Payment> {
    return this.#initiate('wallet', '/v1/payments/wallet', detailsOf(request));
  }

  payByTransfer(request: PayerDetails = {}): Promise<Payment> {
    return this.#initiate('transfer', '/v1/payments/transfer', detailsOf(request));
  }

  async ussdBanks(): Promise<UssdBank[]> {
    return (await this.#get<{ banks: UssdBank[] }>('/v1/ussd/banks')).banks;
  }

  payByUssd(request: UssdPaymentRequest | string): Promise<Payment> {
    const asked = typeof request === 'string' ? { bankCode: request } : request;
    return this.#initiate('ussd', '/v1/payments/ussd', { bankCode: asked.bankCode, ...detailsOf(asked) });
  }

  submitOtp(payment: Payment | string, otp: string): Promise<Payment> {
    const body = { otp: otp.replace(/\s/g, '') };
    return this.#submit(idOf(payment), 'otp', body, (operation, path) =>
      this.#perform(operation, path, body),
    );
  }

  submitPin(payment: Payment | string, pin: string): Promise<Payment> {
    const typed = pin.replace(/\s/g, '');
    const body = async (): Promise<object> => ({
      encryptedPin: await encryptPin(typed, await this.#sealing()),
    });
    return this.#submit(idOf(payment), 'pin', { pin: typed }, (operation, path) =>
      this.#performSealed(operation, path, body),
    );
  }

  #submit(
    id: string,
    type: 'otp' | 'pin',
    input: object,
    perform: (operation: string, path: string) => Promise<Payment>,
  ): Promise<Payment> {
    const path = `${paymentPath(id)}/${type}`;
    const operation = `${type}:${id}`;
    return this.#once(operation, input, async () => {
      const { resumed } = this.#keys.take(operation);
      const answer = await perform(operation, path);
      // This is the lost answer to an earlier code, which was wrong. The code entered now has not been sent yet.
      const isStale = resumed && answer.status === 'requires_action' && answer.nextAction?.type === type;
      return isStale ? perform(operation, path) : answer;
    });
  }

  cancel(payment: Payment | string): Promise<Payment> {
    const id = idOf(payment);
    return this.#initiate(`cancel:${id}`, `${paymentPath(id)}/cancel`, {});
  }

  async waitFor(payment: Payment | string, options: WaitOptions = {}): Promise<Payment> {
    const id = idOf(payment);
    const known = typeof payment === 'string' ? this.#lastSeen.get(id) : payment;
    const read = async (query: string, signal: AbortSignal | undefined): Promise<Answer<Payment>> => {
      const answer = await this.#connection.send<Payment>(paymentPath(id) + query, { signal });
      this.#remember(answer.body);
      return answer;
    };
    return waitForNews(read, known, options, this.#onRetry);
  }

  #initiate(operation: string, path: string, body: object): Promise<Payment> {
    return this.#once(operation, body, () => this.#perform(operation, path, body));
  }

  /** The same call, made while the first one is running, gets the answer of the first. */
  #once(operation: string, input: object, run: () => Promise<Payment>): Promise<Payment> {
    const text = JSON.stringify(input);
    const running = this.#running.get(operation);
    if (running?.input === text) return running.answer;
    const answer = run();
    const entry = { input: text, answer };
    this.#running.set(operation, entry);
    const forget = (): void => {
      if (this.#running.get(operation) === entry) this.#running.delete(operation);
    };
    answer.then(forget, forget);
    return answer;
  }

  /** The same with an encrypted member, made anew where the key may have been replaced since it was fetched. */
  async #performSealed(operation: string, path: string, body: () => Promise<object>): Promise<Payment> {
    try {
      return await this.#perform(operation, path, await body());
    } catch (error) {
      if (!isAboutEncryption(error) || this.#cardKey === undefined) throw error;
      this.#cardKey = undefined;
      return this.#perform(operation, path, await body());
    }
  }

  /** Sends until there is a definite answer, always with the operation's one key. Then the key is dropped. */
  async #perform(operation: string, path: string, body: object): Promise<Payment> {
    const json = JSON.stringify(body);
    for (let renewed = false; ; renewed = true) {
      const { key } = this.#keys.take(operation);
      try {
        const answer = await keepTrying(
          () => this.#connection.send<Payment>(path, { json, idempotencyKey: key }),
          { giveUpAfterMs: WRITE_PATIENCE_MS, onRetry: this.#onRetry },
        );
        this.#keys.settle(operation, key);
        return this.#remember(answer.body);
      } catch (error) {
        if (error instanceof TillfrontError && error.code !== 'no-answer') this.#keys.settle(operation, key);
        // The key's first call was a different one, and it arrived, so this call is a new attempt. The service still
        // creates no payment while the first one is live.
        const isNewAttempt = error instanceof TillfrontError && error.code === 'idempotency-key-reused';
        if (!isNewAttempt || renewed) throw error;
      }
    }
  }

  async #get<T>(path: string): Promise<T> {
    const answer = await keepTrying(() => this.#connection.send<T>(path), {
      giveUpAfterMs: READ_PATIENCE_MS,
      onRetry: this.#onRetry,
    });
    return answer.body;
  }

  async #sealing(): Promise<SealingContext> {
    const [sessionId, { key }] = await Promise.all([
      this.#sessionId ?? this.session().then((session) => session.id),
      this.#encryptionKey(),
    ]);
    // Only where the browser may not read the service's time is its own better than none.
    const issuedAt = Math.floor((this.serviceTime() ?? Date.now()) / 1000);
    return { key, sessionId, issuedAt };
  }

  async #encryptionKey(): Promise<KnownCardKey> {
    const kept = this.#cardKey;
    if (kept !== undefined && performance.now() - kept.fetchedAt < CARD_KEY_LIFETIME_MS) return kept;
    const answer = await keepTrying(
      () => this.#connection.send<CardEncryptionKey>('/v1/card-encryption-key'),
      { giveUpAfterMs: READ_PATIENCE_MS, onRetry: this.#onRetry },
    );
    return (this.#cardKey = { key: answer.body, fetchedAt: performance.now() });
  }

  #remember(payment: Payment): Payment {
    this.#lastSeen.set(payment.id, payment);
    return payment;
  }
}

function idOf(payment: Payment | string): string {
  return typeof payment === 'string' ? payment : payment.id;
}

function paymentPath(id: string): string {
  return `/v1/payments/${encodeURIComponent(id)}`;
}

/** Who pays, without what is empty. */
function detailsOf({ payer, billing }: PayerDetails): PayerDetails {
  const hasMembers = (value: object | undefined): boolean => Object.keys(value ?? {}).length > 0;
  return { ...(payer && hasMembers(payer) && { payer }), ...(billing && hasMembers(billing) && { billing }) };
}

function isAboutEncryption(error: unknown): boolean {
  return (
    error instanceof TillfrontError &&
    error.code === 'validation-failed' &&
    error.errors.some(({ pointer }) => /^\/encrypted(Card|Pin)/.test(pointer))
  );
}
