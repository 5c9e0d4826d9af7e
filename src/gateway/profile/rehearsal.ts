import { minorDigits, parseMajor } from '../../money/money.js';
import { Secret } from '../../secrets/secret.js';
import { judge, type Judged } from '../answer/judge.js';
import type { PaymentFacts } from '../payment-facts.js';
import { compileCall, type CompiledCall } from '../request/compile.js';
import type { Scope } from '../request/words.js';
import type { Exchanged, Outgoing } from '../transport/transport.js';
import type { CallProfile, OperationName, Profile } from './schema.js';
import { callsOf } from './uses.js';

/** An address that stands for `GATEWAY_BASE_URL`. */
const BASE = 'https://gateway.example';

/** A request as it would be sent, with names in the place of secrets. */
export interface Rehearsed extends Outgoing {
  readonly operation: string;
  /** What `encrypt` encrypts, in clear. */
  readonly encrypted?: string;
}

/** A payment whose secrets are their names. */
const SAMPLE = {
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
  ...{ otp: new Secret('<otp>'), pin: new Secret('<pin>') },
} as const satisfies PaymentFacts;

/** What an exchange may say of its payment: words by their names, and kept values. */
export type Told = Readonly<Record<string, unknown>>;

/** A profile without a gateway: the requests that it makes, and what answers mean by it. */
export class Rehearsal {
  readonly #calls: ReadonlyMap<string, CompiledCall>;

  constructor(private readonly profile: Profile) {
    const seal = () => ({ ciphertext: '<ciphertext>', iv: '<iv>', tag: '<tag>', sealed: '<sealed>' });
    const calls = Object.entries<CallProfile>(profile.operations) as [OperationName, CallProfile][];
    this.#calls = new Map(
      calls.map(([name, call]) => [name, compileCall(profile, name, call, { baseUrl: BASE, seal })]),
    );
  }

  get operations(): string[] {
    return [...this.#calls.keys()];
  }

  /** The requests of a call, the one before it first; undefined in the place of one that would not be sent. */
  async requests(operation: string, told: Told = {}): Promise<(Rehearsed | undefined)[]> {
    const call = this.#calls.get(operation);
    const scope = this.#scope(told);
    const rehearse = async (one: CompiledCall): Promise<Rehearsed | undefined> => {
      const request = await one.write(scope);
      const encrypted = one.plaintext(scope);
      return request && { ...request, operation, ...(encrypted !== undefined && { encrypted }) };
    };
    return Promise.all([call?.before, call].flatMap((one) => (one ? [rehearse(one)] : [])));
  }

  /** What an answer means, and what decided. */
  judge(operation: string, told: Told, exchanged: Exchanged): Judged {
    const call = this.#calls.get(operation);
    if (!call) return { fact: { is: 'unclear', why: 'no such operation' } };
    return judge(call.reader, exchanged, { scope: this.#scope(told), url: `${BASE}/`, mode: 'test' });
  }

  #scope({ kept, amount, ...words }: Told): Scope {
    const text = (name: string, usual: string): string =>
      typeof words[name] === 'string' ? words[name] : usual;
    const currency = text('currency', SAMPLE.currency);
    const isAmount = typeof amount === 'string' && minorDigits(currency) !== undefined;
    const names = callsOf(this.profile).flatMap(({ call }) =>
      Object.keys({ ...call.keep, ...this.profile.notification?.keep }),
    );
    const facts: PaymentFacts = {
      ...SAMPLE,
      ...{
        currency,
        clientRef: text('client_ref', SAMPLE.clientRef),
        amount: (isAmount ? parseMajor(amount, currency) : undefined) ?? SAMPLE.amount,
      },
      ...{
        transactionRef: text('transactionRef', SAMPLE.transactionRef),
        refundRef: text('refundRef', SAMPLE.refundRef),
      },
      kept: {
        ...Object.fromEntries(names.map((name) => [name, `<${name}>`])),
        ...(kept as Record<string, string> | undefined),
      },
    };
    const secrets = { apiKey: '<apiKey>', accessToken: '<accessToken>', token: '<token>' };
    const notifyUrl = 'https://shop.example/v1/gateway/notifications';
    return { facts, digits: this.profile.digits ?? {}, notifyUrl, ...secrets, now: new Date() };
  }
}
