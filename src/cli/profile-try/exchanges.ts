import { readFileSync } from 'node:fs';
import { isFieldName } from '../../gateway/requests/payment-fields.js';
import type { Profile } from '../../gateway/profile/format.js';
import { refundRefOf } from '../../gateway/requests/client-ref.js';
import type { CallFacts } from '../../gateway/requests/payment-fields.js';
import { parseMajor } from '../../money/money.js';
import { Secret } from '../../secrets/secret.js';
import { CommandFailure } from '../command-failure.js';

/** One recorded exchange with a gateway. */
export interface Exchange {
  readonly operation: string;
  readonly payment: Readonly<Record<string, unknown>>;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly expect?: string;
}

/** Reads a file of exchanges. Throws a {@link CommandFailure} that names the first fault. */
export function readExchanges(path: string): Exchange[] {
  let list: unknown;
  try {
    list = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw fault(`${path} cannot be read as JSON`);
  }
  if (!Array.isArray(list)) throw fault(`${path} must be a list of exchanges`);
  return (list as unknown[]).map((entry, index) => readExchange(entry, `/${index}`));
}

function readExchange(entry: unknown, at: string): Exchange {
  if (!isObject(entry)) throw fault(`${at} must be an object`);
  const { operation, payment = {}, status = 200, headers = {}, body, expect, ...others } = entry;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw fault(`${at}/${unknown} is an unknown key`);
  if (typeof operation !== 'string') throw fault(`${at}/operation must be the key of an operation`);
  if (!isObject(payment)) throw fault(`${at}/payment must be an object of fields`);
  for (const name of Object.keys(payment)) {
    if (name !== 'kept' && !isFieldName(name))
      throw fault(`${at}/payment/${name} is not a field of a payment`);
  }
  if (!Number.isInteger(status)) throw fault(`${at}/status must be an HTTP status`);
  if (!isObject(headers)) throw fault(`${at}/headers must be an object`);
  if (expect !== undefined && typeof expect !== 'string') throw fault(`${at}/expect must be a word`);
  const texts = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return {
    ...{ operation, payment, body, status: status as number },
    headers: Object.fromEntries(texts) as Record<string, string>,
    ...(expect !== undefined && { expect }),
  };
}

/** What a payment of 1500.00 NGN looks like, with masks in the place of its secrets. A recorded payment says otherwise. */
export function factsOf(payment: Exchange['payment'], reference: Profile['reference']): CallFacts {
  const text = (name: string, fallback: string): string => {
    const value = payment[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : fallback;
  };
  const currency = text('currency', 'NGN');
  const amount = parseMajor(text('amount', '1500.00'), currency);
  if (amount === undefined)
    throw fault('the amount of a payment must be a decimal in major units of its currency');
  const transactionRef = text('transactionRef', '');
  const clientRef = text('client_ref', 'ORDER-1001_1');
  return {
    ...{ amount, currency, clientRef, bankCode: text('bankCode', '058') },
    ...(transactionRef !== '' && { transactionRef }),
    refundRef: text('refundRef', refundRefOf(clientRef, 1, reference)),
    returnUrl: text('authNotifyUrl', 'https://pay.example/v1/payments/pay_1/return/token'),
    notificationUrl: text('notifyUrl', 'https://pay.example/v1/gateway/notifications'),
    payer: {
      email: text('payerEmail', 'ada@example.com'),
      phone: text('payerPhone', '+2348012345678'),
      firstName: text('firstName', 'Ada'),
      lastName: text('lastName', 'Obi'),
    },
    payerAddress: text('payerAddress', '203.0.113.7'),
    billing: {
      street: '1 Marina',
      city: 'Lagos',
      stateProvince: 'Lagos',
      postCode: '101001',
      country: 'NGA',
    },
    device: {
      ...{ javaEnabled: false, language: 'en-NG', screenHeight: 1080, screenWidth: 1920, colorDepth: 24 },
      ...{ timeZone: 'Africa/Lagos', userAgent: 'Mozilla/5.0' },
    },
    card: {
      number: new Secret('<cardNumber>'),
      ...{ expiryMonth: '12', expiryYear: '2030' },
      cvv: new Secret('<cvv>'),
      pin: new Secret('<card_pin>'),
      nameOnCard: new Secret('Ada Obi'),
    },
    otp: new Secret('<otp>'),
    pin: new Secret('<pin>'),
    kept: isObject(payment['kept']) ? keptOf(payment['kept']) : {},
  };
}

function keptOf(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fault(message: string): CommandFailure {
  return new CommandFailure(`${message}.`, 'exchanges');
}
