import type { OpenAPIObject } from '@nestjs/swagger';
import { problemCodes, problemStatus, problemTitle, PROBLEM_MEDIA_TYPE } from '../http/problems/problem.js';

type Components = NonNullable<OpenAPIObject['components']>;
type Responses = NonNullable<Components['responses']>;

/** The body of every refusal and failure (RFC 9457). */
export const problemSchemas: NonNullable<Components['schemas']> = {
  ProblemFault: {
    type: 'object',
    required: ['pointer', 'message'],
    properties: {
      pointer: {
        type: 'string',
        description:
          'JSON pointer to the member of the body, or `/` and the query parameter. Of a file: its line, and its column.',
      },
      line: { type: 'integer', minimum: 1, description: 'Of a CSV file: the line, the header being 1.' },
      column: { type: 'string', description: 'Of a CSV file: the name of the column.' },
      message: { type: 'string', description: 'What is expected there.' },
    },
  },
  Problem: {
    type: 'object',
    description: 'RFC 9457 problem document. Decide by `code`.',
    required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId'],
    properties: {
      type: { type: 'string', format: 'uri', examples: ['urn:tillfront:problem:validation-failed'] },
      title: { type: 'string' },
      status: { type: 'integer', minimum: 400, maximum: 599 },
      detail: { type: 'string', description: 'For people; it may change.' },
      instance: {
        type: 'string',
        format: 'uri-reference',
        description: 'The path of the call, without tokens.',
      },
      code: { type: 'string', enum: [...problemCodes] },
      requestId: { type: 'string', description: 'As in `X-Request-Id`; the log has it too.' },
      errors: { type: 'array', items: { $ref: '#/components/schemas/ProblemFault' } },
      paymentId: { type: 'string', description: 'The payment that the call began or met.' },
    },
  },
};

const statuses = [...new Set(problemCodes.map(problemStatus))].sort((a, b) => a - b);

/** One answer a status, with all codes that it can have. */
export const problemResponses: Responses = Object.fromEntries(
  statuses.map((status) => {
    const codes = problemCodes.filter((code) => problemStatus(code) === status);
    const retryAfter = {
      description: 'Seconds after which to try again.',
      schema: { type: 'integer' as const, minimum: 1 },
    };
    return [
      responseName(status),
      {
        description: codes.map((code) => `\`${code}\`: ${problemTitle(code)}.`).join(' '),
        headers: {
          'X-Request-Id': { schema: { type: 'string' as const } },
          ...(status === 429 || status === 503 ? { 'Retry-After': retryAfter } : {}),
        },
        content: { [PROBLEM_MEDIA_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ];
  }),
);

/** The name of the shared response of a status. */
export function responseName(status: number): string {
  return `Problem${status}`;
}
