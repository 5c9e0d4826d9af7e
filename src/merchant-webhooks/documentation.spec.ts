import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { EVENT_TYPES } from '../store/event-types.js';
import { eventBody, makeEvent, makeTestEvent, TEST_EVENT_TYPE } from './event.js';

const TEXT = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');

/** The code of a kind, in order. */
function blocks(language: string): string[] {
  return [...TEXT.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(
    ([, code]) => code ?? '',
  );
}

const examples = blocks('json').map((code) => JSON.parse(code) as { type?: string; data?: object });

test.each(EVENT_TYPES)('the documentation says what %s is, with an example', (type) => {
  expect(TEXT).toContain(`**\`${type}\`**`);
  expect(examples.some((example) => example.type === type)).toBe(true);
});

test('the documentation names no type that does not exist, and its whole event has the members of a real one', () => {
  const named = [...TEXT.matchAll(/`((?:payment|checkout_session|difference)\.[a-z_]+)`/g)].map(
    ([, type]) => type,
  );
  expect(new Set(named)).toEqual(new Set(EVENT_TYPES));
  const shown = examples.flatMap(({ type }) => type ?? []).filter((type) => type !== TEST_EVENT_TYPE);
  for (const type of shown) expect(EVENT_TYPES).toContain(type);
  const real = makeEvent({
    type: 'payment.succeeded',
    aggregateId: 'pay_1',
    sequence: 1,
    data: {},
    livemode: false,
    at: 0,
    epoch: 0,
    deliver: true,
  });
  expect(Object.keys(examples[0] ?? {})).toEqual(Object.keys(JSON.parse(eventBody(real)) as object));
});

test('the documentation shows the test event with the members of the real one', () => {
  const { body } = makeTestEvent(0);
  const [shown] = examples.filter(({ type }) => type === TEST_EVENT_TYPE);
  expect(Object.keys(shown ?? {})).toEqual(Object.keys(JSON.parse(body) as object));
});
