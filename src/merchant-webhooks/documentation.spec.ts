import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { makeEvent, type EventType } from './event.js';

const TEXT = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');

/** The code of a kind, in order. */
function blocks(language: string): string[] {
  return [...TEXT.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(
    ([, code]) => code ?? '',
  );
}

const examples = blocks('json').map((code) => JSON.parse(code) as { type?: EventType; data?: object });

/** The compiler holds this to be all types. */
const TYPES: Record<EventType, 'payment' | 'session'> = {
  'payment.requires_action': 'payment',
  'payment.authorized': 'payment',
  'payment.succeeded': 'payment',
  'payment.failed': 'payment',
  'payment.canceled': 'payment',
  'payment.expired': 'payment',
  'payment.voided': 'payment',
  'payment.duplicate': 'payment',
  'payment.needs_attention': 'payment',
  'checkout_session.paid': 'session',
  'checkout_session.expired': 'session',
  'checkout_session.closed': 'session',
};

test.each(Object.keys(TYPES))('the documentation says what %s is, with an example', (type) => {
  expect(TEXT).toContain(`**\`${type}\`**`);
  expect(examples.some((example) => example.type === type)).toBe(true);
});

test('the documentation names no type that does not exist, and its whole event has the members of a real one', () => {
  for (const { type } of examples) if (type !== undefined) expect(Object.keys(TYPES)).toContain(type);
  const real = makeEvent({
    type: 'payment.succeeded',
    aggregateId: 'pay_1',
    sequence: 1,
    reference: 'ORDER-1',
    data: {},
    livemode: false,
    at: 0,
    deliver: true,
  });
  expect(Object.keys(examples[0] ?? {})).toEqual(Object.keys(JSON.parse(real.body) as object));
});
