import { z } from 'zod';
import { DECLINE_REASONS } from '../fact.js';
import { isTimeZone, patternFault } from './date-pattern.js';
import { parsePointer } from './pointer.js';

/**
 * The form of a gateway profile, once: TypeScript's types, the strict check at the start, the JSON schema for editors and the tables of
 * the reference are all made of it. What a form cannot say is in `check.ts`. `note` beside any key is dropped before.
 */

export const STARTS = ['payCard', 'initiateWallet', 'initiateTransfer', 'generateUssdCode'] as const;
export const OPERATIONS = [
  ...STARTS,
  'listUssdBanks',
  'validateOtp',
  'validatePin',
  'transactionStatus',
  'transferUssdStatus',
  'complete',
  'void',
  'refund',
  'refundStatus',
] as const;
export type OperationName = (typeof OPERATIONS)[number];

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,39}$/;

const text = z.string();
const pointer = z
  .string()
  .refine((value) => parsePointer(value) !== undefined, 'is a bad pointer: write /data/status (RFC 6901)');
const pointers = z.union([pointer, z.array(pointer)], { error: 'must be a pointer or a list of pointers' });
const scalar = z.union([z.string(), z.number(), z.boolean()], {
  error: 'must be a text, a number or a boolean',
});
const list = z.array(scalar);
/** Part of a body: whatever the gateway's own sample is. */
const sample = z.record(z.string(), z.unknown());
const headers = z.record(z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/), text);
const keep = z.record(z.string().regex(NAME), pointer);
const method = { get: text.optional(), post: text.optional(), put: text.optional() };

export const MEANINGS = {
  succeeded: 'paid; of a refund: done. Never believed of a wallet, transfer or USSD start',
  authorized: 'held',
  failed: 'not paid',
  expired: 'not paid, because its time is over',
  voided: 'not paid; the only word that confirms a void',
  processing: 'waiting',
  otp: 'waiting for a one-time code',
  pin: "waiting for the card's PIN",
  redirect: 'waiting for the payer at `redirectUrl`',
  unsupported: 'waiting for something that this service cannot ask for',
  refunded: 'of a payment: given back, `refundedAmount` of it; of a refund: done',
  partiallyRefunded: 'of a payment: `refundedAmount` was given back; of a refund: done',
  chargedBack: 'disputed, `disputedAmount` of it',
  disputeWon: 'the dispute is over, the money is back',
  unknownTransaction: 'never received',
  undecided: 'the gateway does not know either',
  referenceUsed: 'of a start: the gateway had the reference before, so the outcome is unknown',
} as const;
export type Meaning = keyof typeof MEANINGS;
export const MEANING_NAMES = Object.keys(MEANINGS) as Meaning[];

const words = z.strictObject(
  Object.fromEntries(MEANING_NAMES.map((name) => [name, list.optional().describe(MEANINGS[name])])) as Record<
    Meaning,
    z.ZodOptional<typeof list>
  >,
);

const answer = z.strictObject({
  status: pointers.optional().describe('Where deciding words are. The first one with a listed word decides.'),
  words: words.optional().describe('Meaning → words, as text, ASCII case ignored.'),
  error: pointers.optional().describe('A boolean: true refuses where no listed word decides.'),
  require: z
    .record(pointer, list)
    .optional()
    .describe('Pointer → values. All must be met, else the outcome is unknown.'),
  message: pointers.optional().describe('Why, for people.'),
  code: pointers.optional().describe("The gateway's own code."),
  transactionRef: pointers.optional().describe("The gateway's own name of the payment."),
  redirectUrl: z
    .union([pointer, z.string(), z.array(z.string())])
    .optional()
    .describe(
      'Where the payer is sent: a pointer, or an address such as `https://gw.example/pay/{/session/id}`.',
    ),
  redirectFields: z
    .union([pointer, z.record(z.string(), text)], {
      error: 'must be a pointer to an object, or field → text',
    })
    .optional()
    .describe(
      'Fields of the form that sends the payer there, by POST; a pointer to an object, or name → pointer or text.',
    ),
  otpMessage: pointers.optional().describe('What the payer is asked for; by default `message`.'),
  accountNumber: pointers.optional().describe('The account to pay into.'),
  accountName: pointers.optional().describe('Its holder.'),
  bankName: pointers.optional().describe('Its bank, or the bank of a USSD code.'),
  expiresAt: pointers
    .optional()
    .describe('When it ends: a time with its zone, or seconds or milliseconds since 1970.'),
  ussdCode: pointers.optional().describe('The code to dial.'),
  reference: pointers.optional().describe('Compared with `client_ref`; of a refund with `refundRef` too.'),
  amount: pointers.optional().describe("Compared with the payment's amount; of a refund with its own."),
  currency: pointers
    .optional()
    .describe("Compared with the payment's currency (ISO 4217, letters or digits)."),
  amountUnit: z
    .enum(['major', 'minor'])
    .optional()
    .describe('Unit of all amounts of the answer; `major` by default.'),
  amountOptional: z
    .boolean()
    .optional()
    .describe(
      '`true`: a success is believed without its amount. By default it is not where `amount` is given.',
    ),
  paidAt: pointers.optional().describe('When it was paid.'),
  refundedAmount: pointers.optional().describe('Of status answers: what was given back so far.'),
  disputedAmount: pointers.optional().describe('Of status answers: what was charged back.'),
  refundedAt: pointers.optional().describe('Of status answers: when money was last given back.'),
  readStatuses: z
    .array(z.number().int())
    .optional()
    .describe('HTTP statuses whose listed words count as in a 200. Never on a start.'),
});

const call = {
  get: text
    .optional()
    .describe('The address below `GATEWAY_BASE_URL`, with its query. Values are percent-encoded.'),
  post: text.optional().describe('The same, for a POST.'),
  put: text.optional().describe('The same, for a PUT.'),
  body: sample
    .optional()
    .describe("The gateway's own sample with `{words}`, sent as JSON in the order written."),
  form: sample.optional().describe('The same, sent as a form: `a[b]=…`.'),
  encrypt: z
    .union([sample, z.string()], { error: 'must be an object or a text' })
    .optional()
    .describe(
      'What is encrypted: an object (as JSON) or a text. Gives `{ciphertext}`, `{iv}`, `{tag}`, `{sealed}`.',
    ),
  credentials: z
    .union([z.string(), z.literal(false)], { error: 'must be the name of a set, or false' })
    .optional()
    .describe('Name of a set; `default` where there is one; `false`: none.'),
  headers: headers.optional().describe('Further headers. One without a value is left out.'),
  keep: keep
    .optional()
    .describe('Name → pointer into its answer: texts up to 512 bytes that later calls use as words.'),
  answer: answer.optional().describe('Its keys replace the common ones; its `words` are looked up first.'),
};
const preparation = z.strictObject(call);
const operation = z.strictObject({
  ...call,
  before: preparation.optional().describe('A call made first, which must move no money.'),
});
const bankList = z.strictObject({
  ...call,
  banks: z
    .strictObject({ list: pointer, code: pointer, name: pointer })
    .describe('Where the list of banks is, and each bank’s code and name in its entry.'),
});

const credentials = z
  .object({
    sign: z
      .strictObject({
        scheme: z.enum(['hmac-sha256', 'hmac-sha512']),
        key: z.enum(['apiKey', 'accessToken']),
        over: text.describe('A text with `{method}`, `{path}` and `{body}` as they are sent.'),
        encoding: z.enum(['hex', 'base64']).optional(),
      })
      .optional()
      .describe('Makes `{signature}`.'),
  })
  .catchall(text);

const token = z.strictObject({
  ...method,
  headers: headers.optional(),
  body: sample.optional(),
  form: sample.optional(),
  value: pointer.describe('Where the token is.'),
  expiresIn: z
    .union([z.number().positive(), pointer], { error: 'must be seconds, or a pointer to them or to a time' })
    .describe('Seconds, or a pointer to them or to a time.'),
});

const encryption = z.strictObject({
  scheme: z.enum(['3des-ecb', 'rsa-oaep-256', 'rsa-pkcs1', 'jwe', 'aes-256-cbc', 'aes-256-gcm']),
  encoding: z.enum(['base64', 'hex', 'base64url']).optional().describe('`base64` by default.'),
  ivBytes: z
    .union([z.literal(12), z.literal(16)])
    .optional()
    .describe('12 by default; 16 with `aes-256-cbc`.'),
  keyId: z.string().optional().describe('Of a JWE.'),
});

const notification = z.strictObject({
  reference: pointers.optional().describe('Where it names `client_ref`.'),
  transactionRef: pointers
    .optional()
    .describe('Where it names a transaction. It counts among those that are known.'),
  status: pointers.optional().describe('Where its words are; by default `answer.status`.'),
  keep: keep.optional().describe('As in a call.'),
  items: pointer.optional().describe('A list of notifications. Other pointers then begin in an entry.'),
  signature: z
    .strictObject({
      scheme: z.enum(['header-secret', 'hmac-sha256', 'hmac-sha512', 'hmac-sha3-512', 'sha512']),
      header: z.string().optional().describe('The header that carries it,'),
      at: pointer.optional().describe('or the place in the notification.'),
      over: z
        .string()
        .optional()
        .describe(
          'What is signed: the raw body (default), a pointer, or a text of `{/pointer}`, `{/pointer?yes:no}`, `{secret}`.',
        ),
      encoding: z.enum(['hex', 'base64']).optional().describe('`hex` by default.'),
      prefix: z.string().optional().describe('What precedes the signature.'),
    })
    .optional()
    .describe('How it is signed with `NOTIFICATION_SECRET`.'),
  answer: z
    .strictObject({ status: z.number().int().min(200).max(299).optional(), body: z.unknown().optional() })
    .optional()
    .describe('What the gateway is answered; texts with `{/pointer}`.'),
});

const column = z.string().min(1).optional();
const COLUMNS = [
  ...([
    'reference',
    'transactionRef',
    'refundRef',
    'type',
    'amount',
    'debit',
    'credit',
    'fee',
    'net',
  ] as const),
  ...([
    'netDebit',
    'netCredit',
    'payout',
    'currency',
    'netCurrency',
    'status',
    'settledAt',
    'timeZone',
  ] as const),
] as const;
export const ROW_TYPES = [
  ...([
    'payment',
    'refund',
    'chargeback',
    'paymentReversal',
    'refundReversal',
    'chargebackReversal',
  ] as const),
  ...(['payout', 'fee', 'ignore'] as const),
] as const;

const report = z.strictObject({
  columns: z
    .strictObject(
      Object.fromEntries(COLUMNS.map((name) => [name, column])) as Record<
        (typeof COLUMNS)[number],
        typeof column
      >,
    )
    .describe('Columns by their headers.'),
  types: z
    .strictObject(
      Object.fromEntries(ROW_TYPES.map((name) => [name, z.array(z.string()).optional()])) as Record<
        (typeof ROW_TYPES)[number],
        z.ZodOptional<z.ZodArray<z.ZodString>>
      >,
    )
    .optional()
    .describe('Type of a row → words of the column `type`.'),
  settled: z.array(z.string()).optional().describe('Words of the column `status` that count.'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional()
    .describe('Where no column says it.'),
  sign: z
    .enum(['positive', 'refundsNegative'])
    .optional()
    .describe('`positive` by default: the type says which way money goes.'),
  amountUnit: z.enum(['major', 'minor']).optional(),
  decimal: z.enum(['.', ',']).optional(),
  thousands: z.enum([',', '.', ' ', "'"]).optional(),
  dateFormat: z
    .string()
    .superRefine((value, context) => {
      const fault = patternFault(value);
      if (fault !== undefined) context.addIssue(fault);
    })
    .optional()
    .describe('A Unicode pattern such as `dd/MM/yyyy HH:mm`; ISO 8601 by default.'),
  zone: z
    .string()
    .refine(isTimeZone, 'is no time zone (IANA) such as Africa/Lagos')
    .optional()
    .describe('`UTC` by default.'),
  encoding: z.enum(['utf-8', 'utf-16le', 'windows-1252']).optional(),
  delimiter: z.enum([',', ';', '\t', '|']).optional(),
  skipLines: z.number().int().min(0).max(100).optional(),
});

export const profileSchema = z.strictObject({
  $schema: z.string().optional().describe('Address of the JSON schema, for editors.'),
  operations: z
    .strictObject({
      ...(Object.fromEntries(OPERATIONS.map((name) => [name, operation.optional()])) as Record<
        Exclude<OperationName, 'listUssdBanks'>,
        z.ZodOptional<typeof operation>
      >),
      listUssdBanks: bankList.optional(),
    })
    .describe('What the gateway can do. What is absent is `not-supported`.'),
  answer: answer.describe('How answers are read.'),
  credentials: z.record(z.string(), credentials).optional().describe('Sets of headers by name.'),
  token: token.optional().describe('Makes `{token}`.'),
  encryption: encryption
    .optional()
    .describe('How `encrypt` is encrypted. Its key is `GATEWAY_ENCRYPTION_KEY`.'),
  reference: z
    .strictObject({
      separator: z
        .string()
        .regex(
          /^[^\p{L}\p{Nd}\s"'`()[\]{}<>]{1,8}$/u,
          'must be 1 to 8 characters, no letter, digit, blank, quote or bracket',
        )
        .optional()
        .describe('Before the number of the attempt; `_` by default.'),
      maxLength: z
        .number()
        .int()
        .min(1)
        .optional()
        .describe('A session whose references would be longer is refused.'),
      prefix: z
        .string()
        .regex(/^[A-Za-z0-9.-]{1,16}$/, 'must be 1 to 16 letters, digits, dots or dashes')
        .optional()
        .describe('Before every `client_ref`, for shops that share one gateway account.'),
    })
    .optional()
    .describe('How `client_ref` is made.'),
  digits: z
    .record(z.string().regex(/^[A-Z]{3}$/), z.number().int().min(0).max(4))
    .optional()
    .describe('Minor digits where the gateway differs from ISO 4217.'),
  pinWithCard: z.array(z.string()).optional().describe('Card brands whose PIN is asked for with the card.'),
  declines: z
    .strictObject(
      Object.fromEntries(DECLINE_REASONS.map((name) => [name, list.optional()])) as Record<
        (typeof DECLINE_REASONS)[number],
        z.ZodOptional<typeof list>
      >,
    )
    .optional()
    .describe('Reason → codes and messages, whole, in any case. The code is looked up first.'),
  notification: notification.optional().describe('How notifications are read and verified.'),
  settlement: z
    .union([report, z.array(report)], { error: 'must be the shape of a report, or a list of them' })
    .optional()
    .describe('How settlement reports are read.'),
  confirmed: z
    .array(z.enum([...OPERATIONS, 'answer', 'notification']))
    .optional()
    .describe('What was checked against the gateway. Everything else is assumed.'),
});

export type Profile = z.infer<typeof profileSchema>;
export type AnswerProfile = z.infer<typeof answer>;
export type CallProfile = z.infer<typeof preparation>;
export type OperationProfile = z.infer<typeof operation>;
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
