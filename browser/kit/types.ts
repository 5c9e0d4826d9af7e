import type {
  BillingDto,
  BrowserSessionDto,
  PayerDto,
  BrowserPaymentDto,
  ProblemFault,
  UssdBankDto,
} from '../generated/api.js';

/** One attempt to pay. Later versions may add members; ignore those that you do not know. */
export type Payment = BrowserPaymentDto;
/** The session as a browser may see it. */
export type CheckoutSession = BrowserSessionDto;
export type Payer = PayerDto;
export type Billing = BillingDto;
export type UssdBank = UssdBankDto;
export type Fault = ProblemFault;

/** What the payer must do next. Expect new types: treat one that you do not know as waiting. */
export type NextAction = NonNullable<Payment['nextAction']>;
/** Send the payer to another page, by GET or by posting `fields` to it. */
export type RedirectAction = Extract<NextAction, { type: 'redirect' }>;

/** A method that a payment can be started by. */
export type PaymentMethod = Exclude<Payment['method'], 'unknown'>;
export type PaymentStatus = Payment['status'];

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

/** Who pays, where the session does not say it. */
export interface PayerDetails {
  payer?: Payer;
  billing?: Billing;
}

export interface CardPaymentRequest extends PayerDetails {
  card: Card;
  /** Default: `collectDeviceData()`. */
  device?: DeviceData;
}

export interface UssdPaymentRequest extends PayerDetails {
  bankCode: string;
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
}

/** The client of one checkout session. Methods reject with `TillfrontError` and nothing else, but for an aborted wait. */
export interface Tillfront {
  /**
   * The service's time, in milliseconds since 1970, by its latest answer; undefined before the first. Use it for ends
   * (`expiresAt`), because the payer's own clock may be wrong.
   */
  serviceTime(): number | undefined;
  /** The session with its payments. */
  session(): Promise<CheckoutSession>;
  /** One payment as it is now. */
  payment(paymentId: string): Promise<Payment>;
  /** Encrypts the card and pays with it. */
  payByCard(request: CardPaymentRequest): Promise<Payment>;
  /** Begins a wallet payment; the answer's `nextAction` says where the payer must go. */
  payByWallet(request?: PayerDetails): Promise<Payment>;
  /** Begins a bank transfer; the answer's `nextAction` holds the account. */
  payByTransfer(request?: PayerDetails): Promise<Payment>;
  /** The banks whose customers can pay by USSD. */
  ussdBanks(): Promise<UssdBank[]>;
  /** Begins a USSD payment; the answer's `nextAction` holds the code to dial. */
  payByUssd(request: UssdPaymentRequest | string): Promise<Payment>;
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

/** How the element looks. What is left out is the merchant's, or our own. */
export interface Appearance {
  /** Buttons, the chosen method, the focus: a CSS colour. */
  accent?: string;
  /** Corners: a CSS length. */
  radius?: string;
  /** Of usual text: a CSS length. */
  fontSize?: string;
  /** Default: as the page's own `color-scheme`. */
  dark?: boolean;
}

/**
 * The element `<tillfront-checkout base-url="…" client-token="…">`: the whole checkout in a frame of the service's origin. Its
 * attribute `appearance` is written as JSON, or as `accent: #0b6b55; radius: 4px; font-size: 18px; dark: true`.
 */
export interface TillfrontCheckoutElement extends HTMLElement {
  baseUrl: string;
  clientToken: string;
  appearance: Appearance;
}

export type CollectDeviceData = () => DeviceData;
export type CreateTillfront = (options: TillfrontOptions) => Tillfront;
/** Sends the payer to where a `redirect` action says, by GET or by a posted form. The page is left. */
export type FollowRedirect = (action: RedirectAction) => void;
