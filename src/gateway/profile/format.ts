import type { GatewayMeaning } from '../gateway-result.js';

/** The operations that the service calls at the gateway (seed 4.1 to 4.3). */
export const OPERATION_KEYS = [
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
export type OperationKey = (typeof OPERATION_KEYS)[number];

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
  'processing',
  'otp',
  'redirect',
  'unknownTransaction',
  'undecided',
] as const satisfies readonly GatewayMeaning[];
export type MeaningName = (typeof MEANING_NAMES)[number];

export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** `major`: `"1500.00"`; `minor`: `150000`; `minor-string`: `"150000"`. */
export type RequestAmountUnit = 'major' | 'minor' | 'minor-string';
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
  'redirectUrl',
  'redirectMethod',
  'redirectFields',
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
] as const;
export type OutcomePointerKey = (typeof OUTCOME_POINTER_KEYS)[number];

/** How answers are read. */
export type OutcomeProfile = Readonly<Record<OutcomePointerKey, readonly string[]>> & {
  readonly amountUnit: AnswerAmountUnit;
  readonly amountOptional: boolean;
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
  /** `{client_ref}`, `{transactionRef}` and `{bankCode}` are filled in, percent-encoded. */
  readonly path: string;
  /** Whether `x-api-key` and `access-token` are sent. */
  readonly credentials: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Seed name → the gateway's name, or a pointer to a nested member. */
  readonly rename?: Readonly<Record<string, string>>;
  /** Names or pointers → constants. */
  readonly constants?: Readonly<Record<string, JsonValue>>;
  /** Seed names that are left out. */
  readonly omit?: readonly string[];
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

/** How inbound notifications are read and checked. */
export interface NotificationProfile {
  /** Pointers into a JSON body, or field names of a form. */
  readonly reference: readonly string[];
  readonly signature: {
    readonly scheme: 'none' | 'header-secret' | 'hmac-sha256' | 'hmac-sha512';
    /** Name of the header, in any case. */
    readonly header: string;
    readonly encoding: 'hex' | 'base64';
    /** Text in front of the signature in the header, such as `sha256=`. */
    readonly prefix: string;
  };
}

/** What `confirmed` may list besides operation keys. */
export const CONFIRMABLE_PARTS = ['outcome', 'encryption', 'notification'] as const;

/** Everything that may differ from one gateway to another. */
export interface Profile {
  /** The ten operations, plus the encrypting one if `encryption.operation` names it. */
  readonly operations: Readonly<Record<OperationKey, OperationProfile>> &
    Readonly<Record<string, OperationProfile>>;
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
  /** What has been confirmed with the gateway: operation keys, `outcome`, `encryption`, `notification`. */
  readonly confirmed: readonly string[];
}
