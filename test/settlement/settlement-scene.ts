import { randomUUID } from 'node:crypto';
import type { Answer } from '../harness/client.js';
import { cardAnswer } from '../harness/gateway-answers.js';
import type { Behaviour } from '../harness/gateway-behaviour.js';
import type { MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import type { Tillfront } from '../harness/tillfront.js';

export const HEADER = 'reference,transactionRef,type,amount,fee,currency,status,settledAt';

/** A row of a report. Members may be replaced. */
export function reportRow(reference: string, over: Partial<Record<string, string>> = {}): string {
  const row = {
    reference,
    transactionRef: 'TRX-TEST-1',
    type: 'PAYMENT',
    amount: '1500.00',
    fee: '22.50',
    currency: 'NGN',
    status: 'SETTLED',
    settledAt: new Date().toISOString(),
    ...over,
  };
  return Object.values(row).join(',');
}

export function report(...rows: string[]): string {
  return [HEADER, ...rows, ''].join('\n');
}

export interface SettlementBody {
  id: string;
  livemode: boolean;
  actor: string;
  from: string | null;
  to: string | null;
  rows: number;
  skipped: Record<string, number>;
  rowsMatched: number;
  rowsDifferent: number;
  rowsSetAside: number;
  setAside: { line: number; column: string | null }[];
  totals: Record<string, string>[];
  counts: Record<string, number>;
  orders: { rows: number } | null;
  adoption: { waiting: number; adopted: number; adoptedOnWord: number; left: number } | null;
}

export interface MoneyBody {
  amount: string;
  currency: string | null;
}

export interface DifferenceBody {
  id: string;
  kind: string;
  name: string;
  state: 'open' | 'closed';
  row: number | null;
  settlementId: string | null;
  reference: string;
  paymentId: string | null;
  movementId: string | null;
  foundAt: string;
  expected: MoneyBody | null;
  found: MoneyBody | null;
  note: string | null;
  closedBy: string | null;
  closedAt: string | null;
  reason: string | null;
  step: string | null;
  amount?: string;
  currency?: string;
}

export interface ProblemWithErrors {
  code: string;
  errors?: { pointer: string; message: string; line?: number; column?: string }[];
}

/** Sends a file. */
export async function upload<T = SettlementBody>(
  tillfront: Pick<Tillfront, 'url' | 'merchantKey'>,
  path: string,
  csv: string | Buffer,
  { key = randomUUID(), headers = {} }: { key?: string | null; headers?: Record<string, string> } = {},
): Promise<Answer<T>> {
  const response = await fetch(tillfront.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tillfront.merchantKey}`,
      'content-type': 'text/csv',
      ...(key !== null && { 'idempotency-key': key }),
      ...headers,
    },
    body: typeof csv === 'string' ? csv : new Uint8Array(csv),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as T };
}

/** What the gateway says of one reference when it is asked. Others keep what they have. */
export function says(gateway: MisbehavingGateway, answers: ReadonlyMap<string, Behaviour>): void {
  gateway.script('GET /transaction/*', (request) => {
    const reference = decodeURIComponent(request.path.split('/').at(-1) ?? '');
    return (
      answers.get(reference) ?? {
        do: 'answer',
        body: cardAnswer({ status: 'SUCCESS', amount: '1500.00', currency: 'NGN' }),
      }
    );
  });
}
