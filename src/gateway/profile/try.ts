import { z } from 'zod';
import { isStart } from '../answer/reader.js';
import type { Fact } from '../fact.js';
import { faultLine } from './fault.js';
import { readProfile } from './load.js';
import { Rehearsal, type Rehearsed } from './rehearsal.js';

const exchange = z.object({
  operation: z.string(),
  payment: z.record(z.string(), z.unknown()).default({}),
  status: z.number().int().default(200),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.unknown(),
  expect: z.string().optional(),
});

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
  const strange = exchanges.find(({ operation }) => !rehearsal.operations.includes(operation));
  if (strange) return `The profile has no operation ${strange.operation}.`;
  return Promise.all(exchanges.map((one) => tryOne(rehearsal, one)));
}

async function tryOne(
  rehearsal: Rehearsal,
  { operation, payment, expect, ...answer }: z.infer<typeof exchange>,
): Promise<Tried> {
  const { status, headers, body } = answer;
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
  const retryAfter = headers['retry-after'] ?? headers['Retry-After'];
  const came = { kind: 'answer', status, text, ...(retryAfter !== undefined && { retryAfter }) } as const;
  const { fact, meaning: word, decidedBy } = rehearsal.judge(operation, payment, came);
  const counts = word !== undefined && !['unclear', 'unlisted', 'foreign', 'refused'].includes(fact.is);
  const meaning = counts ? word : (AS_WORDS[fact.is] ?? fact.is);
  const requests = await rehearsal.requests(operation, payment);
  const isMeant = expect === undefined || [meaning, fact.is, ...otherNames(fact, operation)].includes(expect);
  return {
    operation,
    requests,
    meaning,
    fact,
    decidedBy,
    expect,
    asExpected: isMeant && !requests.includes(undefined),
  };
}

/** What an `expect` may say besides the meaning: the next action, the failure's code, or what becomes of the payment. */
function otherNames(fact: Fact, operation: string): string[] {
  if (fact.is === 'waiting' && fact.action) return [fact.action.type, 'requires_action'];
  if (fact.is === 'refundDone') return ['succeeded', 'refunded'];
  if (!('failure' in fact)) return [];
  const { code } = fact.failure;
  return [
    code,
    ...(code === 'gateway_rejected' ? ['rejected'] : []),
    ...(isStart(operation) ? ['failed'] : []),
  ];
}

const AS_WORDS: Readonly<Record<string, string>> = { unclear: 'unknown', unlisted: 'unknown' };

function readExchanges(text: string): z.infer<typeof exchange>[] | string {
  try {
    const { data, error } = z.array(exchange).safeParse(JSON.parse(text));
    return data ?? `Exchange ${error?.issues[0]?.path.join('.')}: ${error?.issues[0]?.message}`;
  } catch {
    return 'The exchanges are not JSON.';
  }
}

/** What an exchange showed, as people read it. */
export function triedLines({
  operation,
  requests,
  decidedBy,
  meaning,
  fact,
  expect,
  asExpected,
}: Tried): string[] {
  const means = meaning + ('why' in fact ? ` (${fact.why})` : '');
  return [
    operation,
    ...requests.flatMap((request) =>
      request ? requestLines(request) : ['  not sent: the payment lacks what names it'],
    ),
    decidedBy ? `  ${decidedBy.pointer} is "${decidedBy.word}": ${means}` : `  no listed word: ${means}`,
    ...(asExpected ? [] : [`  EXPECTED ${expect ?? 'a request'}`]),
  ];
}

/** A request, as people read it. */
export function requestLines({ method, url, headers, body, encrypted }: Rehearsed): string[] {
  return [
    `  ${method} ${url.replace(/^https:\/\/gateway\.example/, '')}`,
    ...Object.entries(headers).map(([name, value]) => `    ${name}: ${value}`),
    ...(body === undefined ? [] : [`    ${body}`]),
    ...(encrypted === undefined ? [] : [`    encrypted: ${encrypted}`]),
  ];
}
