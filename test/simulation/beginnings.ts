import type { Method, State } from './book.ts';
import { FATES, type How, type Operation, type Step, type StepKind } from './steps.ts';

const METHODS = ['card', 'transfer', 'wallet', 'ussd'] as const satisfies readonly Method[];

/** A step as it is written here. */
export type Written = Pick<Step, 'kind' | 'how' | 'operation'> & { method: Method | undefined };

function read(text: string): Written {
  const [name = '', ...words] = text.split('.');
  const how: How = {};
  for (const word of words) {
    const fate = FATES.find((one) => one === word);
    if (fate) how.fate = fate;
    else how.outcome = word as State;
  }
  const method = METHODS.find((one) => one === name);
  const isExpected = name.startsWith('next-');
  return {
    kind: method ? 'pay' : isExpected ? 'expect' : (name as StepKind),
    how,
    operation: isExpected ? (name.slice('next-'.length) as Operation) : 'pay',
    method,
  };
}

/**
 * Beginnings that lead to where much can go wrong; what follows is chance. A step is a kind, a method, or `next-` and an operation, and
 * after it what becomes of the money and of the call.
 */
let beginnings: readonly (readonly Written[])[] = [
  'card',
  'transfer',
  // What is known of a call.
  'card.captured.late refresh wait card',
  'card.captured.lost again refresh',
  'card.never wait card',
  'card.captured.dies wait card',
  'card.captured.dies-first wait card',
  'card.captured.freezes-first refresh card card',
  'card.captured.freezes refresh wait refresh',
  'card.captured.slow refresh refresh again',
  'card.pending.lost cancel refresh wait card',
  'card.pending refresh wait resolve',
  'card.declined changes-its-mind',
  'card.declined changes-its-mind pay-anyway',
  // What the payer is asked for.
  'transfer.freezes refresh wait refresh refresh',
  'wallet.freezes refresh refresh wait refresh',
  'card.otp otp.pending.lost cancel refresh',
  'card.otp otp.captured.lost otp refresh',
  'card.otp otp-twice',
  'card.redirect asks-for-a-code refresh otp',
  'card.pin pin.pending.lost cancel refresh',
  'card.pin pin.captured.lost pin refresh',
  'card.pin pin.otp otp.captured refresh',
  'card.pin pin.pin pin.refused pin.pin pin pin-twice',
  'card.redirect asks-for-a-pin refresh pin',
  'ussd.freezes refresh refresh wait refresh',
  'card.redirect.lost refresh cancel',
  // A hold.
  'card.held complete-part refresh',
  'card.held complete.late refresh refresh refresh refresh',
  'card.held complete.swallows wait wait refresh',
  'card.held void.accepts wait wait refresh',
  'card.held complete.dies wait refresh',
  'card.held complete.freezes-first refresh void',
  'card.held wait',
  // A void.
  'card.captured void.late refresh refresh refresh refresh',
  'card.captured void.accepts wait wait refresh',
  'card.captured void.swallows wait refund refresh carries-out refresh',
  'card.captured void.swallows wait refund-part refresh carries-out refresh',
  'card.captured void.lost refund refresh',
  'card.captured void.dies wait refund',
  'card.captured void-twice refresh',
  'card.captured void.freezes-first refund refresh',
  // Money that comes late beside money that was taken: paid twice.
  'transfer cancel card.captured payer-pays refresh',
  'ussd cancel card.captured payer-pays refresh',
  'transfer cancel card.captured wait wait payer-pays',
  'transfer cancel card.captured payer-pays refund void',
  'transfer cancel card.captured payer-pays refresh void-payer',
  'transfer cancel card.captured payer-pays refresh refund-payer refresh',
  'transfer cancel card.captured refund-part payer-pays refresh',
  'transfer cancel card.captured refund-part.accepts payer-pays refresh',
  'transfer cancel card.captured void.swallows wait payer-pays refresh carries-out',
  'transfer cancel card.captured next-void.accepts payer-pays refresh void-payer',
  'transfer cancel card.captured next-void.swallows payer-pays refresh refund-payer carries-out',
  'transfer cancel card.captured next-void.refuses payer-pays refresh refresh',
  'transfer cancel card.captured reverses payer-pays',
  'transfer cancel card.captured charges-back payer-pays refresh wins-dispute refresh',
  'transfer runs-out refresh card.captured changes-its-mind refresh',
  'transfer cancel card.held payer-pays refresh wait complete',
  'transfer cancel card.held payer-pays complete refresh',
  'transfer cancel transfer cancel card.captured payer-pays payer-pays refresh void-payer',
  // Paid by the payment of another session.
  'transfer cancel close new-session payer-pays refresh wait pay-anyway',
  'transfer cancel close new-session payer-pays wait',
  // Given back by several.
  'card.captured refund-part refunds-a-part refund-part',
  'card.captured refund-part.refuses refunds-as-refused refresh refund-part',
  'card.captured refund-part.does-refused refund-part',
  'card.captured refund-part.does-refused refresh refund-part refresh',
  'card.captured refund-half.swallows refunds-a-part refresh refresh',
  'card.captured refund-half.never refunds-a-part refresh refresh',
  'card.captured refund-part.accepts refresh refresh carries-out refresh',
  'card.captured refund-part.accepts refresh refund-part',
  'card.captured refund-part.lost refresh again resolve-refund',
  'card.captured refund.dies wait refresh',
  'card.captured refund-part bounces refresh refund',
  'card.captured refund-part reverses-a-part refresh refund',
  'card.captured refund-twice refresh',
  'card.captured refund charges-back refresh',
  'card.captured refund-part charges-back refresh refund wins-dispute refresh',
  'card.captured charges-back refresh refund wins-dispute refresh',
  'card.captured void refund refresh',
  // A second person.
  'card.captured refund approve refresh',
  'card.captured refund approve-own approve again',
  'card.captured refund approve-twice refresh',
  'card.captured refund decline approve again',
  'card.captured refund approve-and-decline refresh',
  'card.captured refund next-refund.dies approve wait again approve',
  'card.captured refund next-refund.freezes-first approve-twice refresh',
  'card.captured refund next-refund.lost approve again refresh',
  'card.captured refund-part approve refund-part approve refund-part approve',
  'card.captured refund-half refund-half refund-half approve approve approve',
  'card.captured refund refunds-a-part approve refresh',
  'card.captured refund void approve refresh',
  'card.captured next-status.foreign refresh resolve-amount approve refresh',
  // A person's word.
  'card.captured next-status.foreign refresh resolve-amount refresh',
  'card.pending next-status.foreign refresh resolve refresh',
  'card.pending.slow resolve-hastily resolve-hastily',
  'card.captured next-status.foreign refresh void.slow resolve-hastily resolve-hastily',
  // A clock is set meanwhile.
  'card.never refresh sets-clock refresh refresh refresh',
  'transfer sets-clock refresh refresh',
  'card.captured.slow sets-clock refresh refresh refresh',
].map(readAll);

/** How orders begin. */
export function allBeginnings(): readonly (readonly Written[])[] {
  return beginnings;
}

/** Lets every order begin so from now on. */
export function beginAll(text: string): void {
  beginnings = [readAll(text)];
}

function readAll(text: string): Written[] {
  return text.split(' ').map(read);
}
