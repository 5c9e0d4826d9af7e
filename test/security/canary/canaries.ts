import { randomBytes, randomInt } from 'node:crypto';
import { formsOf, shortFormsOf, type Form } from './forms.js';

/** A secret of this run, and the places where it may stand after all. */
export interface Canary {
  readonly name: string;
  readonly value: string;
  readonly forms: readonly Form[];
  /** Kinds of places (see `Haystack.kind`) where it belongs. */
  readonly allowedIn: ReadonlySet<string>;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

const word = (length = 14): string =>
  Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('');
const title = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const digits = (length: number): string => Array.from({ length }, () => String(randomInt(10))).join('');

/** A card number of this prefix and length with a right check digit, which no bank has issued. */
export function cardNumber(prefix: string, length: number): string {
  const body = prefix + digits(length - prefix.length - 1);
  const sum = [...body].reverse().reduce((total, sign, index) => {
    const value = Number(sign) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return body + String((10 - (sum % 10)) % 10);
}

/** A person that no other run knows. */
function person(): Record<'email' | 'phone' | 'firstName' | 'lastName', string> {
  return {
    email: `${word()}@canary.example`,
    phone: `+23480${digits(8)}`,
    firstName: title(word()),
    lastName: title(word()),
  };
}

function address(): Record<'street' | 'city' | 'stateProvince' | 'postCode' | 'country', string> {
  const [street, city, stateProvince] = [title(word()), title(word()), title(word())];
  return { street, city, stateProvince, postCode: digits(9), country: 'NGA' };
}

/** Everything secret that one run uses. */
export function makeCanaries() {
  const secrets = {
    verve: cardNumber('506099', 19),
    visa: cardNumber('453201', 16),
    amex: cardNumber('3714', 15),
    nameOnCard: `${title(word())} ${title(word())}`,
    otp: `9${digits(9)}`,
    merchantKey: `mk-${word(30)}`,
    readKey: `rk-${word(30)}`,
    secretKey: word(48),
    gatewayApiKey: word(32),
    gatewayToken: word(32),
    webhookSecret: randomBytes(24).toString('base64'),
    notificationSecret: word(32),
    userAgent: `Canary/${word(20)}`,
    callerAddress: `2001:db8:${['1', '2', '3', '4', '5', '6'].map((sign) => sign + randomBytes(1).toString('hex') + 'a').join(':')}`,
    strangeToken: `cst_${word(20)}.${word(43)}`,
  };
  const short = { cvv: String(randomInt(4000, 9999)), pin: `7${digits(5)}` };
  const bodyPayer = person();
  const bodyBilling = address();
  const sessionPayer = person();
  const sessionBilling = address();
  const list: Canary[] = [];
  const add = (
    group: string,
    values: Record<string, string>,
    forms: (value: string) => Form[],
    ...allowedIn: string[]
  ) => {
    for (const [name, value] of Object.entries(values)) {
      if (name === 'country') continue;
      list.push({ name: `${group}${name}`, value, forms: forms(value), allowedIn: new Set(allowedIn) });
    }
  };
  add('', secrets, formsOf);
  add('', short, shortFormsOf);
  add("the payment body's ", { ...bodyPayer, ...bodyBilling }, formsOf);
  // The merchant gave them, the session keeps them, the merchant may read them.
  add(
    "the session's ",
    { ...sessionPayer, ...sessionBilling },
    formsOf,
    'store',
    'orders',
    'merchant',
    'made',
  );
  return { secrets, short, bodyPayer, bodyBilling, sessionPayer, sessionBilling, list };
}

export type Canaries = ReturnType<typeof makeCanaries>;

/** A secret that the service itself made in this run: a client or return token. */
export function madeSecret(name: string, value: string, ...allowedIn: string[]): Canary {
  return { name, value, forms: formsOf(value), allowedIn: new Set(allowedIn) };
}
