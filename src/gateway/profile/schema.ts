import { z } from 'zod';
import { isTimeZone, patternFault } from '../../calendar/date-pattern.js';
import { DECLINE_REASONS } from '../fact.js';
import { parsePointer } from './pointer.js';

/**
 * The form of a gateway profile, once: TypeScript's types, the strict check at the start and the JSON schema for editors are made of it.
 * docs/gateway-profile.md says what each key means, and what a form cannot say is in `check.ts`. `note` beside any key is dropped before.
 */

export const STARTS = ['payCard', 'initiateWallet', 'initiateTransfer', 'generateUssdCode'] as const;
export function isStart(name: string): boolean {
  return (STARTS as readonly string[]).includes(name);
}
const LATER = ['validateOtp', 'validatePin', 'complete', 'void', 'refund'] as const;
const QUERIES = ['transactionStatus', 'transferUssdStatus', 'refundStatus'] as const;
const CALLED = [...STARTS, ...LATER, ...QUERIES] as const;
export const OPERATIONS = [...CALLED, 'listUssdBanks'] as const;
export type OperationName = (typeof OPERATIONS)[number];

/** A key for each name, optional. */
function each<K extends string, S extends z.ZodType>(names: readonly K[], schema: S) {
  return Object.fromEntries(names.map((name) => [name, schema.optional()])) as Record<K, z.ZodOptional<S>>;
}
/** Lists of words, each with the name that it stands for. No word can stand for two. */
function namesOf<K extends string>(names: readonly K[]) {
  return z.strictObject(each(names, list)).transform((lists, context): ReadonlyMap<string, K> => {
    const found = new Map<string, K>();
    for (const [name, words] of Object.entries(lists) as [K, unknown[]][])
      for (const word of words.map((one) => foldCase(String(one).trim()))) {
        const other = found.get(word) ?? name;
        const message = `has "${word}", which is a word of ${other} too`;
        if (other !== name) context.addIssue({ code: 'custom', path: [name], message });
        found.set(word, name);
      }
    return found;
  });
}

/** ASCII letters in lower case only: Unicode would take `ſUCCESS` for a word that moves money. */
export function foldCase(word: string): string {
  return word.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

const text = z.string();
const BAD_POINTER = 'is a bad pointer: write /data/status';
const pointer = text.transform((value, context) => {
  const steps = parsePointer(value);
  if (!steps) context.addIssue(BAD_POINTER);
  return steps ?? z.NEVER;
});
const pointers = z.union([pointer.transform((one) => [one]), z.array(pointer)], {
  error: ({ input }) => (input === undefined ? 'is missing' : 'must be a pointer or a list of pointers'),
});
const scalar = z.union([text, z.number(), z.boolean()], { error: 'must be a text, number or boolean' });
const list = z.array(scalar);
const strings = z.array(text);
const currency = text.regex(/^[A-Z]{3}$/);
const whole = (least: number, most: number) => z.number().int().min(least).max(most);
/** Part of a body: whatever the gateway's own sample is. */
const sample = z.record(text, z.unknown());
const headers = z.record(text.regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/), text);
const keep = z.record(text.regex(/^[A-Za-z]\w{0,39}$/), pointers);
/** A text with words, or a pointer; a list of them. */
const texts = z.union([text, strings]);
const hexOrBase64 = z.enum(['hex', 'base64']);

export const MEANINGS = [
  ...(['succeeded', 'authorized', 'failed', 'expired', 'voided', 'processing', 'otp'] as const),
  ...(['pin', 'redirect', 'unsupported', 'refunded', 'partiallyRefunded', 'chargedBack'] as const),
  ...(['disputeWon', 'unknownTransaction', 'undecided', 'referenceUsed'] as const),
] as const;
export type Meaning = (typeof MEANINGS)[number];

/** Where an answer has what. */
const PLACES = [
  ...(['status', 'error', 'message', 'code', 'transactionRef', 'otpMessage'] as const),
  ...(['accountNumber', 'accountName', 'bankName', 'expiresAt', 'ussdCode', 'reference'] as const),
  ...(['amount', 'currency', 'paidAt', 'refundedAmount', 'disputedAmount', 'refundedAt'] as const),
] as const;
export type Place = (typeof PLACES)[number];

const pointerText = text.refine((value) => parsePointer(value) !== undefined, BAD_POINTER);
const require = z.record(pointerText, list).transform((conditions) =>
  Object.entries(conditions).map(([at, values]) => ({
    pointer: parsePointer(at) ?? [],
    values: new Set(values.map(String)),
  })),
);

const fieldsOrPointer = z.union([
  pointers.transform((at) => ({ at })),
  z.record(text, texts).transform((fields) => ({ fields })),
]);
const isSilent = (status: number): boolean => [401, 403, 429].includes(status);
const readStatus = z.int().refine((status) => !isSilent(status), {
  error: ({ input }) => `has ${String(input)}, which never says anything`,
});

export const answerSchema = z.strictObject({
  ...each(PLACES, pointers),
  words: namesOf(MEANINGS).optional(),
  require: require.optional(),
  redirectUrl: texts.optional(),
  redirectFields: fieldsOrPointer.optional(),
  amountUnit: z.enum(['major', 'minor']).optional(),
  amountOptional: z.boolean().optional(),
  readStatuses: z.array(readStatus).optional(),
});

const sampleOrText = z.union([sample, text]);
const nameOrNone = z.union([text, z.literal(false)]);
const address = text.regex(/^\//, 'must begin with a slash, below GATEWAY_BASE_URL');
const call = z.strictObject({
  get: address.optional(),
  post: address.optional(),
  put: address.optional(),
  body: sample.optional(),
  form: sample.optional(),
  encrypt: sampleOrText.optional(),
  credentials: nameOrNone.optional(),
  headers: headers.optional(),
  keep: keep.optional(),
  answer: answerSchema.optional(),
});
const operation = call.extend({ before: call.optional() });
const banks = z.strictObject({ list: pointers, code: pointers, name: pointers });

const sign = z.strictObject({
  scheme: z.enum(['hmac-sha256', 'hmac-sha512']),
  key: z.enum(['apiKey', 'accessToken']),
  over: text,
  encoding: hexOrBase64.optional(),
});
const credentials = z.object({ sign: sign.optional() }).catchall(text);

const tokenAddress = text
  .regex(/^(?:\/|https:\/\/[^/])/i, 'must begin with a slash, below GATEWAY_BASE_URL, or with https://')
  .optional();
const token = z.strictObject({
  get: tokenAddress,
  post: tokenAddress,
  put: tokenAddress,
  headers: headers.optional(),
  body: sample.optional(),
  form: sample.optional(),
  value: pointers,
  expiresIn: z.union([z.number().positive(), pointers]),
});

const encryption = z.strictObject({
  scheme: z.enum(['3des-ecb', 'rsa-oaep-256', 'rsa-pkcs1', 'jwe', 'aes-256-cbc', 'aes-256-gcm']),
  encoding: z.enum(['base64', 'hex', 'base64url']).optional(),
  ivBytes: z.union([z.literal(12), z.literal(16)]).optional(),
  keyId: text.optional(),
});

const signature = z.strictObject({
  scheme: z.enum(['header-secret', 'hmac-sha256', 'hmac-sha512', 'hmac-sha3-512', 'sha512']),
  header: text.optional(),
  at: pointers.optional(),
  over: texts.optional(),
  encoding: hexOrBase64.optional(),
  prefix: text.optional(),
});
const notification = z.strictObject({
  reference: pointers.optional(),
  transactionRef: pointers.optional(),
  status: pointers.optional(),
  keep: keep.optional(),
  items: pointers.optional(),
  signature: signature.optional(),
  answer: z.strictObject({ status: whole(200, 299).optional(), body: z.unknown().optional() }).optional(),
});

const COLUMNS = [
  ...(['reference', 'transactionRef', 'refundRef', 'type', 'amount', 'debit', 'credit'] as const),
  ...(['fee', 'net', 'netDebit', 'netCredit', 'payout', 'currency', 'netCurrency'] as const),
  ...(['status', 'settledAt', 'timeZone'] as const),
] as const;
export const ROW_TYPES = [
  ...(['payment', 'refund', 'chargeback', 'paymentReversal', 'refundReversal'] as const),
  ...(['chargebackReversal', 'payout', 'fee', 'ignore'] as const),
] as const;

const pattern = text.refine((value) => patternFault(value) === undefined, {
  error: ({ input }) => patternFault(String(input)) ?? '',
});
const signs = z.enum(['positive', 'refundsNegative']);
const report = z.strictObject({
  columns: z.strictObject(each(COLUMNS, text.min(1))),
  types: z.strictObject(each(ROW_TYPES, strings)).optional(),
  settled: strings.optional(),
  currency: currency.optional(),
  sign: signs.optional(),
  amountUnit: z.enum(['major', 'minor']).optional(),
  decimal: z.enum(['.', ',']).optional(),
  thousands: z.enum([',', '.', ' ', "'"]).optional(),
  dateFormat: pattern.optional(),
  zone: text.refine(isTimeZone, 'is no time zone (IANA) such as Africa/Lagos').optional(),
  encoding: z.enum(['utf-8', 'utf-16le', 'windows-1252']).optional(),
  delimiter: z.enum([',', ';', '\t', '|']).optional(),
  skipLines: whole(0, 100).optional(),
});

const separator = text.regex(
  /^[^\p{L}\p{Nd}\s"'`()[\]{}<>]{1,8}$/u,
  'must be 1 to 8 characters, no letter, digit, blank, quote or bracket',
);
const prefix = text.regex(/^[A-Za-z0-9.-]{1,16}$/);
const reference = z.strictObject({
  separator: separator.optional(),
  maxLength: whole(1, 255).optional(),
  prefix: prefix.optional(),
});

const confirmable = z.enum([...OPERATIONS, 'answer', 'notification']);
export const profileSchema = z.strictObject({
  $schema: text.optional(),
  operations: z.strictObject({
    ...each(CALLED, operation),
    listUssdBanks: call.extend({ banks }).optional(),
  }),
  answer: answerSchema,
  credentials: z.record(text, credentials).optional(),
  token: token.optional(),
  encryption: encryption.optional(),
  reference: reference.optional(),
  digits: z.record(currency, whole(0, 4)).optional(),
  pinWithCard: strings.optional(),
  declines: namesOf(DECLINE_REASONS).optional(),
  notification: notification.optional(),
  settlement: z.union([report, z.array(report)]).optional(),
  confirmed: z.array(confirmable).optional(),
});

export type Profile = z.infer<typeof profileSchema>;
export type AnswerProfile = z.infer<typeof answerSchema>;
export type CallProfile = z.infer<typeof operation>;
export type CredentialSet = z.infer<typeof credentials>;
export type TokenProfile = z.infer<typeof token>;
export type EncryptionProfile = z.infer<typeof encryption>;
export type NotificationProfile = z.infer<typeof notification>;
export type SettlementProfile = z.infer<typeof report>;

/** One or several, as the profile may write it. */
export function listOf<T>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
}
