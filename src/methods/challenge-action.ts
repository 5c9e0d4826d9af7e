import type { GatewayAnswer } from '../gateway/gateway-result.js';
import type { NextAction } from '../store/schema.js';
import type { MethodDescriptor, NextActionDescription } from './method-descriptor.js';

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
