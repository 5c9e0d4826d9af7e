import type { Dispatcher } from 'undici';
import { problemCodes, problemStatus, type ProblemCode } from '../../../src/http/problems/problem.js';
import type { ProblemBody } from '../../harness/client.js';
import { MARK } from './hostile-values.js';
import type { FuzzRequest } from './requests.js';

/** What the gateway or the store may do to any request; nothing else is a fault of the server. */
const EXPECTED_5XX = new Set([
  'gateway-credentials-rejected',
  'gateway-unavailable',
  'gateway-busy',
  'store-unavailable',
  // A machine that is busy for seconds may have too many waiting.
  'overloaded',
  'shutting-down',
]);

export interface FuzzAnswer {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly text: string;
}

/** What is wrong with an answer; nothing where it is as promised. */
export function faultsOf(request: FuzzRequest, { status, headers, text }: FuzzAnswer): string[] {
  const faults: string[] = [];
  const expectThat = (holds: boolean, fault: string): void => {
    if (!holds) faults.push(fault);
  };
  expectThat(/^[A-Za-z0-9._-]{1,128}$/.test(String(headers['x-request-id'])), 'no request id');
  expectThat(headers['x-content-type-options'] === 'nosniff', 'no nosniff');
  expectThat(headers['content-security-policy'] !== undefined, 'no content security policy');
  expectThat(headers['set-cookie'] === undefined, 'a cookie');
  const page = /^\/(?:(?:docs|kit|checkout|console)(?:$|[/?])|$|\?)/.test(request.path);
  expectThat(page || headers['cache-control'] === 'no-store', 'may be stored');
  expectThat(!text.includes(MARK) || status < 400, 'repeats what was sent');
  if (status < 400 || request.method === 'HEAD') {
    expectThat(status < 500, `HTTP ${status} to HEAD`);
    return faults;
  }
  expectThat(
    headers['content-type'] === 'application/problem+json',
    `media type ${String(headers['content-type'])}`,
  );
  let problem: Partial<ProblemBody> = {};
  try {
    problem = JSON.parse(text) as ProblemBody;
  } catch {
    faults.push('no JSON');
  }
  const code = problem.code as ProblemCode;
  expectThat(
    problemCodes.includes(code) && problemStatus(code) === status && problem.status === status,
    `HTTP ${status} as ${code}`,
  );
  expectThat(problem.requestId === headers['x-request-id'], 'another request id');
  expectThat(status < 500 || EXPECTED_5XX.has(code), `HTTP ${status} ${code}`);
  return faults;
}
