import type { Config } from '../../src/config/config.js';
import type { CardPaymentInput } from '../../src/gateway/gateway-input.js';
import { Secret } from '../../src/secrets/secret.js';

/** Values that must never appear outside a request to the gateway. */
export const gatewaySecrets = {
  cardNumber: '5060990580000217499',
  apiKey: 'key-of-the-test',
  accessToken: 'token-of-the-test',
} as const;

/** A gateway configuration for a peer of the test. */
export function gatewayConfig(baseUrl: string, over: Partial<Config['gateway']> = {}): Config['gateway'] {
  return {
    baseUrl,
    mode: 'test',
    apiKey: new Secret(gatewaySecrets.apiKey),
    accessToken: new Secret(gatewaySecrets.accessToken),
    timeoutMs: 3_000,
    tls: {},
    notFoundGraceSeconds: 900,
    statusQueriesPerSecond: 10,
    ...over,
  };
}

/** A card payment of 1500.00 NGN as input of the gateway module. */
export function cardPaymentInput(
  over: { expiryYear?: string; colorDepth?: number; pin?: string } = {},
): CardPaymentInput {
  return {
    clientRef: 'ORDER-1001_1',
    amount: 150_000n,
    currency: 'NGN',
    returnUrl: 'https://pay.example/v1/payments/pay_1/return/token',
    card: {
      number: new Secret<string>(gatewaySecrets.cardNumber),
      expiryMonth: '12',
      expiryYear: over.expiryYear ?? '2030',
      cvv: new Secret('111'),
      ...(over.pin !== undefined && { pin: new Secret(over.pin) }),
      nameOnCard: new Secret('Ada Obi'),
    },
    payer: { email: 'ada@example.com', phone: '+2348012345678', firstName: 'Ada', lastName: 'Obi' },
    billing: {
      street: '1 Marina',
      city: 'Lagos',
      stateProvince: 'Lagos',
      postCode: '101001',
      country: 'NGA',
    },
    device: {
      javaEnabled: false,
      language: 'en-NG',
      screenHeight: 1080,
      screenWidth: 1920,
      colorDepth: over.colorDepth ?? 24,
      timeZone: 'Africa/Lagos',
      userAgent: 'Test/1.0',
    },
  };
}
