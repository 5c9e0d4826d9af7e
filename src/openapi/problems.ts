import type { OpenAPIObject } from '@nestjs/swagger';
import { problemCodes, problemStatus, problemTitle, PROBLEM_MEDIA_TYPE } from '../http/problems/problem.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const text = (description: string): object => ({ type: 'string', description });

/** The body of every refusal and failure (RFC 9457). */
const SCHEMAS = {
  ProblemFault: {
    type: 'object',
    required: ['pointer', 'message'],
    properties: {
      pointer: text('JSON pointer to the field, or `/` and the query parameter.'),
      message: text('What is expected there.'),
    },
  },
  Problem: {
    type: 'object',
    description: 'Decide by `code`; the texts are for people and may change.',
    required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
    properties: {
      type: { type: 'string', format: 'uri' },
      title: { type: 'string' },
      status: { type: 'integer', format: 'int32', minimum: 400, maximum: 599 },
      detail: { type: 'string' },
      code: { type: 'string', enum: [...problemCodes] },
      requestId: text('As in `X-Request-Id` and in the log.'),
      errors: { type: 'array', items: { $ref: '#/components/schemas/ProblemFault' } },
      paymentId: text('The payment that is the reason.'),
    },
  },
};

const statuses = [...new Set(problemCodes.map(problemStatus))].sort();

/** One response a status, with all its codes, and the statuses that each call can have. */
export function addProblems(document: OpenAPIObject): void {
  const responses = statuses.map((status) => {
    const codes = problemCodes.filter((code) => problemStatus(code) === status);
    const retryAfter = { 'Retry-After': { description: 'Seconds.', schema: { type: 'string' } } };
    return [
      `Problem${status}`,
      {
        description: codes.map((code) => `\`${code}\`: ${problemTitle(code)}.`).join(' '),
        ...([429, 503].includes(status) && { headers: retryAfter }),
        content: { [PROBLEM_MEDIA_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ];
  });
  const { schemas, ...components } = document.components ?? {};
  document.components = {
    ...components,
    schemas: { ...schemas, ...SCHEMAS },
    responses: Object.fromEntries(responses) as NonNullable<typeof components.responses>,
  };
  for (const [path, item] of Object.entries(document.paths)) {
    if (item.get) addTo(item.get, path, false);
    if (item.post) addTo(item.post, path, true);
  }
}

function addTo(operation: Operation, path: string, isPost: boolean): void {
  operation.security ??= [];
  const secured = operation.security.length > 0 ? [400, 401, 403, 429, 500, 503] : [503];
  const posted = isPost && operation.security.length > 0 ? [409, 413, 415, 422, 502] : [];
  for (const status of [...secured, ...posted, ...(path.includes('{') ? [404] : [])])
    operation.responses[status] ??= { $ref: `#/components/responses/Problem${status}` };
}
