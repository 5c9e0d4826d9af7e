import type { PaymentMethod } from '../../config/payment-method.js';
import type { PaymentDto } from '../../payments/views/payment.dto.js';
import type { ScenariosFile, TestCard } from './scenarios-file.js';
import { ScenarioFailure, type TestShop } from './test-shop.js';

/** One test at the gateway's test system. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly method: PaymentMethod;
  /** Assumptions that it confirms if it passes without a misunderstood answer. */
  readonly confirms: readonly string[];
  /** What it proves about the gateway's answers: that a success, or a refusal, is recognized. */
  readonly shows: 'paid' | 'not-paid';
  /** Whether a person must act as the payer. */
  readonly person: boolean;
  /** The test. Undefined where the scenarios file lacks what it needs. It throws where the payment ends differently. */
  readonly run: (file: ScenariosFile) => ((shop: TestShop) => Promise<unknown>) | undefined;
}

/** A test with a value of the scenarios file, which may lack it. */
function withValue<T>(
  valueIn: (file: ScenariosFile) => T | undefined,
  run: (shop: TestShop, value: T) => Promise<unknown>,
): Scenario['run'] {
  return (file) => {
    const value = valueIn(file);
    return value === undefined ? undefined : (shop) => run(shop, value);
  };
}

const PERSON_PAYS = { shows: 'paid', person: true } as const;
const BY_CARD = { method: 'card', person: false } as const;

/** Every scenario, in the order of execution. */
export const SCENARIOS: readonly Scenario[] = [
  {
    ...BY_CARD,
    name: 'card-approved',
    title: 'A card is charged, and the payment voided',
    confirms: ['encryption', 'void'],
    shows: 'paid',
    run: withValue(
      ({ cards }) => cards.approved,
      async (shop, card) => voided(shop, await shop.settle(await payByCard(shop, card), 'succeeded')),
    ),
  },
  {
    ...BY_CARD,
    name: 'card-declined',
    title: 'A card is declined by its issuer',
    confirms: [],
    shows: 'not-paid',
    run: withValue(
      ({ cards }) => cards.declined,
      async (shop, card) => {
        const { failure } = await shop.settle(await payByCard(shop, card), 'failed');
        if (failure?.code !== 'declined')
          throw new ScenarioFailure(`failed as ${failure?.code ?? 'nothing'}, not as declined`);
      },
    ),
  },
  {
    ...BY_CARD,
    name: 'card-otp',
    title: 'A card asks for a one-time code',
    confirms: ['validateOtp'],
    shows: 'paid',
    run: withValue(
      ({ cards }) => cards.otp,
      async (shop, card) => {
        const order = await shop.order();
        const waiting = await shop.settle(await order.payByCard(card), 'requires_action');
        if (waiting.nextAction?.type !== 'otp') throw new ScenarioFailure('does not ask for a one-time code');
        await shop.settle(await order.submitOtp(waiting, card.otp), 'succeeded');
      },
    ),
  },
  {
    ...BY_CARD,
    name: 'card-completed',
    title: 'A card is charged in two steps: held, then completed',
    confirms: ['complete'],
    shows: 'paid',
    run: withValue(
      ({ cards }) => cards.authorized,
      async (shop, card) => {
        const held = await shop.settle(await payByCard(shop, card), 'authorized');
        await shop.settle(await shop.complete(held), 'succeeded');
      },
    ),
  },
  {
    ...PERSON_PAYS,
    name: 'card-redirect',
    title: "A card sends the payer to the bank's page",
    method: 'card',
    confirms: ['transactionStatus'],
    run: withValue(
      ({ cards }) => cards.redirect,
      async (shop, card) => {
        const waiting = await shop.settle(await payByCard(shop, card), 'requires_action');
        await shop.untilPaidByPerson(waiting, 'succeeded', [
          'Open this page and approve the payment:',
          address(waiting),
        ]);
      },
    ),
  },
  {
    ...PERSON_PAYS,
    name: 'wallet-paid',
    title: 'A wallet order is paid at the cashier page',
    method: 'wallet',
    confirms: ['transactionStatus', 'void'],
    run: withValue(
      ({ wallet }) => wallet?.paid,
      async (shop, amount) => {
        const order = await shop.order(amount);
        const waiting = await shop.settle(await order.payByWallet(), 'requires_action');
        const whatToDo = ['Open this page and pay:', address(waiting)];
        await voided(shop, await shop.untilPaidByPerson(waiting, 'succeeded', whatToDo));
      },
    ),
  },
  {
    name: 'wallet-declined',
    title: 'A wallet order is turned down at the cashier page',
    method: 'wallet',
    confirms: ['transactionStatus'],
    shows: 'not-paid',
    person: true,
    run: withValue(
      ({ wallet }) => wallet?.declined,
      async (shop, amount) => {
        const order = await shop.order(amount);
        const waiting = await shop.settle(await order.payByWallet(), 'requires_action');
        await shop.untilPaidByPerson(waiting, 'failed', [
          'Open this page and turn the payment down:',
          address(waiting),
        ]);
      },
    ),
  },
  {
    ...PERSON_PAYS,
    name: 'transfer-paid',
    title: 'A transfer arrives',
    method: 'transfer',
    confirms: ['initiateTransfer', 'transferUssdStatus', 'void'],
    run: withValue(
      ({ transfer }) => transfer?.paid,
      async (shop, amount) => {
        const order = await shop.order(amount);
        const waiting = await shop.settle(await order.payByTransfer(), 'requires_action');
        const { nextAction: account } = waiting;
        if (account?.type !== 'transfer') throw new ScenarioFailure('names no account');
        const paid = await shop.untilPaidByPerson(waiting, 'succeeded', [
          `Transfer ${account.amount} ${waiting.currency} to account ${account.accountNumber} at ${account.bankName}.`,
        ]);
        await voided(shop, paid);
      },
    ),
  },
  {
    ...PERSON_PAYS,
    name: 'ussd-paid',
    title: 'A USSD code is dialled',
    method: 'ussd',
    confirms: ['listUssdBanks', 'generateUssdCode', 'transferUssdStatus', 'void'],
    run: withValue(
      ({ ussd }) => ussd?.paid,
      async (shop, amount) => {
        const order = await shop.order(amount);
        const banks = await order.banks();
        const wanted = shop.file.ussd?.bankCode;
        const bank = wanted === undefined ? banks[0] : banks.find(({ code }) => code === wanted);
        if (!bank)
          throw new ScenarioFailure(`the list of ${banks.length} banks has none of the code ${wanted ?? ''}`);
        const waiting = await shop.settle(await order.payByUssd(bank.code), 'requires_action');
        const { nextAction } = waiting;
        if (nextAction?.type !== 'ussd') throw new ScenarioFailure('has no code to dial');
        const whatToDo = [`Dial ${nextAction.code} (${bank.name}) and approve the payment.`];
        await voided(shop, await shop.untilPaidByPerson(waiting, 'succeeded', whatToDo));
      },
    ),
  },
];

async function payByCard(shop: TestShop, card: TestCard): Promise<PaymentDto> {
  return (await shop.order()).payByCard(card);
}

async function voided(shop: TestShop, paid: PaymentDto): Promise<PaymentDto> {
  return shop.settle(await shop.void(paid), 'voided');
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
