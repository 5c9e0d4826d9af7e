import { readFileSync } from 'node:fs';
import { named, object, optional, string, type Described } from '../../gateway/profile/schema.js';
import { formFaults } from '../../gateway/profile/schema-faults.js';
import { CommandFailure } from '../command.js';

const CARD = { number: string(), expiryMonth: string(), expiryYear: string(), cvv: string() };

/** A test card of the gateway's test system, as its documentation lists them. `otp` is its one-time code. */
const card = object({ ...CARD, pin: optional(string()), otp: optional(string()) });
export type TestCard = Described<typeof card>;

/** What the gateway's test system offers. Missing entries are not tried, and what they would confirm stays unconfirmed. */
const scenariosFile = object({
  currency: string(),
  /** Decimal, in major units. Used by every scenario without an amount of its own. */
  amount: string(),
  payer: named(string(), {}),
  billing: named(string(), {}),
  cards: object({
    /** Paid at once. */
    approved: optional(card),
    /** Declined by the issuer. */
    declined: optional(card),
    /** Asks for a one-time code. */
    otp: optional(object({ ...CARD, pin: optional(string()), otp: string() })),
    /** Sends the payer to the bank's page. */
    redirect: optional(card),
    /** Held, to be completed. */
    authorized: optional(card),
  }),
  /** Amounts. A person pays the first and cancels the second on the wallet's page. */
  wallet: optional(object({ paid: optional(string()), declined: optional(string()) })),
  /** An amount that a person transfers. */
  transfer: optional(object({ paid: optional(string()) })),
  /** An amount that a person pays by dialling. Without `bankCode`, the first bank of the list is used. */
  ussd: optional(object({ paid: optional(string()), bankCode: optional(string()) })),
});
export type ScenariosFile = Described<typeof scenariosFile>;

const validUntil = { expiryMonth: '12', expiryYear: '2030' };

/** What the sandbox gateway offers. It also shows the form of a file for any other gateway. */
export const SANDBOX_SCENARIOS = {
  currency: 'NGN',
  amount: '1500.00',
  payer: { email: 'ada@example.com', phone: '+2348012345678', firstName: 'Ada', lastName: 'Obi' },
  billing: { street: '1 Marina', city: 'Lagos', stateProvince: 'Lagos', postCode: '101001', country: 'NGA' },
  cards: {
    approved: { number: '5060990580000217499', ...validUntil, cvv: '111', pin: '1111' },
    declined: { number: '4000000000000200', ...validUntil, cvv: '111' },
    otp: { number: '5060990000000000704', ...validUntil, cvv: '111', pin: '1111', otp: '123456' },
    redirect: { number: '4000000000000804', ...validUntil, cvv: '111' },
    authorized: { number: '4000000000000903', ...validUntil, cvv: '111' },
  },
  wallet: { paid: '1500.00', declined: '1700.00' },
  transfer: { paid: '1500.00' },
  ussd: { paid: '1500.00', bankCode: '058' },
} satisfies ScenariosFile;

/** Reads a scenarios file. Throws with all mistakes, without showing any value. */
export function readScenarios(path: string): ScenariosFile {
  let document: unknown;
  try {
    document = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new CommandFailure(`${path} cannot be read as JSON.`, 'scenarios');
  }
  const faults = formFaults(scenariosFile, document);
  if (faults.length > 0) {
    throw new CommandFailure(
      [
        `${path} is not a scenarios file:`,
        ...faults.map(({ place, message }) => `  ${place} ${message}`),
      ].join('\n'),
      'scenarios',
    );
  }
  return document as ScenariosFile;
}
