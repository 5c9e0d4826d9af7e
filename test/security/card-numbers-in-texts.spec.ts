import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newReference, problemOf, type Answer } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';
import { withoutChance } from '../harness/without-chance.js';
import { upload, type ProblemWithErrors } from '../settlement/settlement-scene.js';
import { isCardNumber } from '../../src/card-numbers/card-brand.js';

/** A card number that somebody types where it does not belong is refused, so that nothing stores it. A new field is tried by being described. */

const CARD = '4111-1111-1111-1111';
const MESSAGE = 'must hold no card number';
/** Fields that may have the digits of a card: the card's own, what is encrypted, and telephone numbers. */
const MAY_HOLD = new Set(['number', 'phone', 'encryptedCard', 'encryptedPin']);

interface Schema {
  $ref?: string;
  allOf?: Schema[];
  type?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
}
interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
  parameters?: { name: string }[];
  security?: Record<string, unknown>[];
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const root = join(import.meta.dirname, '../..');
const document = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as Document;

function schemaOf({ $ref, allOf, ...schema }: Schema): Schema {
  if (allOf?.[0]) return schemaOf(allOf[0]);
  return $ref === undefined
    ? schema
    : schemaOf(document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {});
}

/** A body for each text in a schema, with the card number in it and nothing else, and where that is. */
function bodiesWithCard(schema: Schema, at = ''): { pointer: string; body: object }[] {
  const properties = Object.entries(schemaOf(schema).properties ?? {});
  return properties.flatMap(([name, member]): { pointer: string; body: object }[] => {
    const { type, enum: words, properties: members, additionalProperties } = schemaOf(member);
    const pointer = `${at}/${name}`;
    if (MAY_HOLD.has(name) || words) return [];
    if (type === 'string') return [{ pointer, body: { [name]: CARD } }];
    if (type === 'object' && !members && additionalProperties !== undefined)
      return [
        { pointer, body: { [name]: { key: CARD } } },
        { pointer, body: { [name]: { [CARD]: 'text' } } },
      ];
    return bodiesWithCard(member, pointer).map(({ pointer: inner, body }) => ({
      pointer: inner,
      body: { [name]: body },
    }));
  });
}

const posts = Object.entries(document.paths)
  .map(([path, { post }]) => ({ path: path.replaceAll(/\{\w+\}/g, 'pay_none'), post }))
  .filter((call): call is { path: string; post: Operation } => call.post !== undefined);
const texts = posts.flatMap(({ path, post }) => {
  const schema = post.requestBody?.content['application/json']?.schema;
  return (schema ? bodiesWithCard(schema) : []).map((found) => ({ path, post, ...found }));
});
const keyed = posts.filter(({ post }) => post.parameters?.some(({ name }) => name === 'Idempotency-Key'));

let scene: Scene;
let clientToken: string;

beforeAll(async () => {
  scene = await startScene('embedded', { ALLOWED_ORIGINS: 'https://shop.example' });
  ({ clientToken } = await scene.client.createSession());
});
afterAll(() => scene.stop());

const optionsFor = (post: Operation): { token?: string } =>
  post.security?.some((scheme) => 'clientToken' in scheme) ? { token: clientToken } : {};

function expectRefused(answer: Answer<unknown>, pointer: string): void {
  expect([answer.status, problemOf(answer).code]).toEqual([400, 'validation-failed']);
  expect(withoutChance(answer.text)).not.toContain('4111');
  const { errors } = answer.body as ProblemWithErrors;
  expect(errors?.map((error) => error.pointer)).toContain(pointer);
}

test('there are texts and keys to try', () => {
  expect(texts.map(({ pointer }) => pointer)).toEqual(
    expect.arrayContaining([
      '/reference',
      '/payer/firstName',
      '/billing/street',
      '/metadata',
      '/note',
      '/reason',
    ]),
  );
  expect(keyed.length).toBeGreaterThan(10);
});

test.each(texts)('$path $pointer', async ({ path, post, pointer, body }) => {
  expectRefused(await scene.client.post(path, body, optionsFor(post)), pointer);
});

describe('the message says what is wrong, where the text would fit otherwise', () => {
  const session = (more: object): object => ({
    ...{ reference: newReference(), amount: '1500.00', currency: 'NGN' },
    ...more,
  });
  test.each([
    ['/reference', { reference: CARD }],
    ['/payer/firstName', { payer: { firstName: 'Ada 4111 1111 1111 1111' } }],
    ['/payer/email', { payer: { email: '4111111111111111@shop.example' } }],
    ['/billing/postCode', { billing: { postCode: '4111111111111111' } }],
    ['/metadata', { metadata: { note: CARD } }],
    ['/returnUrl', { returnUrl: `https://shop.example/${CARD}` }],
  ])('%s', async (pointer, more) => {
    const refused = await scene.client.post('/v1/checkout-sessions', session(more));
    expect((refused.body as ProblemWithErrors).errors).toEqual([{ pointer, message: MESSAGE }]);
  });

  test('and a telephone number is none of it', async () => {
    // An Italian number, and what a Diners Club card could have.
    const phone = '+39021234567890';
    expect(isCardNumber(phone.slice(1))).toBe(true);
    const made = await scene.client.post('/v1/checkout-sessions', session({ payer: { phone } }));
    expect(made.status).toBe(201);
  });
});

test.each(keyed)('the key of $path', async ({ path, post }) => {
  const content = post.requestBody?.content ?? {};
  const example = (
    content['application/json'] as { examples?: Record<string, { value: object }> } | undefined
  )?.examples;
  const [first] = Object.values(example ?? {});
  const refused =
    'text/csv' in content
      ? await upload<ProblemWithErrors>(scene.tillfront, path, 'x', { key: CARD })
      : await scene.client.post(path, first?.value ?? {}, { ...optionsFor(post), idempotencyKey: CARD });
  // A call about something that is not there may be told that first.
  if (refused.status === 404) return;
  expectRefused(refused, '/Idempotency-Key');
});

test.each([['note', 'resolve', { status: 'failed' }] as const, ['reason', 'refunds', {}] as const])(
  'a security code in a %s is refused, and its name alone is not',
  async (field, path, rest) => {
    const send = (text: string): Promise<Answer<unknown>> =>
      scene.client.post(`/v1/payments/pay_none/${path}`, { ...rest, [field]: text });
    const refused = await send('the payer said cvv 123');
    expect((refused.body as ProblemWithErrors).errors).toEqual([
      { pointer: `/${field}`, message: 'must hold no security code of a card' },
    ]);
    expect((await send('cvv was wrong')).status).toBe(404);
  },
);
