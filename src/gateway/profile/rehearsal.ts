import { Secret } from '../../secrets/secret.js';
import { minorDigits, parseMajor } from '../../money/money.js';
import { judge, type Judged } from '../answer/judge.js';
import type { PaymentFacts } from '../payment-facts.js';
import { compileCall, type CompiledCall } from '../request/compile.js';
import type { Scope } from '../request/words.js';
import type { Outgoing } from '../transport/transport.js';
import type { CallProfile, OperationName, Profile } from './schema.js';

/** An address that stands for `GATEWAY_BASE_URL`. */
const BASE = 'https://gateway.example';

/** A request as it would be sent, with names in the place of secrets. */
export interface Rehearsed extends Outgoing {
  readonly operation: string;
  /** What `encrypt` encrypts, in clear. */
  readonly encrypted?: string;
}

/** A payment whose secrets are their names. */
const SAMPLE: PaymentFacts = {
  ...{
    clientRef: 'ORDER-1001_1',
    amount: 150000n,
    currency: 'NGN',
    transactionRef: 'TX1',
    refundRef: 'REFUND1',
  },
  ...{ returnUrl: 'https://shop.example/return', payerIp: '203.0.113.7', bankCode: '058' },
  payer: { email: 'ada@example.com', phone: '+2348012345678', firstName: 'Ada', lastName: 'Obi' },
  billing: { street: '1 Marina', city: 'Lagos', stateProvince: 'Lagos', postCode: '101001', country: 'NGA' },
  card: {
    ...{ number: new Secret('<cardNumber>'), cvv: new Secret('<cvv>'), pin: new Secret('<card_pin>') },
    ...{ expiryMonth: '12', expiryYear: '2030', nameOnCard: new Secret('<nameOnCard>') },
  },
  device: {
    ...{ javaEnabled: false, language: 'en-NG', screenHeight: 1080, screenWidth: 1920, colorDepth: 24 },
    ...{ timeZone: 'Africa/Lagos', userAgent: 'Mozilla/5.0' },
  },
  otp: new Secret('<otp>'),
  pin: new Secret('<pin>'),
};

/** What an exchange may say of its payment: words by their names, and kept values. */
export type Told = Readonly<Record<string, unknown>>;

/** A profile without a gateway: the requests that it makes, and what answers mean by it. */
export class Rehearsal {
  readonly #calls = new Map<string, CompiledCall>();

  constructor(private readonly profile: Profile) {
    const seal = (): Record<string, string> => ({
      ciphertext: '<ciphertext>',
      iv: '<iv>',
      tag: '<tag>',
      sealed: '<sealed>',
    });
    for (const [name, call] of Object.entries(profile.operations) as [OperationName, CallProfile][])
      this.#calls.set(name, compileCall(profile, name, call, { baseUrl: BASE, seal }));
  }

  get operations(): string[] {
    return [...this.#calls.keys()];
  }

  /** The requests of a call, the one before it first; undefined in the place of one that would not be sent. */
  async requests(operation: string, told: Told = {}): Promise<(Rehearsed | undefined)[]> {
    const call = this.#calls.get(operation);
    const calls = call ? [...(call.before ? [call.before] : []), call] : [];
    const scope = this.#scope(told);
    return Promise.all(
      calls.map(async (one) => {
        const request = await one.write(scope);
        const encrypted = one.plaintext(scope);
        return request && { ...request, operation, ...(encrypted !== undefined && { encrypted }) };
      }),
    );
  }

  /** What an answer means, and what decided. */
  judge(
    operation: string,
    told: Told,
    answer: { status: number; text: string; retryAfter?: string | undefined },
  ): Judged {
    const call = this.#calls.get(operation);
    if (!call) return { fact: { is: 'unclear', why: 'no such operation' } };
    const { retryAfter, ...rest } = answer;
    const exchanged = { kind: 'answer', ...rest, ...(retryAfter !== undefined && { retryAfter }) } as const;
    return judge(call.reader, exchanged, { scope: this.#scope(told), url: `${BASE}/`, mode: 'test' });
  }

  #scope({ kept, amount, ...words }: Told): Scope {
    const text = (name: string): string | undefined =>
      typeof words[name] === 'string' ? words[name] : undefined;
    const currency = text('currency') ?? SAMPLE.currency;
    const known = this.#keptNames().map((name) => [name, `<${name}>`] as const);
    const minor =
      typeof amount === 'string' && minorDigits(currency) !== undefined
        ? parseMajor(amount, currency)
        : undefined;
    const facts: PaymentFacts = {
      ...SAMPLE,
      ...{
        clientRef: text('client_ref') ?? SAMPLE.clientRef,
        currency,
        amount: minor ?? SAMPLE.amount ?? 0n,
      },
      ...{ transactionRef: text('transactionRef') ?? 'TX1', refundRef: text('refundRef') ?? 'REFUND1' },
      kept: { ...Object.fromEntries(known), ...(kept as Record<string, string> | undefined) },
    };
    const notifyUrl = 'https://shop.example/v1/gateway/notifications';
    const digits = this.profile.digits ?? {};
    return {
      facts,
      digits,
      notifyUrl,
      apiKey: '<apiKey>',
      accessToken: '<accessToken>',
      token: '<token>',
      now: new Date(),
    };
  }

  #keptNames(): string[] {
    const { operations, notification } = this.profile;
    const calls = Object.values(operations).flatMap((call) => [
      call,
      'before' in call ? call.before : undefined,
    ]);
    return [...calls, notification].flatMap((one) => Object.keys(one?.keep ?? {}));
  }
}
