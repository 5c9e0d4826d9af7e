import { z } from 'zod';
import { isTimeZone, patternFault } from '../../calendar/date-pattern.js';
import { DECLINE_REASONS } from '../fact.js';
import { parsePointer } from './pointer.js';

/**
 * The form of a gateway profile, once: TypeScript's types, the strict check at the start, the JSON schema for editors and the tables of
 * the reference are made of it. What a form cannot say is in `check.ts`. `note` beside any key is dropped before.
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

/** A key for each name, optional, with its text for the reference. */
function each<K extends string, S extends z.ZodType>(names: readonly K[] | Record<K, string>, schema: S) {
  const texts = Array.isArray(names) ? names.map((name: K) => [name, '']) : Object.entries<string>(names);
  const keys = texts.map(([name, text]) => [name, schema.optional().describe(text ?? '')]);
  return Object.fromEntries(keys) as Record<K, z.ZodOptional<S>>;
}
/** Lists of words, each with the name that it stands for. No word can stand for two. */
function namesOf<K extends string>(names: readonly K[] | Record<K, string>) {
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

const say = <S extends z.ZodType>(text: string, schema: S) => schema.optional().describe(text);

const text = z.string();
const BAD_POINTER = 'is a bad pointer: write /data/status';
const pointer = text.transform((value, context) => {
  const steps = parsePointer(value);
  if (!steps) context.addIssue(BAD_POINTER);
  return steps ?? z.NEVER;
});
const pointers = z.union([pointer.transform((one) => [one]), z.array(pointer)], {
  error: 'must be a pointer or a list of pointers',
});
const scalar = z.union([text, z.number(), z.boolean()], { error: 'must be a text, number or boolean' });
const list = z.array(scalar);
const strings = z.array(text);
const currency = text.regex(/^[A-Z]{3}$/);
const whole = (least: number, most: number) => z.number().int().min(least).max(most);
/** Part of a body: whatever the gateway's own sample is. */
const sample = z.record(text, z.unknown());
const headers = z.record(text.regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/), text);
const keep = z.record(text.regex(/^[A-Za-z]\w{0,39}$/), pointer);
const hexOrBase64 = z.enum(['hex', 'base64']);

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

/** Where an answer has what. */
const PLACES = {
  status: 'Where deciding words are. The first one with a listed word decides.',
  error: 'A boolean: true refuses where no listed word decides.',
  message: 'Why, for people.',
  code: "The gateway's own code.",
  transactionRef: "The gateway's own name of the payment.",
  otpMessage: 'What the payer is asked for; by default `message`.',
  accountNumber: 'The account to pay into.',
  accountName: 'Its holder.',
  bankName: 'Its bank, or the bank of a USSD code.',
  expiresAt: 'When it ends: a time with its zone, or seconds or milliseconds since 1970.',
  ussdCode: 'The code to dial.',
  reference: 'Compared with `client_ref`; of a refund with `refundRef` too.',
  amount: "Compared with the payment's amount; of a refund with its own.",
  currency: "Compared with the payment's currency (ISO 4217, letters or digits).",
  paidAt: 'When it was paid.',
  refundedAmount: 'Of status answers: what was given back so far.',
  disputedAmount: 'Of status answers: what was charged back.',
  refundedAt: 'Of status answers: when money was last given back.',
} as const;
export type Place = keyof typeof PLACES;

const pointerText = text.refine((value) => parsePointer(value) !== undefined, BAD_POINTER);
const require = z.record(pointerText, list).transform((conditions) =>
  Object.entries(conditions).map(([at, values]) => ({
    pointer: parsePointer(at) ?? [],
    values: new Set(values.map(String)),
  })),
);

const fieldsOrPointer = z.union([
  pointer.transform((at) => ({ at })),
  z.record(text, text).transform((fields) => ({ fields })),
]);
const isSilent = (status: number): boolean => [401, 403, 429].includes(status);
const readStatus = z.int().refine((status) => !isSilent(status), {
  error: ({ input }) => `has ${String(input)}, which never says anything`,
});

export const answerSchema = z.strictObject({
  ...each(PLACES, pointers),
  words: say('Meaning → words, as text, ASCII case ignored.', namesOf(MEANINGS)),
  require: say('Pointer → values. All must be met, else the outcome is unknown.', require),
  redirectUrl: say('A pointer, or `https://gw.example/pay/{/session/id}`.', z.union([text, strings])),
  redirectFields: say('Fields of a form: name → pointer or text, or a pointer.', fieldsOrPointer),
  amountUnit: say('Unit of its amounts; `major` by default.', z.enum(['major', 'minor'])),
  amountOptional: say('`true`: a success is believed without the amount.', z.boolean()),
  readStatuses: say('HTTP statuses whose listed words count. Never on a start.', z.array(readStatus)),
});

const sampleOrText = z.union([sample, text]);
const nameOrNone = z.union([text, z.literal(false)]);
const address = text.regex(/^\//, 'must begin with a slash, below GATEWAY_BASE_URL');
const call = z.strictObject({
  get: say('The address below `GATEWAY_BASE_URL`, with its query. Values are percent-encoded.', address),
  post: say('The same, for a POST.', address),
  put: say('The same, for a PUT.', address),
  body: say("The gateway's own sample with `{words}`, sent as JSON in the order written.", sample),
  form: say('The same, sent as a form: `a[b]=…`.', sample),
  encrypt: say('An object or a text; gives `{ciphertext}`, `{iv}`, `{tag}`, `{sealed}`.', sampleOrText),
  credentials: say('Name of a set; `default` where there is one; `false`: none.', nameOrNone),
  headers: say('Further headers. One without a value is left out.', headers),
  keep: say('Name → pointer into its answer: texts up to 512 bytes, words of later calls.', keep),
  answer: say('Its keys replace the common ones; its `words` are looked up first.', answerSchema),
});
const operation = call.extend({ before: say('A call made first, which must move no money.', call) });
const banks = z
  .strictObject({ list: pointer, code: pointer, name: pointer })
  .describe('The list of banks, and of each.');

const sign = z.strictObject({
  scheme: z.enum(['hmac-sha256', 'hmac-sha512']),
  key: z.enum(['apiKey', 'accessToken']),
  over: text.describe('A text with `{method}`, `{path}` and `{body}` as they are sent.'),
  encoding: hexOrBase64.optional(),
});
const credentials = z.object({ sign: say('Makes `{signature}`.', sign) }).catchall(text);

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
  value: pointer.describe('Where the token is.'),
  expiresIn: z
    .union([z.number().positive(), pointer])
    .describe('Seconds, or a pointer to them or to a time.'),
});

const encryption = z.strictObject({
  scheme: z.enum(['3des-ecb', 'rsa-oaep-256', 'rsa-pkcs1', 'jwe', 'aes-256-cbc', 'aes-256-gcm']),
  encoding: say('`base64` by default.', z.enum(['base64', 'hex', 'base64url'])),
  ivBytes: say('12 by default; 16 with `aes-256-cbc`.', z.union([z.literal(12), z.literal(16)])),
  keyId: say('Of a JWE.', text),
});

const signature = z.strictObject({
  scheme: z.enum(['header-secret', 'hmac-sha256', 'hmac-sha512', 'hmac-sha3-512', 'sha512']),
  header: say('The header that carries it,', text),
  at: say('or the place in the notification.', pointer),
  over: say(
    'The raw body (default), a pointer, or a text: `{/pointer}`, `{/pointer?yes:no}`, `{secret}`.',
    text,
  ),
  encoding: say('`hex` by default.', hexOrBase64),
  prefix: say('What precedes the signature.', text),
});
const notification = z.strictObject({
  reference: say('Where it names `client_ref`.', pointers),
  transactionRef: say('Where it names a transaction. It counts among those that are known.', pointers),
  status: say('Where its words are; by default `answer.status`.', pointers),
  keep: say('As in a call.', keep),
  items: say('A list of notifications. Other pointers then begin in an entry.', pointer),
  signature: say('How it is signed with `NOTIFICATION_SECRET`.', signature),
  answer: say(
    'What the gateway is answered; texts with `{/pointer}`.',
    z.strictObject({ status: whole(200, 299).optional(), body: z.unknown().optional() }),
  ),
});

const COLUMNS = {
  reference: '`client_ref`',
  transactionRef: "the gateway's name of the payment",
  refundRef: '`refundRef`',
  type: 'its words are in `types`',
  amount: 'or `debit` and `credit`',
  debit: '',
  credit: '',
  fee: '',
  net: 'or `netDebit` and `netCredit`',
  netDebit: '',
  netCredit: '',
  payout: 'the name of the payout',
  currency: 'of the amount and the fee',
  netCurrency: 'of the net amount, where it is another',
  status: 'its words that count are in `settled`',
  settledAt: '',
  timeZone: 'of `settledAt`, IANA',
} as const;
export const ROW_TYPES = [
  'payment',
  'refund',
  'chargeback',
  'paymentReversal',
  'refundReversal',
  'chargebackReversal',
  'payout',
  'fee',
  'ignore',
] as const;

const pattern = text.refine((value) => patternFault(value) === undefined, {
  error: ({ input }) => patternFault(String(input)) ?? '',
});
const signs = z.enum(['positive', 'refundsNegative']);
const report = z.strictObject({
  columns: z.strictObject(each(COLUMNS, text.min(1))).describe('Columns by their headers.'),
  types: say('Type of a row → words of the column `type`.', z.strictObject(each(ROW_TYPES, strings))),
  settled: say('Words of the column `status` that count.', strings),
  currency: say('Where no column says it.', currency),
  sign: say('`positive` by default: the type says which way money goes.', signs),
  amountUnit: z.enum(['major', 'minor']).optional(),
  decimal: z.enum(['.', ',']).optional(),
  thousands: z.enum([',', '.', ' ', "'"]).optional(),
  dateFormat: say('A Unicode pattern such as `dd/MM/yyyy HH:mm`; ISO 8601 by default.', pattern),
  zone: say('`UTC` by default.', text.refine(isTimeZone, 'is no time zone (IANA) such as Africa/Lagos')),
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
  separator: say('Before the number of the attempt; `_` by default.', separator),
  maxLength: say('A session whose references would be longer is refused.', whole(1, 255)),
  prefix: say('Before every `client_ref`, for shops that share one gateway account.', prefix),
});

const confirmable = z.enum([...OPERATIONS, 'answer', 'notification']);
export const profileSchema = z.strictObject({
  $schema: say('Address of the JSON schema, for editors.', text),
  operations: z
    .strictObject({ ...each(CALLED, operation), listUssdBanks: call.extend({ banks }).optional() })
    .describe('What the gateway can do. What is absent is `not-supported`.'),
  answer: answerSchema.describe('How answers are read.'),
  credentials: say('Sets of headers by name.', z.record(text, credentials)),
  token: say('Makes `{token}`.', token),
  encryption: say('How `encrypt` encrypts. Its key is `GATEWAY_ENCRYPTION_KEY`.', encryption),
  reference: say('How `client_ref` is made.', reference),
  digits: say('Minor digits where they differ from ISO 4217.', z.record(currency, whole(0, 4))),
  pinWithCard: say('Card brands whose PIN is asked for with the card.', strings),
  declines: say('Reason → codes and messages, whole, in any case.', namesOf(DECLINE_REASONS)),
  notification: say('How notifications are read and verified.', notification),
  settlement: say('How settlement reports are read.', z.union([report, z.array(report)])),
  confirmed: say('What was checked against the gateway.', z.array(confirmable)),
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
