import { readFileSync } from 'node:fs';
import { CommandFailure } from '../command.js';

/** A test card of the gateway's test system, as its documentation lists them. */
export interface TestCard {
  number: string;
  expiryMonth: string;
  expiryYear: string;
  cvv: string;
  pin?: string;
  /** The one-time code of this card. */
  otp?: string;
}

/** What the gateway's test system offers. Missing entries are not tried, and what they would confirm stays unconfirmed. */
export interface ScenariosFile {
  currency: string;
  /** Decimal, in major units. Used by every scenario without an amount of its own. */
  amount: string;
  payer: Record<string, string>;
  billing: Record<string, string>;
  cards: {
    /** Paid at once. */
    approved?: TestCard;
    /** Declined by the issuer. */
    declined?: TestCard;
    /** Asks for a one-time code. */
    otp?: TestCard;
    /** Sends the payer to the bank's page. */
    redirect?: TestCard;
    /** Held, to be completed. */
    authorized?: TestCard;
  };
  /** `paid` and `declined` are amounts. A person pays the first and cancels the second on the wallet's page. */
  wallet?: { paid?: string; declined?: string };
  /** An amount that a person transfers. */
  transfer?: { paid?: string };
  /** An amount that a person pays by dialling. Without `bankCode`, the first bank of the list is used. */
  ussd?: { paid?: string; bankCode?: string };
}

const validUntil = { expiryMonth: '12', expiryYear: '2030' };

/** What the sandbox gateway offers. It also shows the form of a file for any other gateway. */
export const SANDBOX_SCENARIOS: ScenariosFile = {
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
};

const CARD_FIELDS = ['number', 'expiryMonth', 'expiryYear', 'cvv', 'pin', 'otp'];
const NEEDED_CARD_FIELDS = ['number', 'expiryMonth', 'expiryYear', 'cvv'];

/** The form of the file: a list of names for an object of texts, otherwise a nested form. */
const FORM: Record<string, readonly string[] | 'text' | 'texts' | 'cards'> = {
  currency: 'text',
  amount: 'text',
  payer: 'texts',
  billing: 'texts',
  cards: 'cards',
  wallet: ['paid', 'declined'],
  transfer: ['paid'],
  ussd: ['paid', 'bankCode'],
};
const CARD_SCENARIOS = ['approved', 'declined', 'otp', 'redirect', 'authorized'];

/** Reads a scenarios file. Throws with all mistakes, without showing any value. */
export function readScenarios(path: string): ScenariosFile {
  let document: unknown;
  try {
    document = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new CommandFailure(`${path} cannot be read as JSON.`, 'scenarios');
  }
  const problems = checkForm(document);
  if (problems.length > 0) {
    throw new CommandFailure(
      [`${path} is not a scenarios file:`, ...problems.map((problem) => `  ${problem}`)].join('\n'),
      'scenarios',
    );
  }
  return document as ScenariosFile;
}

function checkForm(document: unknown): string[] {
  if (!isObject(document)) return ['it must be a JSON object'];
  const problems = Object.keys(document)
    .filter((name) => !(name in FORM))
    .map((name) => `/${name} is not known`);
  for (const name of ['currency', 'amount', 'payer', 'billing', 'cards']) {
    if (!(name in document)) problems.push(`/${name} is missing`);
  }
  for (const [name, form] of Object.entries(FORM)) {
    const value = document[name];
    if (value === undefined) continue;
    if (form === 'text') problems.push(...(typeof value === 'string' ? [] : [`/${name} must be a text`]));
    else if (form === 'cards') problems.push(...checkCards(value));
    else problems.push(...checkTexts(`/${name}`, value, form === 'texts' ? undefined : form));
  }
  return problems;
}

function checkCards(cards: unknown): string[] {
  if (!isObject(cards)) return ['/cards must be an object'];
  return Object.entries(cards).flatMap(([scenario, card]) => {
    const place = `/cards/${scenario}`;
    if (!CARD_SCENARIOS.includes(scenario)) return [`${place} is not known`];
    const missing = NEEDED_CARD_FIELDS.filter((field) => !isObject(card) || !(field in card));
    return [
      ...checkTexts(place, card, CARD_FIELDS),
      ...missing.map((field) => `${place}/${field} is missing`),
      ...(scenario === 'otp' && isObject(card) && !('otp' in card) ? [`${place}/otp is missing`] : []),
    ];
  });
}

function checkTexts(place: string, value: unknown, names: readonly string[] | undefined): string[] {
  if (!isObject(value)) return [`${place} must be an object`];
  return Object.entries(value).flatMap(([name, text]) => [
    ...(names && !names.includes(name) ? [`${place}/${name} is not known`] : []),
    ...(typeof text === 'string' ? [] : [`${place}/${name} must be a text`]),
  ]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
