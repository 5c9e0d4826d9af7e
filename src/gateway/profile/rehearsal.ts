import { z } from 'zod';
import { minorDigits, parseMajor } from '../../money/money.js';
import { Secret } from '../../secrets/secret.js';
import { judge, type Judged } from '../answer/judge.js';
import type { PaymentFacts } from '../payment-facts.js';
import { compileCalls, type CompiledCall } from '../request/compile.js';
import type { Scope } from '../request/words.js';
import type { Exchanged, Outgoing } from '../transport/transport.js';
import type { OperationName, Profile } from './schema.js';
import { callsOf } from './uses.js';

/** An address that stands for `GATEWAY_BASE_URL`. */
const BASE = 'https://gateway.example';

/** A request as it would be sent, with names in the place of secrets. */
export interface Rehearsed extends Outgoing {
  readonly operation: string;
  /** What `encrypt` encrypts, in clear. */
  readonly encrypted?: string;
}

/** The payment of a rehearsal: what an exchange may say of it, by words' names, and what is said otherwise. */
export const sampleSchema = z.strictObject({
  client_ref: z.string().optional(),
  amount: z.string().default('1500.00'),
  currency: z.string().default('NGN'),
  transactionRef: z.string().default('TX1'),
  refundRef: z.string().default('REFUND1'),
  kept: z.record(z.string(), z.string()).default({}),
});
type Sample = z.infer<typeof sampleSchema>;

/** The rest of it. Secrets are their names. */
const PAYER = {
  returnUrl: 'https://shop.example/return',
  payerIp: '203.0.113.7',
  bankCode: '058',
  payer: { email: 'ada@example.com', phone: '+2348012345678', firstName: 'Ada', lastName: 'Obi' },
  billing: { street: '1 Marina', city: 'Lagos', stateProvince: 'Lagos', postCode: '101001', country: 'NGA' },
  card: {
    number: new Secret('<cardNumber>'),
    cvv: new Secret('<cvv>'),
    pin: new Secret('<card_pin>'),
    expiryMonth: '12',
    expiryYear: '2030',
    nameOnCard: new Secret('<nameOnCard>'),
  },
  device: {
    javaEnabled: false,
    language: 'en-NG',
    screenHeight: 1080,
    screenWidth: 1920,
    colorDepth: 24,
    timeZone: 'Africa/Lagos',
    userAgent: 'Mozilla/5.0',
  },
  otp: new Secret('<otp>'),
  pin: new Secret('<pin>'),
} satisfies Partial<PaymentFacts>;

/** A profile without a gateway: the requests that it makes, and what answers mean by it. */
export class Rehearsal {
  readonly #calls: ReadonlyMap<string, CompiledCall>;
  #encrypted: string | undefined;

  constructor(private readonly profile: Profile) {
    const seal = (text: string) => {
      this.#encrypted = text;
      return { ciphertext: '<ciphertext>', iv: '<iv>', tag: '<tag>', sealed: '<sealed>' };
    };
    this.#calls = compileCalls(profile, { baseUrl: BASE, seal });
  }

  get operations(): OperationName[] {
    return [...this.#calls.values()].map(({ name }) => name);
  }

  /** The requests of a call, the one before it first; undefined in the place of one that would not be sent. */
  async requests(operation: string, sample = sampleSchema.parse({})): Promise<(Rehearsed | undefined)[]> {
    const call = this.#calls.get(operation);
    const found: (Rehearsed | undefined)[] = [];
    for (const one of [call?.before, call]) {
      if (!one) continue;
      this.#encrypted = undefined;
      const request = await one.write(this.#scope(sample));
      const encrypted = this.#encrypted as string | undefined;
      const name = one === call ? operation : `before ${operation}`;
      found.push(request && { ...request, operation: name, ...(encrypted !== undefined && { encrypted }) });
    }
    return found;
  }

  /** What an answer means, and what decided. */
  judge(operation: string, sample: Sample, exchanged: Exchanged): Judged {
    const call = this.#calls.get(operation);
    if (!call) throw new Error(`the profile has no operation ${operation}`);
    return judge(call.reader, exchanged, { scope: this.#scope(sample), url: `${BASE}/`, mode: 'test' });
  }

  #scope({ client_ref, amount, currency, kept, ...names }: Sample): Scope {
    const { prefix = '', separator = '_' } = this.profile.reference ?? {};
    const calls = [...callsOf(this.profile).map(({ call }) => call), this.profile.notification ?? {}];
    const known = calls
      .flatMap(({ keep }) => Object.keys(keep ?? {}))
      .map((name) => [name, `<${name}>`] as const);
    const minor = minorDigits(currency) === undefined ? undefined : parseMajor(amount, currency);
    return {
      facts: {
        ...PAYER,
        ...names,
        clientRef: client_ref ?? `${prefix}ORDER-1001${separator}1`,
        currency,
        kept: { ...Object.fromEntries(known), ...kept },
        ...(minor !== undefined && { amount: minor }),
      },
      digits: this.profile.digits ?? {},
      notifyUrl: 'https://shop.example/v1/gateway/notifications',
      apiKey: '<apiKey>',
      accessToken: '<accessToken>',
      token: '<token>',
      now: new Date(),
    };
  }
}

/** A request, as people read it. */
export function requestLines({ method, url, headers, body, encrypted }: Rehearsed): string[] {
  const address = (url.startsWith(BASE) ? url.slice(BASE.length) : url).replace(/%3C(\w+)%3E/g, '<$1>');
  return [
    `  ${method} ${address}`,
    ...Object.entries(headers).map(([name, value]) => `    ${name}: ${value}`),
    ...(body === undefined ? [] : [`    ${body}`]),
    ...(encrypted === undefined ? [] : [`    encrypted: ${encrypted}`]),
  ];
}
