import { describe, expect, test } from '@jest/globals';
import { CREDENTIAL_IN_PROFILE } from './credential-names.js';
import { parseProfile, ProfileError } from './load.js';

/** Every problem of a profile, each as `place message`. */
function problemsOf(file: unknown): string[] {
  try {
    parseProfile(JSON.stringify(file));
    return [];
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    return error.problems.map(({ place, message }) => `${place} ${message}`);
  }
}

const order = { method: 'POST', path: '/orders', credentials: true };
const token = { method: 'POST', path: '/token', value: '/access_token', expiresIn: '/expires_in' };
const signed = { sign: { scheme: 'hmac-sha512', key: 'apiKey', over: '{body}' } };

describe('a profile is refused', () => {
  test.each<[string, object, string]>([
    [
      'a misspelt key',
      { operations: { void: { pth: '/x' } } },
      '/operations/void/pth is an unknown key; perhaps "path" is meant',
    ],
    [
      'a misspelt part',
      { notificaton: {} },
      '/notificaton is an unknown key; perhaps "notification" is meant',
    ],
    [
      'a misspelt operation',
      { operations: { voids: order } },
      '/operations/voids is no operation of this service, nor the one that encryption.operation names; perhaps "void" is meant',
    ],
    [
      'a misspelt choice',
      { encryption: { scheme: 'aes-256-gmc' } },
      '/encryption/scheme must be one of none, 3des-ecb, aes-256-cbc, aes-256-gcm',
    ],
    [
      'a misspelt word',
      { operations: { void: { constants: { a: '{payerEmial}' } } } },
      '/operations/void/constants/a has a word that is unknown here; perhaps "payerEmail" is meant; possible are {client_ref}',
    ],
    [
      'a word that the operation never has',
      { operations: { void: { constants: { a: '{bankCode}' } } } },
      '/operations/void/constants/a has a word that is unknown here',
    ],
    [
      'an open brace',
      { operations: { void: { constants: { a: 'x{' } } } },
      '/operations/void/constants/a has a { that nothing closes: {{ writes a brace',
    ],
    [
      'a look into an answer that is not there',
      { operations: { void: { constants: { a: '{/data}' } } } },
      '/operations/void/constants/a has a pointer, which looks into an answer, and here there is none',
    ],
    [
      'a credential outside the sets',
      { operations: { void: { constants: { a: '{apiKey}' } } } },
      '/operations/void/constants/a has a word of credentials',
    ],
    [
      'a card number in a header',
      { operations: { payCard: { headers: { 'x-card': '{cardNumber}' } } } },
      '/operations/payCard/headers/x-card has a word that is unknown here: card secrets may stand in bodies',
    ],
    [
      'a card number in a query',
      { operations: { payCard: { method: 'GET', encode: 'query' } } },
      '/operations/payCard/encode would write card secrets into an address',
    ],
    [
      'a card secret in credentials',
      { credentials: { default: { 'x-a': '{cvv}' } } },
      '/credentials/default/x-a has a word that is unknown here',
    ],
    [
      'a credential in an operation’s headers',
      { operations: { void: { headers: { authorization: 'Bearer {transactionRef}' } } } },
      `/operations/void/headers/authorization ${CREDENTIAL_IN_PROFILE}`,
    ],
    [
      'a rename on a GET',
      { operations: { transactionStatus: { rename: { client_ref: 'ref' } } } },
      '/operations/transactionStatus/rename changes a body, and a GET has none: "encode": "query"',
    ],
    [
      'constants on a GET',
      { operations: { transactionStatus: { constants: { a: 1 } } } },
      '/operations/transactionStatus/constants changes a body',
    ],
    [
      'a form on a GET',
      { operations: { transactionStatus: { encode: 'form' } } },
      '/operations/transactionStatus/encode writes a body, and a GET has none',
    ],
    [
      'a query on a POST',
      { operations: { void: { encode: 'query' } } },
      '/operations/void/encode writes a query, which only a GET has',
    ],
    [
      'an index that makes no list',
      { operations: { void: { rename: { client_ref: '/items/1' } } } },
      '/operations/void/rename/client_ref writes by an index that makes no list',
    ],
    [
      'an index at the top',
      { operations: { void: { constants: { '/0': 1 } } } },
      '/operations/void/constants/~10 writes by an index that makes no list',
    ],
    [
      'renaming a field that is not sent',
      { operations: { void: { rename: { payerEmail: 'mail' } } } },
      '/operations/void/rename/payerEmail is no field of this operation: name it in "include" first',
    ],
    [
      'including what is not there',
      { operations: { void: { include: ['payerEmial'] } } },
      '/operations/void/include/0 is no field of this operation; perhaps "payerEmail" is meant',
    ],
    [
      'a condition of no field',
      { operations: { void: { constants: { a: { value: 1, when: 'payerPhon' } } } } },
      '/operations/void/constants/a/when is no field of this operation; perhaps "payerPhone" is meant',
    ],
    [
      'a condition inside',
      { operations: { void: { constants: { a: { b: { value: 1, when: 'payerPhone' } } } } } },
      '/operations/void/constants/a/b has "value" and "when" inside another constant',
    ],
    [
      'a set that is not there',
      { credentials: { signed: { 'x-a': '{apiKey}' } }, operations: { void: { credentials: 'singed' } } },
      '/operations/void/credentials names a set that "credentials" does not have; perhaps "signed" is meant',
    ],
    [
      'a secret in a set',
      { credentials: { default: { authorization: 'Bearer sk_live_1' } } },
      '/credentials/default/authorization is a credential in plain sight',
    ],
    [
      'a signature that nobody makes',
      { credentials: { default: { 'x-a': '{signature}' } } },
      '/credentials/default/x-a has a word that is unknown here',
    ],
    [
      'a signature that nobody sends',
      { credentials: { default: { 'x-a': '{apiKey}', ...signed } } },
      '/credentials/default/sign makes a {signature} that no header of the set has',
    ],
    [
      'a token that nobody fetches',
      { credentials: { default: { 'x-a': '{token}' } } },
      '/credentials/default/x-a has {token}, and the profile has no "token"',
    ],
    [
      'a token over http',
      { token: { ...token, path: 'http://auth.example/token' } },
      '/token/path must begin with a slash, or be an absolute https address',
    ],
    [
      'a secret in the token’s body',
      { token: { ...token, body: { client_secret: 'abc' } } },
      '/token/body/client_secret is a credential in plain sight',
    ],
    [
      'two bodies of a token',
      { token: { ...token, body: {}, form: {} } },
      '/token/form stands beside a body',
    ],
    [
      'a token without its life',
      { token: { ...token, expiresIn: undefined } },
      '/token/expiresIn is missing',
    ],
    [
      'a call before that is not there',
      { operations: { payCard: { before: 'creatOrder' } }, extra: { createOrder: order } },
      '/operations/payCard/before names nothing in "extra"; perhaps "createOrder" is meant',
    ],
    [
      'a call before a call before',
      { extra: { a: { ...order, before: 'b' } } },
      '/extra/a/before is an unknown key',
    ],
    ['an operation’s name in extra', { extra: { void: order } }, '/extra/void has the name of an operation'],
    [
      'a kept name that means something',
      { operations: { payCard: { keep: { amount: '/a' } } } },
      '/operations/payCard/keep/amount is a name that a kept value cannot have',
    ],
    [
      'a kept value that is a whole answer',
      { operations: { payCard: { keep: { order: '' } } } },
      '/operations/payCard/keep/order is not a JSON pointer',
    ],
    [
      'a redirect to nowhere',
      { outcome: { redirectUrl: 'checkout/{/id}' } },
      '/outcome/redirectUrl is neither a pointer nor the template of an https address',
    ],
    [
      'a redirect by PUT',
      { outcome: { redirectMethod: 'PUT' } },
      '/outcome/redirectMethod is neither a pointer nor GET or POST',
    ],
    [
      'a status that always means the same',
      { outcome: { readStatuses: [401] } },
      '/outcome/readStatuses/0 must be one of 400, 402, 404',
    ],
    [
      'a hash without the secret',
      { notification: { signature: { scheme: 'sha512', over: '{/id}' } } },
      '/notification/signature/over must be a template with {secret}',
    ],
    [
      'a signed part without a signature',
      { notification: { signature: { over: '/data' } } },
      '/notification/signature/over names what is signed, and this scheme signs nothing',
    ],
    [
      'a separator that is a letter',
      { reference: { separator: 'x' } },
      '/reference/separator must be characters other than letters',
    ],
    [
      'a plain text that is not encrypted',
      { encryption: { plaintext: '{cardNumber}' } },
      '/encryption/plaintext is no setting of this scheme',
    ],
    [
      'a card beside its own encryption',
      { encryption: { scheme: 'rsa-pkcs1', scope: ['cvv'], plaintext: '{cardNumber}{cvv}' } },
      '/encryption/scope leaves cardNumber in the open body',
    ],
  ])('with %s', (_name, file, expected) => {
    const [problem, ...others] = problemsOf(file);
    expect(problem?.slice(0, expected.length)).toBe(expected);
    expect(others.filter((other) => !other.startsWith(problem?.split(' ')[0] ?? ''))).toEqual([]);
  });

  test('with every fault at once, wherever it stands', () => {
    const file = {
      credentials: { default: { authorization: 'Bearer {apiKeys}' } },
      extra: { createOrder: { ...order, include: ['nothing'] } },
      operations: { void: { constants: { a: '{b}' }, amountUnit: 'pounds' } },
      notification: { methods: ['PATCH'] },
    };
    expect(problemsOf(file).map((problem) => problem.split(' ')[0])).toEqual([
      ...['/operations/void/amountUnit', '/notification/methods/0', '/operations/void/constants/a'],
      ...['/extra/createOrder/include/0', '/credentials/default/authorization'],
    ]);
  });
});

test('a gateway may lack an operation', () => {
  expect(parseProfile('{"operations":{"void":null}}').operations['void']).toBeNull();
});
