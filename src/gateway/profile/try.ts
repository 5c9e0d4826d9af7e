import { z } from 'zod';
import type { Fact } from '../fact.js';
import { faultLine } from './fault.js';
import { readProfile } from './load.js';
import { Rehearsal, requestLines, sampleSchema, type Rehearsed } from './rehearsal.js';
import { isStart } from './schema.js';

const exchangeSchema = z.strictObject({
  operation: z.string(),
  payment: sampleSchema.prefault({}),
  status: z.number().int().default(200),
  headers: z.record(z.string().toLowerCase(), z.string()).default({}),
  body: z.unknown(),
  expect: z.string().optional(),
});
type Exchange = z.infer<typeof exchangeSchema>;

/** What one exchange showed. */
export interface Tried {
  readonly operation: string;
  /** Undefined in the place of a request that would not be sent. */
  readonly requests: readonly (Rehearsed | undefined)[];
  readonly decidedBy?: { readonly pointer: string; readonly word: string } | undefined;
  /** The word's meaning, or what the answer is where no word counts. */
  readonly meaning: string;
  readonly fact: Fact;
  readonly expect?: string | undefined;
  readonly asExpected: boolean;
}

/** Tries a profile on recorded exchanges, without a gateway. A text in return says why that cannot be done. */
export async function tryProfile(profileText: string, exchangesText: string): Promise<Tried[] | string> {
  const { profile, faults } = readProfile(profileText);
  if (!profile) return faults.map(faultLine).join('\n');
  const exchanges = readExchanges(exchangesText);
  if (typeof exchanges === 'string') return exchanges;
  const rehearsal = new Rehearsal(profile);
  const strange = exchanges.find(({ operation }) => !rehearsal.operations.some((one) => one === operation));
  if (strange) return `The profile has no operation ${strange.operation}.`;
  const tried: Tried[] = [];
  for (const exchange of exchanges) tried.push(await tryOne(rehearsal, exchange));
  return tried;
}

async function tryOne(rehearsal: Rehearsal, exchange: Exchange): Promise<Tried> {
  const { operation, payment, status, headers, body, expect } = exchange;
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
  const retryAfter = headers['retry-after'];
  const came = { kind: 'answer', status, text, ...(retryAfter !== undefined && { retryAfter }) } as const;
  const { fact, meaning: word, decidedBy } = rehearsal.judge(operation, payment, came);
  const counts = word !== undefined && !['unclear', 'unlisted', 'foreign', 'refused'].includes(fact.is);
  const isUnknown = fact.is === 'unclear' || fact.is === 'unlisted';
  const meaning = counts ? word : isUnknown ? 'unknown' : fact.is;
  const requests = await rehearsal.requests(operation, payment);
  const isMeant = expect === undefined || [meaning, fact.is, ...otherNames(fact, operation)].includes(expect);
  const asExpected = isMeant && !requests.includes(undefined);
  return { operation, requests, meaning, fact, decidedBy, expect, asExpected };
}

/** What an `expect` may say besides the meaning: the next action, the failure's code, or what becomes of the payment. */
function otherNames(fact: Fact, operation: string): string[] {
  if (fact.is === 'waiting' && fact.action) return [fact.action.type, 'requires_action'];
  if (fact.is === 'refundDone') return ['succeeded', 'refunded'];
  if (!('failure' in fact)) return [];
  const { code } = fact.failure;
  return [code, code.replace('gateway_', ''), ...(isStart(operation) ? ['failed'] : [])];
}

function readExchanges(text: string): Exchange[] | string {
  try {
    const { data, error } = z.array(exchangeSchema).safeParse(JSON.parse(text));
    return data ?? `Exchange ${error?.issues[0]?.path.join('.')}: ${error?.issues[0]?.message}`;
  } catch {
    return 'The exchanges are not JSON.';
  }
}

/** What an exchange showed, as people read it. */
export function triedLines(tried: Tried): string[] {
  const { operation, requests, decidedBy, meaning, fact, expect, asExpected } = tried;
  const means = meaning + ('why' in fact ? ` (${fact.why})` : '');
  const notSent = ['  not sent: the payment lacks what names it'];
  return [
    operation,
    ...requests.flatMap((request) => (request ? requestLines(request) : notSent)),
    decidedBy ? `  ${decidedBy.pointer} is "${decidedBy.word}": ${means}` : `  no listed word: ${means}`,
    ...(asExpected ? [] : [`  EXPECTED ${expect ?? 'a request'}`]),
  ];
}
