import type { Billing, CheckoutSession, Payer, Payment, RedirectAction, UssdBank } from './api.js';

/** What the service answers to a browser. Later versions may add members; ignore those that you do not know. */
export type * from './api.js';

/** A method that a payment can be started by. */
export type PaymentMethod = Exclude<Payment['method'], 'unknown'>;

/** Where a payment stands. */
export type PaymentStatus = Payment['status'];

/** What the session lists of each of its payments. */
export type PaymentSummary = Payment;

/**
 * A card as typed. It is encrypted before it leaves the page, and the kit never stores it. `fields.card.card` of the session
 * lists what your gateway takes of it; leave out the rest.
 */
export interface Card {
  /** Digits, with or without spaces. */
  number: string;
  /** `"01"` to `"12"`. */
  expiryMonth?: string;
  /** Four digits. */
  expiryYear?: string;
  /** 3 digits, 4 for American Express. */
  cvv?: string;
  /** 4 to 6 digits, for brands that `fields.card.pin` of the session lists; some gateways ask for it later. */
  pin?: string;
  nameOnCard?: string;
}

/** What a bank wants to know of the browser for 3-D Secure, in the values that it takes. */
export interface DeviceData {
  javaEnabled: boolean;
  /** BCP 47, at most 8 characters. */
  language: string;
  screenHeight: number;
  screenWidth: number;
  /** 1, 4, 8, 15, 16, 24, 32 or 48. */
  colorDepth: number;
  /** IANA name: `Africa/Lagos`. */
  timeZone: string;
  userAgent: string;
}

export interface CardPaymentRequest {
  card: Card;
  payer?: Payer;
  billing?: Billing;
  /** Default: `collectDeviceData()`. */
  device?: DeviceData;
}

export interface TillfrontOptions {
  /** The service's address: `https://pay.shop.example`. */
  baseUrl: string;
  /** The session's `clientToken`. */
  clientToken: string;
  /**
   * Called when a request got no answer and will be repeated (with its own key, so never as a second payment): tell the
   * payer to wait. `offline` says whether the browser knows of a network.
   */
  onRetry?: (retry: { attempt: number; offline: boolean }) => void;
}

export interface WaitOptions {
  /** Stops waiting: the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** After this the promise resolves with the payment as it last was. Default: no end. */
  timeoutMs?: number;
  /**
   * Waits on when the payment given already has a result, until it has another one: money may still come after `failed`,
   * `canceled` or `expired`. Default: resolves at once with the result.
   */
  late?: boolean;
  /** Called with the payment whenever it has changed. */
  onChange?: (payment: Payment) => void;
}

/** The client of one checkout session. Methods reject with `TillfrontError` and nothing else, but for an aborted wait. */
export interface Tillfront {
  /**
   * The service's time, in milliseconds since 1970, by its latest answer; undefined before the first. Reckon ends
   * (`expiresAt`) by this, since the payer's own clock may be wrong.
   */
  serviceTime(): number | undefined;
  /** The session with its payments' statuses. */
  session(): Promise<CheckoutSession>;
  /** One payment as it stands now. */
  payment(paymentId: string): Promise<Payment>;
  /** Encrypts the card and pays with it. */
  payByCard(request: CardPaymentRequest): Promise<Payment>;
  /** Begins a wallet payment; the answer's `nextAction` says where the payer must go. */
  payByWallet(request?: { payer?: Payer }): Promise<Payment>;
  /** Begins a bank transfer; the answer's `nextAction` holds the account. */
  payByTransfer(request?: { payer?: Payer }): Promise<Payment>;
  /** The banks whose customers can pay by USSD. */
  ussdBanks(): Promise<UssdBank[]>;
  /** Begins a USSD payment; the answer's `nextAction` holds the code to dial. */
  payByUssd(request: { bankCode: string; payer?: Payer } | string): Promise<Payment>;
  /** Sends the one-time code of a payment whose `nextAction` is `otp`. */
  submitOtp(payment: Payment | string, otp: string): Promise<Payment>;
  /** Encrypts the card's PIN and sends it, for a payment whose `nextAction` is `pin`. At most three are sent. */
  submitPin(payment: Payment | string, pin: string): Promise<Payment>;
  /** Cancels a payment that waits. The gateway is asked first, so the answer may be `succeeded`. */
  cancel(payment: Payment | string): Promise<Payment>;
  /**
   * Waits, through lost connections too, until there is news: the outcome, a next action other than the one in the
   * payment given (for an id: in the answer that this client gave last), or the attention `differs`.
   */
  waitFor(payment: Payment | string, options?: WaitOptions): Promise<Payment>;
}

/** `detail` of the event `tillfront-result`. */
export interface TillfrontResult {
  /** `succeeded` and `authorized` are good news. */
  status: Exclude<PaymentStatus, 'processing' | 'requires_action'>;
  payment: Payment;
}

/**
 * The element `<tillfront-checkout base-url="…" client-token="…">`. Further attributes: `locale` (one
 * language tag, or several in order; default: the page's language), `payment` (id of a payment whose outcome is to be shown first), `return-link` (offers the way
 * back to the session's `returnUrl`), `language-choice` (lets the payer choose the language), `framed` (in a frame of the service's origin, where no
 * script of the page reads a field), `return-token` (`crt_…`, what a payer comes back from the bank with: shows that payment's outcome where the
 * client token is not that of its session).
 */
export interface TillfrontCheckoutElement extends HTMLElement {
  baseUrl: string;
  clientToken: string;
}

export type CollectDeviceData = () => DeviceData;
export type CreateTillfront = (options: TillfrontOptions) => Tillfront;
/** Sends the payer to where a `redirect` action says, by GET or by a posted form. The page is left. */
export type FollowRedirect = (action: RedirectAction) => void;
