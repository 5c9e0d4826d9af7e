import type { PaymentMethod } from '../../config/read-config.js';
import type { PaymentDto } from '../../payments/views/payment.dto.js';
import type { ScenariosFile, TestCard } from './scenarios-file.js';
import { ScenarioFailure, type TestShop } from './test-shop.js';

/** What a scenario proves about the gateway's answers: that a success, or a refusal, is recognized. */
export type Shows = 'paid' | 'not-paid';

/** Called for each payment as soon as it exists, and again when it changes. */
export type Noted = (payment: PaymentDto) => void;

/** One test at the gateway's test system. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly method: PaymentMethod;
  /** Assumptions that it confirms if it passes without a misunderstood answer. */
  readonly confirms: readonly string[];
  readonly shows: Shows;
  /** Whether a person must act as the payer. */
  readonly person: boolean;
  /** Whether the scenarios file has the values that it needs. */
  readonly offered: (file: ScenariosFile) => boolean;
  /** Throws where the payment ends differently. */
  readonly run: (shop: TestShop, noted: Noted) => Promise<void>;
}

/** Every scenario, in the order of execution. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'card-approved',
    title: 'A card is charged, and the payment voided',
    method: 'card',
    confirms: ['encryption', 'void'],
    shows: 'paid',
    person: false,
    offered: ({ cards }) => cards.approved !== undefined,
    run: cardApproved,
  },
  {
    name: 'card-declined',
    title: 'A card is declined by its issuer',
    method: 'card',
    confirms: [],
    shows: 'not-paid',
    person: false,
    offered: ({ cards }) => cards.declined !== undefined,
    run: cardDeclined,
  },
  {
    name: 'card-otp',
    title: 'A card asks for a one-time code',
    method: 'card',
    confirms: ['validateOtp'],
    shows: 'paid',
    person: false,
    offered: ({ cards }) => cards.otp !== undefined,
    run: cardOtp,
  },
  {
    name: 'card-completed',
    title: 'A card is charged in two steps: held, then completed',
    method: 'card',
    confirms: ['complete'],
    shows: 'paid',
    person: false,
    offered: ({ cards }) => cards.authorized !== undefined,
    run: cardCompleted,
  },
  {
    name: 'card-redirect',
    title: "A card sends the payer to the bank's page",
    method: 'card',
    confirms: ['transactionStatus'],
    shows: 'paid',
    person: true,
    offered: ({ cards }) => cards.redirect !== undefined,
    run: cardRedirect,
  },
  {
    name: 'wallet-paid',
    title: 'A wallet order is paid at the cashier page',
    method: 'wallet',
    confirms: ['transactionStatus', 'void'],
    shows: 'paid',
    person: true,
    offered: ({ wallet }) => wallet?.paid !== undefined,
    run: walletPaid,
  },
  {
    name: 'wallet-declined',
    title: 'A wallet order is turned down at the cashier page',
    method: 'wallet',
    confirms: ['transactionStatus'],
    shows: 'not-paid',
    person: true,
    offered: ({ wallet }) => wallet?.declined !== undefined,
    run: walletDeclined,
  },
  {
    name: 'transfer-paid',
    title: 'A transfer arrives',
    method: 'transfer',
    confirms: ['initiateTransfer', 'transferUssdStatus', 'void'],
    shows: 'paid',
    person: true,
    offered: ({ transfer }) => transfer?.paid !== undefined,
    run: transferPaid,
  },
  {
    name: 'ussd-paid',
    title: 'A USSD code is dialled',
    method: 'ussd',
    confirms: ['listUssdBanks', 'generateUssdCode', 'transferUssdStatus', 'void'],
    shows: 'paid',
    person: true,
    offered: ({ ussd }) => ussd?.paid !== undefined,
    run: ussdPaid,
  },
];

async function cardApproved(shop: TestShop, noted: Noted): Promise<void> {
  const order = await shop.order();
  const paid = await shop.settle(note(await order.payByCard(card(shop, 'approved')), noted), 'succeeded');
  await shop.settle(note(await shop.void(paid), noted), 'voided');
}

async function cardDeclined(shop: TestShop, noted: Noted): Promise<void> {
  const order = await shop.order();
  const failed = await shop.settle(note(await order.payByCard(card(shop, 'declined')), noted), 'failed');
  if (failed.failure?.code !== 'declined') {
    throw new ScenarioFailure(`failed as ${failed.failure?.code ?? 'nothing'}, not as declined`);
  }
}

async function cardOtp(shop: TestShop, noted: Noted): Promise<void> {
  const order = await shop.order();
  const waiting = await shop.settle(note(await order.payByCard(card(shop, 'otp')), noted), 'requires_action');
  if (waiting.nextAction?.type !== 'otp') throw new ScenarioFailure('does not ask for a one-time code');
  const answered = await order.submitOtp(waiting, card(shop, 'otp').otp ?? '');
  await shop.settle(note(answered, noted), 'succeeded');
}

async function cardCompleted(shop: TestShop, noted: Noted): Promise<void> {
  const order = await shop.order();
  const held = await shop.settle(note(await order.payByCard(card(shop, 'authorized')), noted), 'authorized');
  await shop.settle(note(await shop.complete(held), noted), 'succeeded');
}

async function cardRedirect(shop: TestShop, noted: Noted): Promise<void> {
  const order = await shop.order();
  const waiting = await shop.settle(
    note(await order.payByCard(card(shop, 'redirect')), noted),
    'requires_action',
  );
  await shop.untilPaidByPerson(waiting, 'succeeded', [
    'Open this page and approve the payment:',
    address(waiting),
  ]);
}

async function walletPaid(shop: TestShop, noted: Noted): Promise<void> {
  const order = await shop.order(shop.file.wallet?.paid);
  const waiting = await shop.settle(note(await order.payByWallet(), noted), 'requires_action');
  const paid = await shop.untilPaidByPerson(waiting, 'succeeded', [
    'Open this page and pay:',
    address(waiting),
  ]);
  await shop.settle(note(await shop.void(paid), noted), 'voided');
}

async function walletDeclined(shop: TestShop, noted: Noted): Promise<void> {
  const order = await shop.order(shop.file.wallet?.declined);
  const waiting = await shop.settle(note(await order.payByWallet(), noted), 'requires_action');
  await shop.untilPaidByPerson(waiting, 'failed', [
    'Open this page and turn the payment down:',
    address(waiting),
  ]);
}

async function transferPaid(shop: TestShop, noted: Noted): Promise<void> {
  const order = await shop.order(shop.file.transfer?.paid);
  const waiting = await shop.settle(note(await order.payByTransfer(), noted), 'requires_action');
  const { nextAction } = waiting;
  if (nextAction?.type !== 'transfer') throw new ScenarioFailure('names no account');
  const paid = await shop.untilPaidByPerson(waiting, 'succeeded', [
    `Transfer ${nextAction.amount} ${waiting.currency} to account ${nextAction.accountNumber} at ${nextAction.bankName}.`,
  ]);
  await shop.settle(note(await shop.void(paid), noted), 'voided');
}

async function ussdPaid(shop: TestShop, noted: Noted): Promise<void> {
  const order = await shop.order(shop.file.ussd?.paid);
  const banks = await order.banks();
  const wanted = shop.file.ussd?.bankCode;
  const bank = wanted === undefined ? banks[0] : banks.find(({ code }) => code === wanted);
  if (!bank)
    throw new ScenarioFailure(`the list of ${banks.length} banks has none of the code ${wanted ?? ''}`);
  const waiting = await shop.settle(note(await order.payByUssd(bank.code), noted), 'requires_action');
  const { nextAction } = waiting;
  if (nextAction?.type !== 'ussd') throw new ScenarioFailure('has no code to dial');
  const paid = await shop.untilPaidByPerson(waiting, 'succeeded', [
    `Dial ${nextAction.code} (${bank.name}) and approve the payment.`,
  ]);
  await shop.settle(note(await shop.void(paid), noted), 'voided');
}

function note(payment: PaymentDto, noted: Noted): PaymentDto {
  noted(payment);
  return payment;
}

function card({ file }: TestShop, name: keyof ScenariosFile['cards']): TestCard {
  const found = file.cards[name];
  if (!found) throw new ScenarioFailure(`has no card "${name}" in the scenarios file`);
  return found;
}

function address({ nextAction }: PaymentDto): string {
  if (nextAction?.type !== 'redirect') throw new ScenarioFailure('does not send the payer to a page');
  if (nextAction.method === 'POST') {
    throw new ScenarioFailure(
      'wants a form posted, which a terminal cannot do: try it in a browser, at its checkoutUrl',
    );
  }
  return `  ${nextAction.url}`;
}
