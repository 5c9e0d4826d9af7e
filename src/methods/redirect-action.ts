import type { GatewayAnswer } from '../gateway/gateway-result.js';
import { isSafeRedirect } from '../gateway/answers/redirect.js';
import type { NextAction } from '../store/schema.js';
import type { NextActionDescription } from './method-descriptor.js';

/** The redirect that an answer asks for, unless it is unsafe to send a payer to its address. */
export function redirectAction(answer: GatewayAnswer, mode: 'test' | 'live'): NextAction | undefined {
  const { redirectUrl: url, redirectMethod: method = 'GET', redirectFields: fields } = answer;
  if (url === undefined || !isSafeRedirect(url, mode)) return undefined;
  return { type: 'redirect', url, method, ...(fields && { fields }) };
}

export const redirectDescription: NextActionDescription = {
  type: 'redirect',
  description: 'The payer must go to another page, by GET or by posting `fields` to it.',
  properties: {
    url: { type: 'string', format: 'uri', description: 'Where to send the payer.' },
    method: { type: 'string', enum: ['GET', 'POST'] },
    fields: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'With POST: the fields of the form.',
    },
  },
  required: ['url', 'method'],
};
