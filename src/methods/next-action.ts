import type { GatewayAnswer } from '../gateway/gateway-result.js';
import type { NextAction } from '../store/schema.js';
import type { MethodDescriptor, NextActionDescription } from './method-descriptor.js';
import { isSafeRedirect } from '../gateway/answers/redirect-reader.js';

const message = {
  type: 'string',
  description: "The gateway's own words for the payer, in its own language.",
} as const;

/** The challenges that only the payer can answer, and one that nobody here can put to them. */
export const challengeDescriptions: readonly NextActionDescription[] = [
  {
    type: 'otp',
    description: 'The payer must enter the one-time code that their bank sent.',
    properties: { message },
    required: [],
  },
  {
    type: 'pin',
    description: 'The payer must enter the PIN of their card.',
    properties: { message },
    required: [],
  },
  {
    type: 'unsupported',
    description:
      'The gateway asks the payer for something that this service cannot ask for. Cancel the payment, or let the payer take another way.',
    properties: { message },
    required: [],
  },
];

/** The challenge that an answer asks for. Undefined where it asks for none, or for one that the method does not know. */
export function challengeAction(
  answer: GatewayAnswer,
  method: Pick<MethodDescriptor, 'takesOtp'>,
): NextAction | undefined {
  const { meaning, otpMessage } = answer;
  if (meaning !== 'otp' && meaning !== 'pin' && meaning !== 'unsupported') return undefined;
  if (meaning !== 'unsupported' && !method.takesOtp) return undefined;
  return { type: meaning, ...(otpMessage && { message: otpMessage }) };
}

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
