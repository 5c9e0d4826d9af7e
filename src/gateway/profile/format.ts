import {
  integer,
  list,
  named,
  object,
  oneOf,
  optional,
  orNull,
  partOf,
  schema,
  shared,
  string,
  text,
  type Described,
  type ObjectOf,
  type Schema,
} from './schema.js';

/** The form of a profile: from it follow the types, the JSON schema of the file, and the tables of its documentation. */

/** The operations that the built-in profile has. */
const BUILT_IN_OPERATION_KEYS = [
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
const OPTIONAL_OPERATION_KEYS = ['validatePin', 'refund', 'refundStatus'] as const;

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

/** What `confirmed` may list besides operation keys. */
export const CONFIRMABLE_PARTS = ['outcome', 'encryption', 'notification', 'settlement'] as const;

export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

function json(description: string, maxProperties: number): Schema<Readonly<Record<string, JsonValue>>> {
  return { type: 'object', maxProperties, description };
}

const pointerForm = string({ maxLength: 200, description: 'A JSON pointer (RFC 6901).' });
const pointer = shared('pointer', pointerForm);

const pointersForm = list(pointer(), {
  maxItems: 20,
  description: 'JSON pointers, tried in order.',
});
const pointers = shared('pointers', pointersForm);

const wordsForm = list(text(200), { maxItems: 200 });
const words = shared('words', wordsForm);

const keepForm = named(pointer(), { maxProperties: 20, description: 'Names with JSON pointers.' });
const keep = shared('keep', keepForm);

/** What an answer must show to be believed: one of the listed values, or a text that matches this pattern. */
export type RequireCondition =
  | { readonly pointer: string; readonly in: readonly (string | number | boolean)[] }
  | { readonly pointer: string; readonly matches: string };

const conditionForm = schema<RequireCondition>(
  object(
    {
      pointer: pointer(),
      in: optional(
        schema<readonly (string | number | boolean)[]>({
          type: 'array',
          minItems: 1,
          maxItems: 100,
          items: { type: ['string', 'number', 'boolean'] },
          description: 'One of these, compared as text without regard to case.',
        }),
      ),
      matches: optional(text(500, 'A text that matches this ECMAScript regular expression.')),
    },
    {
      description: 'A value that an answer must have.',
      oneOf: [{ required: ['in'] }, { required: ['matches'] }],
    },
  ),
);
const condition = shared('condition', conditionForm);

const meanings = {
  succeeded: words('The money has moved.'),
  authorized: words('The money is held and waits for completion.'),
  failed: words('The payment was declined.'),
  expired: words('The payment was not made in time.'),
  voided: words('The payment was reversed.'),
  refunded: words('The money was given back: all of it, unless `refundedAmount` says how much.'),
  partiallyRefunded: words('A part of the money was given back: `refundedAmount` says how much.'),
  chargedBack: words("The payer's bank has taken the money back; the payment is disputed."),
  disputeWon: words('A dispute was won or withdrawn: the money that was charged back is there again.'),
  processing: words('Neither made nor refused yet.'),
  otp: words('The payer is asked for a one-time code.'),
  pin: words(
    "The payer is asked for the card's PIN; without an operation validatePin, the same as unsupported.",
  ),
  unsupported: words(
    'The payer is asked for something that this service cannot ask for: the payer cancels, or takes another way.',
  ),
  redirect: words('The payer must be sent to `redirectUrl`.'),
  unknownTransaction: words('The gateway does not know the payment.'),
  undecided: words('The gateway itself does not know yet.'),
  referenceUsed: words(
    'The reference was used for a payment before. Read only in the answer to a call that starts a payment, with HTTP 400, 409 and 422 too: the outcome is unknown, since that payment may have been paid.',
  ),
};
export type MeaningName = keyof typeof meanings;
/** The meanings that a gateway's value can be mapped to. */
export const MEANING_NAMES = Object.keys(meanings) as readonly MeaningName[];

const pointerMembers = {
  error: pointers(
    'Where the answer says whether it is an error. A value that is not a boolean makes the answer untrustworthy.',
  ),
  message: pointers('Human-readable reason.'),
  code: pointers("The gateway's own code."),
  status: pointers('The words that `meanings` maps. The first pointer with a listed value decides.'),
  transactionRef: pointers("The gateway's transaction reference, sent again in later operations."),
  accountNumber: pointers('Account to transfer to.'),
  accountName: pointers('Name of that account.'),
  bankName: pointers('Bank of that account.'),
  expiresAt: pointers(
    'When the payment can no longer be made: ISO 8601 with a zone, or seconds or milliseconds since 1970.',
  ),
  ussdCode: pointers('The code to dial.'),
  otpMessage: pointers('The message to a payer who is asked for a one-time code.'),
  reference: pointers("The payment's own reference as the gateway repeats it; compared if present."),
  amount: pointers('The amount of the payment; compared if present.'),
  currency: pointers('The currency of the payment, alphabetic or numeric (ISO 4217); compared if present.'),
  refundedAmount: pointers(
    'How much of the payment has been given back so far, in the unit of `amountUnit`.',
  ),
  disputedAmount: pointers(
    'How much of the payment was charged back, in the unit of `amountUnit`; without it, all that is left of the payment.',
  ),
  paidAt: pointers(
    'When the payment was paid: ISO 8601, UTC where it has no zone, or Unix seconds or milliseconds. A time in the future or more than 60 days before the payment is not believed.',
  ),
  refundedAt: pointers('When money was given back, as the last of it was: read like `paidAt`.'),
};
export type OutcomePointerKey = keyof typeof pointerMembers;
/** The members of `outcome` that hold pointers into an answer, tried in order. */
export const OUTCOME_POINTER_KEYS = Object.keys(pointerMembers) as readonly OutcomePointerKey[];

/** The statuses of HTTP that do not say by themselves what became of a call. */
const READABLE_STATUSES = [
  ...[
    400, 402, 404, 405, 406, 408, 409, 410, 412, 415, 418, 422, 423, 424, 425, 428, 500, 501, 502, 503, 504,
  ],
] as const;

/** Pointers to a value, or the value itself. */
const pointersOr = {
  type: ['array', 'string'],
  maxItems: 20,
  minLength: 1,
  items: string({ maxLength: 500 }),
};

const outcomeForm = partOf({
  ...pointerMembers,
  redirectUrl: schema<string | readonly string[]>({
    ...pointersOr,
    maxLength: 500,
    description:
      'Where to send the payer: pointers, or a template such as https://gw.example/checkout/{/session/id}, whose values are percent-encoded.',
  }),
  redirectMethod: schema<string | readonly string[]>({
    ...pointersOr,
    maxLength: 200,
    description: 'GET or POST: pointers to it, or the method itself; GET if the answer does not say.',
  }),
  redirectFields: schema<readonly string[] | Readonly<Record<string, string>>>({
    type: ['array', 'object'],
    maxItems: 20,
    maxProperties: 50,
    items: string({ maxLength: 500 }),
    additionalProperties: text(500),
    description:
      'The form fields of a POST: pointers to an object of them, or each field with its own pointer or template.',
  }),
  amountUnit: oneOf(['major', 'minor', 'ignore'], 'Unit of amounts in answers; `ignore` reads none.'),
  amountOptional: schema<boolean>({
    type: 'boolean',
    description: 'Whether a success without an amount is believed.',
  }),
  successEndsDispute: schema<boolean>({
    type: 'boolean',
    description:
      'Whether a success of a payment that was charged back says that the dispute was won. Otherwise a person must look.',
  }),
  meanings: partOf(meanings, {
    description:
      "The gateway's values, by their meaning, compared as text without regard to case. A list replaces the built-in one of its name.",
  }),
  require: list(condition(), {
    maxItems: 20,
    description:
      'What an answer must contain to be believed. If anything is missing, its outcome is unknown.',
  }),
  readStatuses: optional(
    list(oneOf(READABLE_STATUSES), {
      maxItems: 20,
      uniqueItems: true,
      description:
        'HTTP statuses with which the listed words in the body count as they would in a 200, on status queries and later calls. Never on a call that starts a payment.',
    }),
  ),
});
/** How answers are read. */
export type OutcomeProfile = Described<typeof outcomeForm>;
export type AnswerAmountUnit = OutcomeProfile['amountUnit'];

/** Overrides for one operation's answers. Missing parts come from the common outcome. */
export type OwnOutcomeProfile = Partial<Omit<OutcomeProfile, 'meanings'>> & {
  readonly meanings?: Partial<OutcomeProfile['meanings']>;
};
const outcome = <T = OutcomeProfile>(description: string) =>
  schema<T>({ $ref: '#/$defs/outcome', description });

const reasons = {
  insufficientFunds: words('The account does not have the money.'),
  wrongCode: words('The security code or the one-time code was wrong.'),
  wrongPin: words('The PIN was wrong.'),
  expiredCard: words('The card has expired.'),
  cardBlocked: words('The card is blocked, lost or stolen, or the PIN was wrong too often.'),
  limitExceeded: words('The payment is above a limit of the card or account.'),
  notPermitted: words('The bank does not allow such a payment with this card.'),
  authenticationFailed: words('The payer did not prove who they are, for example by 3-D Secure.'),
  askBank: words('The bank says no more: the payer must ask it.'),
  tryAgain: words('The same may succeed a little later.'),
};
/** Why a bank declines a payment, in this service's words. */
export type DeclineReason = keyof typeof reasons;
export const DECLINE_REASONS = Object.keys(reasons) as readonly DeclineReason[];

/** Whether a word is one of a decline's reasons. */
export function isDeclineReason(word: string | undefined): word is DeclineReason {
  return (DECLINE_REASONS as readonly (string | undefined)[]).includes(word);
}

const declinesForm = partOf(reasons, {
  description:
    "The gateway's codes and messages of declines, by the reason that they stand for. Each is compared as a whole and in any case, the code first. A list replaces the built-in one of its name.",
});
/** The gateway's words for each reason of a decline. */
export type DeclinesProfile = Described<typeof declinesForm>;

const METHODS = ['GET', 'POST', 'PUT'] as const;
const AMOUNT_UNITS = ['major', 'minor', 'minor-string', 'major-number'] as const;
export type RequestAmountUnit = (typeof AMOUNT_UNITS)[number];

const headers = (description: string) =>
  named(string({ maxLength: 1000 }), { maxProperties: 50, description });

const emptyAs = (description: string) => schema<''>({ const: '', description });

/** What operations and the calls before them have in common. */
const callMembers = {
  method: oneOf(METHODS, 'A GET has no body.'),
  path: text(
    500,
    "A template below the gateway's base address, with a leading slash. Values are percent-encoded; a call that lacks a part of its path is not made. Card secrets are not allowed here.",
  ),
  credentials: schema<boolean | string>({
    type: ['boolean', 'string'],
    maxLength: 100,
    description:
      'The name of a set of `credentials`; true: the set `default`, or x-api-key and access-token where there is no such set; false: none.',
  }),
  headers: optional(
    headers(
      'Additional headers: templates. Anything that looks like a credential is refused, because it belongs in a set of `credentials`. A header whose template yields nothing is left out.',
    ),
  ),
  rename: optional(
    named(text(200), {
      maxProperties: 100,
      description:
        "From the built-in name to the gateway's name; a value that begins with / is a JSON pointer and nests. Indices from 0 without a gap make a list.",
    }),
  ),
  constants: optional(
    json(
      'Names or JSON pointers with constants to add. Texts are templates. { "value": …, "when": field } is sent only if the payment has that field. A constant with the name of a field replaces it.',
      100,
    ),
  ),
  amountUnit: optional(
    oneOf(
      AMOUNT_UNITS,
      'How amounts are written: "1500.00", 150000, "150000", or 1500.00 as a JSON number with all its minor digits.',
    ),
  ),
  outcome: optional(
    outcome<OwnOutcomeProfile>(
      "How this operation's answers are read. Replaces the operation's built-in outcome; what it lacks comes from the common outcome.",
    ),
  ),
  include: optional(
    list(text(200), {
      uniqueItems: true,
      maxItems: 50,
      description:
        'Additional fields of the payment, words of templates or kept values that this operation sends, by their names; rename moves them.',
    }),
  ),
  emptyAs: optional(
    emptyAs(
      'An empty text: what is sent for a state or postal code that the payer was not asked for, because the country does not require one. Without it such a field is left out.',
    ),
  ),
  encode: optional(
    oneOf(
      ['json', 'json-sorted', 'form', 'query'],
      'How the body is written: JSON (the default), JSON with its members in order and no spaces, a form, or, for a GET, the query of its address: rename, constants, include and omit apply to a GET with query only.',
    ),
  ),
  keep: optional(
    keep(
      'Values of its answer that later calls can use, as {name} in templates and by name in include and rename. Texts of at most 512 bytes; if several have the same name, the newest counts. They are never shown.',
    ),
  ),
};

const operationForm = partOf({
  ...callMembers,
  omit: optional(
    list(string(), {
      uniqueItems: true,
      maxItems: 100,
      description: 'Built-in names to leave out.',
    }),
  ),
  before: optional(
    text(
      100,
      'The name of a call in `extra` that is made first. It succeeds with a 2xx if its `require` is met and everything that it keeps is found. It must move no money: if it does not succeed, nothing was charged, and the payment fails as gateway_unavailable or gateway_rejected.',
    ),
  ),
});
/** How one operation is requested. */
export type OperationProfile = Described<typeof operationForm>;
export type BodyEncoding = NonNullable<OperationProfile['encode']>;
const operationOrNull = orNull(operationForm);
const operation = shared('operation', operationOrNull);
const extraForm = partOf(callMembers);

const KEYS: Readonly<Record<OperationKey, string>> = {
  payCard: 'Pay with card.',
  initiateWallet: 'Initiate a payment with the partner wallet.',
  validateOtp: "Validate the payer's one-time code.",
  initiateTransfer: 'Initiate a payment by bank transfer.',
  transferUssdStatus: 'Ask about a transfer or USSD payment.',
  listUssdBanks: 'List the banks that accept USSD payments.',
  generateUssdCode: 'Create a USSD code to dial.',
  transactionStatus: 'Ask about a card or wallet payment.',
  complete: 'Take the money of an authorized payment.',
  void: 'Reverse an authorized or paid payment.',
  validatePin:
    'Submit the card PIN that the gateway asked for; makes the meaning pin a next action. None by default. Sends client_ref, transactionRef and pin.',
  refund:
    'Give back all or part of a paid payment; makes refunds possible. None by default. Sends client_ref, transactionRef, refundRef, amount and currency.',
  refundStatus: 'Ask about one refund. None by default. Sends client_ref, transactionRef and refundRef.',
};

const signForm = object(
  {
    scheme: oneOf(['hmac-sha256', 'hmac-sha512'], 'The HMAC.'),
    key: oneOf(['apiKey', 'accessToken'], 'Which credential is its key.'),
    over: text(
      1000,
      'What is signed: a template with {method}, {path} (with its query) and {body}, each as it is sent, and the words of credentials.',
    ),
    encoding: optional(oneOf(['hex', 'base64'], 'How it is written; hex by default.')),
  },
  {
    description:
      'How {signature} is made of the request as it is sent (a text here is a header of that name).',
  },
);
/** How a request is signed. The result is `{signature}` in the headers beside it. */
export type SigningProfile = Described<typeof signForm>;
/** A set of headers that carry credentials: templates by name. Under `sign`, how `{signature}` is made. */
export type CredentialSetProfile = Readonly<Record<string, string | SigningProfile>>;
const credentialSetForm = schema<CredentialSetProfile>({
  type: 'object',
  minProperties: 1,
  maxProperties: 30,
  description: 'Templates, by the name of their header; sign says how {signature} is made.',
  properties: { sign: { ...signForm, type: ['string', 'object'], maxLength: 1000 } },
  additionalProperties: string({ maxLength: 1000 }),
});
const credentialSet = shared('credentialSet', credentialSetForm);

const tokenForm = object(
  {
    method: oneOf(METHODS, 'How it is requested.'),
    path: text(500, "Below the gateway's base address with a leading slash, or an absolute https address."),
    headers: optional(
      headers('Headers: templates with the words of credentials, such as `{basic:apiKey:accessToken}`.'),
    ),
    body: optional(json('A JSON body whose texts are templates with the words of credentials.', 50)),
    form: optional(headers('The same as a form, instead of `body`.')),
    value: pointer('Where the answer has the token.'),
    expiresIn: schema<string | number>({
      type: ['string', 'number'],
      minLength: 1,
      maxLength: 200,
      minimum: 1,
      maximum: 2592000,
      description:
        'Where the answer has its lifetime in seconds, or the time of its end (ISO 8601 with a zone); or the seconds themselves.',
    }),
  },
  {
    description:
      'A token that is fetched with the credentials and kept until it ends: {token} in a set of credentials. It is fetched once for all calls of the process, renewed before it ends, and thrown away after a 401. If a new token of your gateway ends the old one, run one replica.',
  },
);
/** A token that is fetched and kept until it ends. */
export type TokenProfile = Described<typeof tokenForm>;

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

const encryptionForm = partOf(
  {
    scheme: oneOf(ENCRYPTION_SCHEMES, 'See docs/gateway-profile.md.'),
    operations: list(string(), {
      uniqueItems: true,
      minItems: 1,
      maxItems: 40,
      description: 'The operations whose bodies are encrypted.',
    }),
    scope: schema<'body' | readonly string[]>({
      description: "The whole body, or the fields to encrypt, by their built-in names or the gateway's.",
      oneOf: [
        { const: 'body' },
        {
          type: 'array',
          minItems: 1,
          maxItems: 100,
          uniqueItems: true,
          items: string({ minLength: 1 }),
        },
      ],
    }),
    envelope: optional(text(200, 'Name (or JSON pointer) of the field with the ciphertext.')),
    encoding: optional(oneOf(['hex', 'base64', 'base64url'], 'How bytes are written.')),
    ivBytes: optional(oneOf([12, 16], 'Length of the initialization vector.')),
    layout: optional(
      oneOf(
        ['iv:ciphertext:tag', 'iv+ciphertext+tag', 'fields'],
        'Three texts joined by colons, one text of all bytes in a row, or one field for each.',
      ),
    ),
    keyId: optional(text(200, 'kid of a JWE.')),
    siblings: optional(json('Constants beside the envelope.', 50)),
    operation: optional(
      string({ minLength: 1, description: 'Key of the operation that encrypts (gateway-endpoint).' }),
    ),
    plaintext: optional(
      text(
        2000,
        'A template to encrypt instead of the JSON, such as 1Z{cardNumber}Z{card_pin}Z{expiryYY}{expiryMonth}Z{cvv}. scope then names the fields that leave the body.',
      ),
    ),
  },
  {
    description: 'How request bodies are encrypted. The key goes to GATEWAY_ENCRYPTION_KEY, never here.',
  },
);
/** How request bodies are encrypted. */
export type EncryptionProfile = Described<typeof encryptionForm>;
export type Encoding = NonNullable<EncryptionProfile['encoding']>;
export type SealedLayout = NonNullable<EncryptionProfile['layout']>;

const signatureForm = partOf(
  {
    scheme: oneOf(
      ['none', 'header-secret', 'hmac-sha256', 'hmac-sha512', 'hmac-sha3-512', 'sha512'],
      'The secret itself, an HMAC, or a plain SHA-512 over a text that contains the secret.',
    ),
    header: string({
      pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
      maxLength: 100,
      description: 'Name of the header.',
    }),
    encoding: oneOf(['hex', 'base64'], 'How an HMAC or a hash is written.'),
    prefix: string({ maxLength: 50, description: 'Text before it, such as sha256=.' }),
    at: optional(text(200, 'Where it is: header (the default), or a pointer into the body.')),
    over: optional(
      text(
        2000,
        'What is signed: body (the default), a pointer to a member (its text as received), or a template of pointers and {secret}.',
      ),
    ),
  },
  { description: 'How a notification proves its origin. Its key is NOTIFICATION_SECRET.' },
);
export type SignatureScheme = Described<typeof signatureForm>['scheme'];

const notificationForm = partOf(
  {
    reference: list(text(200), {
      minItems: 1,
      maxItems: 20,
      description:
        "Where a notification has the payment's reference: JSON pointers into a JSON body, or field names of a form or a query.",
    }),
    status: optional(
      list(text(200), {
        maxItems: 20,
        description:
          "Where a notification has the payment's status, if not where `outcome.status` says: pointers or field names. One that cannot be read is asked about five times.",
      }),
    ),
    signature: signatureForm,
    methods: optional(
      list(oneOf(['POST', 'GET']), {
        minItems: 1,
        uniqueItems: true,
        description: 'The method of notifications: POST by default; a GET has its fields in the address.',
      }),
    ),
    answer: optional(
      object(
        {
          status: optional(
            integer({ minimum: 200, maximum: 299, description: 'The HTTP status; 200 by default.' }),
          ),
          body: optional(
            schema<JsonValue>({
              description:
                'JSON, or plain text. Texts are templates with values of the notification: {/OrderTrackingId}.',
            }),
          ),
        },
        { description: 'The answer to the gateway, if it wants more than a 200.' },
      ),
    ),
    keep: optional(keep("Values of a notification that later calls can use, like an operation's keep.")),
  },
  { description: "How the gateway's notifications are read and checked." },
);
/** How inbound notifications are read and checked. */
export type NotificationProfile = Described<typeof notificationForm>;

const listed = (description: string, options: { minItems?: number } = {}) =>
  list(text(100), { maxItems: 50, uniqueItems: true, description, ...options });

const rowTypes = {
  payment: optional(listed('A payment.')),
  refund: optional(listed('Money that was given back to a payer.')),
  chargeback: optional(listed("Money that a payer's bank took back.")),
  paymentReversal: optional(listed('A payment that was reversed.')),
  refundReversal: optional(listed('A refund that came back.')),
  chargebackReversal: optional(listed('A chargeback that came back.')),
  payout: optional(
    listed(
      "A payout to the merchant's bank. Where the report writes signs, either one may mean that you were paid: the net of its rows tells.",
    ),
  ),
  fee: optional(listed('A fee by itself. It counts in the totals alone.')),
  ignore: optional(listed('Rows that do not count.')),
};
/** What a row of a settlement report is about. */
export type SettlementRowType = keyof typeof rowTypes;
export const SETTLEMENT_ROW_TYPES = Object.keys(rowTypes) as readonly SettlementRowType[];

const amountPattern = '^[0-9]{1,12}([.][0-9]{1,4})?$';
const feeForm = object(
  {
    currency: string({
      pattern: '^[A-Z]{3}$',
      $comment: 'an ISO 4217 code in capitals',
      description: 'ISO 4217.',
    }),
    method: optional(
      oneOf(['card', 'wallet', 'transfer', 'ussd'], 'Only payments by this method. Without it all.'),
    ),
    brand: optional(text(40, 'Only cards of this brand, in any case. Without it all.')),
    percent: string({
      pattern: '^[0-9]{1,2}([.][0-9]{1,4})?$',
      $comment: 'a number such as 1.5',
      description: 'Of the amount: "1.5".',
    }),
    fixed: string({
      pattern: amountPattern,
      $comment: 'an amount such as 100.00',
      description: 'Added to it, in major units: "100.00".',
    }),
    cap: optional(
      string({
        pattern: amountPattern,
        $comment: 'an amount such as 2000.00',
        description: 'The most that both come to.',
      }),
    ),
    tolerance: optional(
      string({
        pattern: amountPattern,
        $comment: 'an amount such as 0.01',
        description: 'By how much a fee may differ, by default nothing.',
      }),
    ),
  },
  { description: 'A fee that is expected.' },
);
/** A fee that is expected of payments of one kind. */
export type ExpectedFee = Described<typeof feeForm>;

const column = (description: string) => optional(text(100, description));

const settlementShapeForm = partOf(
  {
    columns: object(
      {
        reference: text(100, 'The client_ref of the payment, on every row about a payment.'),
        transactionRef: column("The gateway's own name for the transaction."),
        refundRef: column('The name of a refund: our refundRef, or its own name at the gateway.'),
        type: column(
          'What the row is about. Without it a row is a payment, or a refund if it takes money away.',
        ),
        amount: column('The amount. A report has this column, or debit and credit.'),
        debit: column('The amount of rows that take money away.'),
        credit: column('The amount of rows that bring money.'),
        fee: column('What the gateway keeps of the row. Where the row has its net, what that lacks counts.'),
        net: column('What you get of the row, below zero if it takes money away.'),
        netDebit: column('In place of net: what is taken from you. Needs netCredit.'),
        netCredit: column('In place of net: what you get. Needs netDebit.'),
        payout: column("The gateway's name of the payout that the row is part of."),
        currency: column("ISO 4217. Without it amounts are in the payment's currency."),
        status: column('Whether the row counts.'),
        settledAt: column('When it was settled: a date or a time, as dateFormat says.'),
        timeZone: column(
          'The time zone of settledAt in this row: an IANA name, an offset, or an abbreviation such as CET.',
        ),
      },
      {
        description: "The names of the columns in the report's header. Yours replace all the built-in ones.",
      },
    ),
    types: object(rowTypes, {
      description: 'Words of the column type, in any case. Rows with another word are set aside.',
    }),
    statuses: optional(
      object(
        { settled: listed('Rows that count, in any case. Others are skipped and counted.', { minItems: 1 }) },
        { description: 'Words of the column status.' },
      ),
    ),
    sign: oneOf(
      ['positive', 'refundsNegative'],
      'positive, the default: no amount has a sign. refundsNegative: amounts that take money away are below zero.',
    ),
    amountUnit: oneOf(['major', 'minor'], '1500.00 or 150000; by default major.'),
    decimal: oneOf(['.', ','], "The character before an amount's minor digits, by default a point."),
    thousands: optional(
      oneOf(
        [',', '.', ' ', "'"],
        'The character between groups of digits: 1,500.00. By default there is none.',
      ),
    ),
    dateFormat: optional(
      text(
        60,
        'The form of settledAt as a Unicode pattern: dd/MM/yyyy HH:mm. By default iso: a date or a time (ISO 8601).',
      ),
    ),
    zone: optional(text(60, 'The time zone (IANA) of times that name none, and of days; by default UTC.')),
    encoding: oneOf(['utf-8', 'utf-16le', 'windows-1252'], 'How characters are written, by default utf-8.'),
    delimiter: oneOf([',', ';', '\t', '|'], 'The character between the columns, by default a comma.'),
    skipLines: integer({
      minimum: 0,
      maximum: 100,
      description: 'How many lines stand before the header, by default none.',
    }),
    fees: optional(
      list(feeForm, {
        maxItems: 50,
        description:
          'The fees you expect. The first entry that fits a payment counts; a payment that none fits has no expected fee.',
      }),
    ),
    lagDays: optional(
      integer({ minimum: 0, maximum: 60, description: 'Accepted for older files, and ignored.' }),
    ),
  },
  {
    description:
      "How the gateway's settlement report (CSV with a header) is read; a list if it has several shapes; null: the gateway has none.",
  },
);
/** How one shape of the gateway's settlement report (CSV) is read. */
export type SettlementProfile = Described<typeof settlementShapeForm>;
/** The key of a column that a settlement report may have. */
export type SettlementColumn = keyof SettlementProfile['columns'];

/** A file may write one shape, a list of them, or null. A loaded profile has a list or null. */
const settlementForm = schema<readonly SettlementProfile[] | null>({
  ...settlementShapeForm,
  type: ['object', 'array', 'null'],
  minItems: 1,
  maxItems: 10,
  items: { $ref: '#/$defs/settlement' },
});

const parts = {
  operations: schema<Record<string, OperationProfile | null>>({
    type: 'object',
    description:
      'How each operation is called. An additional key is the encrypting operation that encryption.operation names. null: the gateway lacks the operation.',
    properties: Object.fromEntries(OPERATION_KEYS.map((key) => [key, operation(KEYS[key])])),
    additionalProperties: operation(),
    maxProperties: 40,
  }),
  extra: named(shared('extraOperation', extraForm)(), {
    maxProperties: 20,
    description:
      "Calls that another call's `before` names: they are made first, move no money, and supply what `keep` finds. Each is described like an operation, and sends only its `include` and `constants`.",
  }),
  credentials: named(credentialSet(), {
    maxProperties: 20,
    description:
      'Sets of headers that prove who we are. You choose their names. An operation with "credentials": true sends the set `default`; without such a set it sends x-api-key and access-token.',
  }),
  token: optional(tokenForm),
  reference: partOf(
    {
      separator: string({
        pattern: '^[!#$%&*+,./:;=?@^_|~-]{1,8}$',
        $comment: 'characters other than letters, digits, spaces, quotes and brackets',
        description: 'The characters between them: `_` by default, at most 8, never a letter or digit.',
      }),
      maxLength: optional(
        integer({
          minimum: 4,
          maximum: 255,
          description:
            'The longest client_ref that the gateway accepts. A reference that would become longer is refused when its session is created.',
        }),
      ),
    },
    {
      description:
        "How client_ref is made: the merchant's reference, the separator, a number that counts the payments of the reference.",
    },
  ),
  card: partOf(
    {
      expiryYear: oneOf(['YYYY', 'YY'], '2030 or 30.'),
      omit: list(string(), {
        uniqueItems: true,
        description: 'Built-in names to leave out of the card call.',
      }),
      colorDepths: list(integer({ minimum: 1, maximum: 64 }), {
        minItems: 1,
        maxItems: 64,
        description: 'The colour depths that the gateway accepts; any other is sent as the next lower one.',
      }),
      emptyAs: optional(emptyAs('The same as emptyAs of payCard.')),
      pin: partOf(
        {
          when: oneOf(
            ['with', 'later'],
            'with: the gateway wants the PIN together with the card, and the page asks for it there; later (the default): the gateway asks for it if it wants it, by the meaning pin.',
          ),
          brands: list(text(40), {
            uniqueItems: true,
            maxItems: 20,
            description:
              'The brands whose cards have a PIN that is sent with the card, such as verve, visa, mastercard or american-express.',
          }),
        },
        { description: "Whether and when the payer is asked for the card's PIN." },
      ),
    },
    { description: 'How card payments are written.' },
  ),
  ussdBanks: partOf(
    {
      list: pointer('The array.'),
      code: pointer("The bank's code, in an entry of the array."),
      name: pointer("The bank's name, in an entry of the array."),
    },
    { description: 'Where the answer has the list of banks.' },
  ),
  encryption: encryptionForm,
  outcome: outcome('How answers are read.'),
  declines: declinesForm,
  notification: notificationForm,
  settlement: settlementForm,
  confirmed: list(schema<string>({ enum: [...OPERATION_KEYS, ...CONFIRMABLE_PARTS] }), {
    uniqueItems: true,
    maxItems: 40,
    description: "What has been checked against the gateway's own documentation or test system.",
  }),
};

/** Everything that may differ from one gateway to another. */
export type Profile = ObjectOf<typeof parts>;

/** The JSON schema of a profile's file. */
export const profileSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Tillfront gateway profile',
  description:
    'Everything in which a real gateway may differ from the built-in gateway profile. Whatever a file leaves out comes from the built-in profile.',
  ...partOf({ $schema: string({ description: 'Address of this schema, for editors.' }), ...parts }),
  $defs: {
    pointer: pointerForm,
    pointers: pointersForm,
    words: wordsForm,
    condition: conditionForm,
    operation: operationOrNull,
    outcome: outcomeForm,
    keep: keepForm,
    extraOperation: extraForm,
    credentialSet: credentialSetForm,
    settlement: settlementShapeForm,
  },
};
