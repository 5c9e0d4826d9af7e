/** How a type of next action is described in the API: what the payer must do, and its members besides `type`. */
interface NextActionDescription {
  readonly type: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
}

const text = { type: 'string' } as const;
const message = { type: 'string', description: "The gateway's own words for the payer." } as const;

export const NEXT_ACTIONS: readonly NextActionDescription[] = [
  {
    type: 'redirect',
    description: 'Send the payer to another page, by GET or by posting `fields` to it.',
    properties: {
      url: { type: 'string', format: 'uri' },
      method: { type: 'string', enum: ['GET', 'POST'] },
      fields: {
        type: 'object',
        additionalProperties: text,
        description: 'With POST: the fields of the form.',
      },
    },
    required: ['url', 'method'],
  },
  {
    type: 'otp',
    description: 'The payer enters the one-time code that their bank sent.',
    properties: { message },
    required: [],
  },
  {
    type: 'pin',
    description: 'The payer enters the PIN of their card.',
    properties: { message },
    required: [],
  },
  {
    type: 'unsupported',
    description: 'The gateway asks for something that this service cannot ask for. The payer can cancel.',
    properties: { message },
    required: [],
  },
  {
    type: 'transfer',
    description: 'The payer transfers exactly `amount` to this account.',
    properties: {
      bankName: text,
      accountNumber: text,
      accountName: { type: ['string', 'null'] },
      amount: { type: 'string', description: 'Decimal, in major units.' },
      expiresAt: {
        type: 'string',
        format: 'date-time',
        description: 'After that the account takes no money.',
      },
    },
    required: ['bankName', 'accountNumber', 'accountName', 'amount'],
  },
  {
    type: 'ussd',
    description: 'The payer dials this code on the phone of their bank account.',
    properties: { code: text, bankName: text },
    required: ['code'],
  },
];
