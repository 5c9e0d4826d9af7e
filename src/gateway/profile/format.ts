import type { GatewayMeaning } from '../gateway-result.js';

/** The operations that the built-in profile has (seed 4.1 to 4.3). */
export const BUILT_IN_OPERATION_KEYS = [
  'payCard',
  'initiateWallet',
  'validateOtp',
  'initiateTransfer',
  'transferUssdStatus',
  'listUssdBanks',
  'generateUssdCode',
  'transactionStatus',
  'complete',
  'void',
] as const;

/** The operations that a gateway has only if its profile says so. */
export const OPTIONAL_OPERATION_KEYS = ['validatePin', 'refund', 'refundStatus'] as const;

/** The operations that the service calls at the gateway. */
export const OPERATION_KEYS = [...BUILT_IN_OPERATION_KEYS, ...OPTIONAL_OPERATION_KEYS] as const;
export type OperationKey = (typeof OPERATION_KEYS)[number];

/** Whether a name is that of an operation of this service. */
export function isOperationKey(key: string): key is OperationKey {
  return (OPERATION_KEYS as readonly string[]).includes(key);
}

/** The operations that begin a payment. Only their body decides what became of it, never an HTTP status beside it. */
export const INITIATING_OPERATIONS: ReadonlySet<string> = new Set<OperationKey>([
  'payCard',
  'initiateWallet',
  'initiateTransfer',
  'generateUssdCode',
]);

/** The meanings that a gateway's value can be mapped to. */
export const MEANING_NAMES = [
  'succeeded',
  'authorized',
  'failed',
  'expired',
  'voided',
  'refunded',
  'partiallyRefunded',
  'chargedBack',
  'disputeWon',
  'processing',
  'otp',
  'pin',
  'unsupported',
  'redirect',
  'unknownTransaction',
  'undecided',
] as const satisfies readonly GatewayMeaning[];
export type MeaningName = (typeof MEANING_NAMES)[number];

export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** `major`: `"1500.00"`; `minor`: `150000`; `minor-string`: `"150000"`; `major-number`: `1500.00`, a JSON number. */
export type RequestAmountUnit = 'major' | 'minor' | 'minor-string' | 'major-number';
/** How a body is written. `query`: a GET whose fields stand in its address. */
export type BodyEncoding = 'json' | 'json-sorted' | 'form' | 'query';
/** The unit of amounts in answers. `ignore` reads no amounts. */
export type AnswerAmountUnit = 'major' | 'minor' | 'ignore';

/** What an answer must show to be believed: one of the listed values, or a text that matches this pattern. */
export type RequireCondition =
  | { readonly pointer: string; readonly in: readonly (string | number | boolean)[] }
  | { readonly pointer: string; readonly matches: string };

/** The keys of `outcome` that hold pointers into an answer, tried in order. */
export const OUTCOME_POINTER_KEYS = [
  'error',
  'message',
  'code',
  'status',
  'transactionRef',
  'accountNumber',
  'accountName',
  'bankName',
  'expiresAt',
  'ussdCode',
  'otpMessage',
  'reference',
  'amount',
  'currency',
  'refundedAmount',
  'disputedAmount',
  'paidAt',
] as const;
export type OutcomePointerKey = (typeof OUTCOME_POINTER_KEYS)[number];

/** How answers are read. */
export type OutcomeProfile = Readonly<Record<OutcomePointerKey, readonly string[]>> & {
  /** Pointers, or a template of the address. */
  readonly redirectUrl: string | readonly string[];
  /** Pointers, or the method itself. */
  readonly redirectMethod: string | readonly string[];
  /** Pointers to an object of form fields, or each field with a pointer to its value. */
  readonly redirectFields: readonly string[] | Readonly<Record<string, string>>;
  /** HTTP statuses whose body's listed words count, on status queries and later calls. */
  readonly readStatuses?: readonly number[];
  readonly amountUnit: AnswerAmountUnit;
  readonly amountOptional: boolean;
  /** Whether a success of a payment that was charged back says that the dispute was won. */
  readonly successEndsDispute: boolean;
  readonly meanings: Readonly<Record<MeaningName, readonly string[]>>;
  readonly require: readonly RequireCondition[];
};

/** Overrides for one operation's answers. Missing parts come from the common outcome. */
export type OwnOutcomeProfile = Partial<Omit<OutcomeProfile, 'meanings'>> & {
  readonly meanings?: Partial<OutcomeProfile['meanings']>;
};

/** How one operation is requested. */
export interface OperationProfile {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** A template. What is filled in is percent-encoded. */
  readonly path: string;
  /** The name of a set of credentials; `true` stands for `default`, or for `x-api-key` and `access-token` without one. */
  readonly credentials: boolean | string;
  /** Templates by the name of their header. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Further fields that it sends. */
  readonly include?: readonly string[];
  /** Seed name → the gateway's name, or a pointer to a nested member. */
  readonly rename?: Readonly<Record<string, string>>;
  /** Names or pointers → constants, whose texts are templates; `{ value, when }` is sent only where the payment has that field. */
  readonly constants?: Readonly<Record<string, JsonValue>>;
  /** Seed names that are left out. */
  readonly omit?: readonly string[];
  /** `json` by default. */
  readonly encode?: BodyEncoding;
  /** Key of the operation in `extra` that is called first. */
  readonly before?: string;
  /** Names → pointers to values of its answer that later calls can use. */
  readonly keep?: Readonly<Record<string, string>>;
  readonly amountUnit?: RequestAmountUnit;
  readonly outcome?: OwnOutcomeProfile;
}

export const ENCRYPTION_SCHEMES = [
  'none',
  '3des-ecb',
  'aes-256-cbc',
  'aes-256-gcm',
  'rsa-oaep-256',
  'rsa-pkcs1',
  'rsa-wrapped-aes-256-gcm',
  'jwe',
  'gateway-endpoint',
] as const;
export type EncryptionSchemeName = (typeof ENCRYPTION_SCHEMES)[number];

export type Encoding = 'hex' | 'base64' | 'base64url';
export type SealedLayout = 'iv:ciphertext:tag' | 'iv+ciphertext+tag' | 'fields';

/** How request bodies are encrypted. */
export interface EncryptionProfile {
  readonly scheme: EncryptionSchemeName;
  /** The operations whose bodies are encrypted. */
  readonly operations: readonly string[];
  /** The whole body, or only these fields. */
  readonly scope: 'body' | readonly string[];
  /** A template in place of the JSON that is encrypted. `scope` then names the fields that leave the body. */
  readonly plaintext?: string;
  /** Name of, or pointer to, the field that carries the ciphertext. Each scheme has its own default. */
  readonly envelope?: string;
  readonly encoding?: Encoding;
  readonly ivBytes?: number;
  readonly layout?: SealedLayout;
  /** The `kid` of a JWE. */
  readonly keyId?: string;
  /** Constants that are sent next to the envelope. */
  readonly siblings?: Readonly<Record<string, JsonValue>>;
  /** Key of the operation that encrypts (`gateway-endpoint`). */
  readonly operation?: string;
}

export const SIGNATURE_SCHEMES = [
  'none',
  'header-secret',
  'hmac-sha256',
  'hmac-sha512',
  'hmac-sha3-512',
  'sha512',
] as const;
export type SignatureScheme = (typeof SIGNATURE_SCHEMES)[number];

/** How inbound notifications are read and checked. */
export interface NotificationProfile {
  /** Pointers into a JSON body, or field names of a form or a query. */
  readonly reference: readonly string[];
  readonly signature: {
    readonly scheme: SignatureScheme;
    /** Name of the header, in any case. */
    readonly header: string;
    readonly encoding: 'hex' | 'base64';
    /** Text in front of the signature, such as `sha256=`. */
    readonly prefix: string;
    /** Where the signature stands: `header`, or a pointer into the body. */
    readonly at?: string;
    /** What is signed: `body`, a pointer to a part of it, or a template of pointers and `{secret}`. */
    readonly over?: string;
  };
  /** `POST` by default. A `GET` brings its fields in the address. */
  readonly methods?: readonly ('POST' | 'GET')[];
  /** What the gateway is answered, where it wants more than a 200. Texts are templates of what came. */
  readonly answer?: { readonly status?: number; readonly body?: JsonValue };
  /** Names → pointers to values that later calls can use. */
  readonly keep?: Readonly<Record<string, string>>;
}

/** How a request is signed. The result is `{signature}` in the headers beside it. */
export interface SigningProfile {
  readonly scheme: 'hmac-sha256' | 'hmac-sha512';
  readonly key: 'apiKey' | 'accessToken';
  /** A template with `{method}`, `{path}` and `{body}`, each as it is sent. */
  readonly over: string;
  readonly encoding?: 'hex' | 'base64';
}

/** A set of headers that carry credentials: templates by name. Under `sign`, how `{signature}` is made. */
export type CredentialSetProfile = Readonly<Record<string, string | SigningProfile>>;

/** A token that is fetched and kept until it ends. */
export interface TokenProfile {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below the gateway's base address, or an absolute https address. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, JsonValue>>;
  readonly form?: Readonly<Record<string, string>>;
  /** A pointer to the token. */
  readonly value: string;
  /** A pointer to its life in seconds, or to the time of its end; or the seconds themselves. */
  readonly expiresIn: string | number;
}

/** What a row of a settlement report is about. */
export const SETTLEMENT_ROW_TYPES = ['payment', 'refund', 'chargeback', 'fee'] as const;
export type SettlementRowType = (typeof SETTLEMENT_ROW_TYPES)[number];

/** How the gateway's settlement report (CSV) is read. */
export interface SettlementProfile {
  /** The names of the columns in the header. A report may have others. */
  readonly columns: {
    /** The `client_ref` of the payment, on every row. */
    readonly reference: string;
    readonly transactionRef?: string;
    /** Without it, every row is a payment. */
    readonly type?: string;
    readonly amount: string;
    readonly fee?: string;
    /** Without it, amounts are in the currency of the payment that they are about. */
    readonly currency?: string;
    readonly status?: string;
    /** Without it, nobody can say which payments the report lacks. */
    readonly settledAt?: string;
  };
  /** Words of the column `type`, in any case. Rows with another word are skipped and counted. */
  readonly types: Readonly<Partial<Record<SettlementRowType, readonly string[]>>>;
  /** Words of the column `status`, in any case. Rows with another word are skipped and counted. */
  readonly statuses?: { readonly settled: readonly string[] };
  /** How many days the gateway takes to settle: a younger payment is not missing from a report. */
  readonly lagDays: number;
  /** `major`: `1500.00`; `minor`: `150000`. */
  readonly amountUnit: 'major' | 'minor';
  /** What separates the columns. */
  readonly delimiter: string;
  /** What separates the minor digits of an amount in major units. */
  readonly decimal: '.' | ',';
}

/** What `confirmed` may list besides operation keys. */
export const CONFIRMABLE_PARTS = ['outcome', 'encryption', 'notification', 'settlement'] as const;

/** Everything that may differ from one gateway to another. */
export interface Profile {
  /** By key, plus the encrypting one if `encryption.operation` names it. `null`: the gateway lacks it. */
  readonly operations: Readonly<Record<string, OperationProfile | null>>;
  /** Operations that are called before others, and move no money. */
  readonly extra: Readonly<Record<string, OperationProfile>>;
  /** Sets of credentials by name. */
  readonly credentials: Readonly<Record<string, CredentialSetProfile>>;
  readonly token?: TokenProfile;
  /** How `client_ref` is made of the merchant's reference and a number. */
  readonly reference: { readonly separator: string; readonly maxLength?: number };
  readonly card: {
    readonly expiryYear: 'YYYY' | 'YY';
    /** Seed names that are left out of the card call. */
    readonly omit: readonly string[];
    /** The colour depths that the gateway accepts. Any other depth is sent as the next lower one. */
    readonly colorDepths: readonly number[];
  };
  /** Pointers to the list in the answer, and to code and name in each entry. */
  readonly ussdBanks: { readonly list: string; readonly code: string; readonly name: string };
  readonly encryption: EncryptionProfile;
  readonly outcome: OutcomeProfile;
  readonly notification: NotificationProfile;
  /** `null`: the gateway has no report, and nothing can be compared. */
  readonly settlement: SettlementProfile | null;
  /** What has been confirmed with the gateway: operation keys, `outcome`, `encryption`, `notification`, `settlement`. */
  readonly confirmed: readonly string[];
}
