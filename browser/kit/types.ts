/** What the service answers to a browser. Later versions may add members; ignore those that you do not know. */

/** A way to pay. */
export type PaymentMethod = 'card' | 'wallet' | 'transfer' | 'ussd';

/**
 * Where a payment stands. `processing`: asked, or the outcome is not known yet. `requires_action`: waits for the payer.
 * `authorized`: the money is held. `succeeded`: paid. The others: not paid.
 */
export type PaymentStatus =
  | 'processing'
  | 'requires_action'
  | 'authorized'
  | 'succeeded'
  | 'failed'
  | 'canceled'
  | 'expired'
  | 'voided';

/** The payer must go to another page, by GET or by posting `fields`; see `followRedirect`. */
export interface RedirectAction {
  type: 'redirect';
  url: string;
  method: 'GET' | 'POST';
  fields?: Record<string, string>;
}

/** The payer must enter the one-time code that their bank sent. */
export interface OtpAction {
  type: 'otp';
  /** The bank's own words, in whatever language it speaks. */
  message?: string;
}

/** The payer must transfer exactly `amount` to this account. */
export interface TransferAction {
  type: 'transfer';
  bankName: string;
  accountNumber: string;
  accountName: string;
  /** Decimal, in major units. */
  amount: string;
  /** RFC 3339. After it the account takes no money. */
  expiresAt?: string;
}

/** The payer must dial this code on the phone that belongs to their bank account. */
export interface UssdAction {
  type: 'ussd';
  code: string;
  bankName?: string;
}

export type NextAction = RedirectAction | OtpAction | TransferAction | UssdAction;

/** Why a payment is not paid. */
export interface PaymentFailure {
  /** `declined`, `expired`, `canceled`, `resolved`, or a `gateway_…` code. */
  code: string;
  /** Fit to be shown to the payer. */
  message: string;
  gatewayCode?: string;
  /** Whether the same payment may work if it is tried again. */
  retryable: boolean;
}

/** One attempt to pay a session. */
export interface Payment {
  id: string;
  livemode: boolean;
  sessionId: string;
  reference: string;
  method: PaymentMethod;
  status: PaymentStatus;
  /** Decimal, in major units: `"1500.00"`. */
  amount: string;
  /** ISO 4217. */
  currency: string;
  nextAction: NextAction | null;
  failure: PaymentFailure | null;
  card: { brand: string | null; last4: string } | null;
  /** RFC 3339, UTC. */
  createdAt: string;
  updatedAt: string;
}

/** What the session lists of each of its payments. Ask for the whole with `payment(id)`. */
export interface PaymentSummary {
  id: string;
  status: PaymentStatus;
  method?: PaymentMethod;
  createdAt?: string;
}

/** What is owed, as the merchant's server said. */
export interface CheckoutSession {
  id: string;
  /** `false`: a test, no money moves. */
  livemode: boolean;
  status: 'open' | 'paid' | 'expired' | 'closed';
  reference: string;
  /** Decimal, in major units: `"1500.00"`. */
  amount: string;
  /** ISO 4217. */
  currency: string;
  /** Where to send the payer afterwards. */
  returnUrl?: string | null;
  methods: PaymentMethod[];
  /** RFC 3339, UTC. */
  expiresAt: string;
  createdAt?: string;
  /** Names of the payer and billing fields that the merchant's server gave already, so that nobody need ask for them. */
  provided?: { payer: string[]; billing: string[] };
  /** All attempts so far. */
  payments: PaymentSummary[];
}

/** A card as typed. It is encrypted before it leaves the page, and the kit never stores it. */
export interface Card {
  /** Digits, with or without spaces. */
  number: string;
  /** `"01"` to `"12"`. */
  expiryMonth: string;
  /** Four digits. */
  expiryYear: string;
  /** 3 digits, 4 for American Express. */
  cvv: string;
  /** 4 to 6 digits; some card types (Verve) need it. */
  pin?: string;
  nameOnCard: string;
}

/** Who pays. Needed only where the session does not bring it. */
export interface Payer {
  email?: string;
  /** International form: `+2348012345678`. */
  phone?: string;
  firstName?: string;
  lastName?: string;
}

/** The card's billing address. Needed only where the session does not bring it. */
export interface Billing {
  street?: string;
  city?: string;
  stateProvince?: string;
  postCode?: string;
  /** ISO 3166-1 alpha-3: `NGA`. */
  country?: string;
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

export interface UssdBank {
  code: string;
  name: string;
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
  /** Called with the payment whenever it has changed. */
  onChange?: (payment: Payment) => void;
}

/** The client of one checkout session. Methods reject with `TillfrontError` and nothing else, but for an aborted wait. */
export interface Tillfront {
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
  /** Cancels a payment that waits. The gateway is asked first, so the answer may be `succeeded`. */
  cancel(payment: Payment | string): Promise<Payment>;
  /**
   * Waits, through lost connections too, until there is news: the outcome, or a next action other than the one in the
   * payment given (for an id: in the answer that this client gave last).
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
 * language tag, or several in order; default: the page's language), `payment` (id of a payment whose outcome is to be shown first), `return-link` (offers the session's
 * `returnUrl` after the outcome).
 */
export interface TillfrontCheckoutElement extends HTMLElement {
  baseUrl: string;
  clientToken: string;
}

export type CollectDeviceData = () => DeviceData;
export type CreateTillfront = (options: TillfrontOptions) => Tillfront;
/** Sends the payer to where a `redirect` action says, by GET or by a posted form. The page is left. */
export type FollowRedirect = (action: RedirectAction) => void;
