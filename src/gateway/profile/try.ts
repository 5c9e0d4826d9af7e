import { z } from 'zod';
import { isStart } from '../answer/reader.js';
import type { Fact } from '../fact.js';
import { readProfile } from './load.js';
import { faultLine } from './fault.js';
import { Rehearsal, type Rehearsed } from './rehearsal.js';

const exchangesSchema = z.array(
  z.object({
    operation: z.string(),
    payment: z.record(z.string(), z.unknown()).default({}),
    status: z.number().int().default(200),
    headers: z.record(z.string(), z.string()).default({}),
    body: z.unknown(),
    expect: z.string().optional(),
  }),
);

/** What one exchange showed. */
export interface Tried {
  readonly operation: string;
  /** Undefined in the place of a request that would not be sent. */
  readonly requests: readonly (Rehearsed | undefined)[];
  readonly decidedBy?: { readonly pointer: string; readonly word: string };
  /** The word's meaning, or what the answer is where no word counts. */
  readonly meaning: string;
  readonly fact: Fact;
  readonly expect?: string;
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
  return Promise.all(
    exchanges.map(async ({ operation, payment, status, headers, body, expect }): Promise<Tried> => {
      const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
      const retryAfter = Object.entries(headers).find(([name]) => name.toLowerCase() === 'retry-after')?.[1];
      const judged = rehearsal.judge(operation, payment, { status, text, retryAfter });
      const { fact, decidedBy } = judged;
      const counts = !['unclear', 'unlisted', 'foreign', 'refused', 'notSent'].includes(fact.is);
      const meaning = counts && judged.meaning ? judged.meaning : (AS_WORDS[fact.is] ?? fact.is);
      const requests = await rehearsal.requests(operation, payment);
      const names = [meaning, fact.is, ...otherNames(fact, operation)];
      return {
        ...{ operation, requests, meaning, fact },
        ...(decidedBy && { decidedBy }),
        ...(expect !== undefined && { expect }),
        asExpected: !requests.includes(undefined) && (expect === undefined || names.includes(expect)),
      };
    }),
  );
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

function readExchanges(text: string): z.infer<typeof exchangesSchema> | string {
  try {
    const parsed = exchangesSchema.safeParse(JSON.parse(text));
    const [issue] = parsed.error?.issues ?? [];
    return parsed.data ?? `Exchange ${issue?.path.join('.')}: ${issue?.message}`;
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
  const why = 'why' in fact ? ` (${fact.why})` : '';
  return [
    operation,
    ...requests.flatMap((request) =>
      request ? requestLines(request) : ['  not sent: the payment lacks what names it'],
    ),
    decidedBy
      ? `  ${decidedBy.pointer} is "${decidedBy.word}": ${meaning}${why}`
      : `  no listed word: ${meaning}${why}`,
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
