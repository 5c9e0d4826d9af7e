import { describe, expect, test } from '@jest/globals';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultProfile } from './default-profile.js';
import { CREDENTIAL_IN_PROFILE } from './credential-names.js';
import { loadProfile, parseProfile, ProfileError } from './load.js';

/** Every problem of a profile, each as `place message`. */
function problemsOf(file: unknown): string[] {
  try {
    parseProfile(typeof file === 'string' ? file : JSON.stringify(file));
    return [];
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    return error.problems.map(({ place, message }) => `${place} ${message}`);
  }
}

describe('the built-in profile', () => {
  test('is what an empty file makes', () => {
    expect(loadProfile()).toBe(defaultProfile);
    expect(parseProfile('{}')).toEqual(defaultProfile);
  });

  test('can itself be written as a file', () => {
    expect(parseProfile(JSON.stringify({ $schema: './profile.schema.json', ...defaultProfile }))).toEqual(
      defaultProfile,
    );
  });
});

describe('a file', () => {
  test('changes what it names and leaves the rest', () => {
    const profile = parseProfile(
      JSON.stringify({
        operations: {
          validateOtp: {
            path: '/otp/validate',
            rename: { client_ref: 'reference' },
            constants: { channel: 'WEB' },
          },
          initiateWallet: { outcome: { status: ['/order/state'] } },
        },
        card: { expiryYear: 'YY' },
        outcome: { meanings: { succeeded: ['PAID'] }, amountOptional: false },
        notification: { signature: { scheme: 'hmac-sha256', header: 'X-Sig' } },
        confirmed: ['validateOtp'],
      }),
    );
    expect(profile.operations.validateOtp).toEqual({
      method: 'POST',
      path: '/otp/validate',
      credentials: true,
      rename: { client_ref: 'reference' },
      constants: { channel: 'WEB' },
    });
    expect(profile.operations.payCard).toBe(defaultProfile.operations.payCard);
    expect(profile.operations['initiateWallet']?.outcome).toEqual({ status: ['/order/state'] });
    expect(profile.card).toEqual({ ...defaultProfile.card, expiryYear: 'YY' });
    expect(profile.outcome.meanings).toEqual({ ...defaultProfile.outcome.meanings, succeeded: ['PAID'] });
    expect(profile.outcome.amountOptional).toBe(false);
    expect(profile.notification.signature).toEqual({
      scheme: 'hmac-sha256',
      header: 'X-Sig',
      encoding: 'hex',
      prefix: '',
    });
    expect(profile.confirmed).toEqual(['validateOtp']);
  });

  test('is read from its path, with or without a byte order mark', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'profile-')), 'profile.json');
    writeFileSync(path, '\uFEFF{"card":{"expiryYear":"YY"}}');
    expect(loadProfile(path).card.expiryYear).toBe('YY');
  });

  test.each<[string, unknown, string]>([
    ['not JSON', '{\n  "card": 1,\n  oops }', ' is not JSON: line 3, column 3'],
    ['half a file', '{ "card": {', ' is not JSON: line 1, column 12'],
    ['nothing', '', ' is not JSON: line 1, column 1'],
    ['a key twice', '{"card":{},\n "card":{}}', '/card stands twice: line 2, column 2'],
    ['a list', [], ' must be object'],
    ['an unknown part', { cards: {} }, '/cards is an unknown key'],
    ['an unknown key', { card: { expiry: 'YY' } }, '/card/expiry is an unknown key'],
    [
      'an unknown operation',
      { operations: { reverse: { method: 'POST', path: '/r', credentials: true } } },
      '/operations/reverse is no operation of this service, nor the one that encryption.operation names',
    ],
    [
      'an unknown key of an operation',
      { operations: { void: { pth: '/x' } } },
      '/operations/void/pth is an unknown key',
    ],
    [
      'a wrong type',
      { operations: { void: { credentials: 7 } } },
      '/operations/void/credentials must be boolean,string',
    ],
    [
      'a method',
      { operations: { void: { method: 'DELETE' } } },
      '/operations/void/method must be one of GET, POST, PUT',
    ],
    [
      'a path without its slash',
      { operations: { void: { path: 'void' } } },
      '/operations/void/path must begin with a slash',
    ],
    [
      'a path with a blank',
      { operations: { void: { path: '/a b' } } },
      '/operations/void/path has a character that a path cannot have; percent-encode it',
    ],
    [
      'half a placeholder',
      { operations: { void: { path: '/{client_ref' } } },
      '/operations/void/path has a character that a path cannot have; percent-encode it',
    ],
    [
      'a card number in a path',
      { operations: { payCard: { path: '/pay/{cardNumber}' } } },
      '/operations/payCard/path has a placeholder that this operation cannot fill in',
    ],
    [
      'a bank code where there is none',
      { operations: { void: { path: '/{bankCode}' } } },
      '/operations/void/path has a placeholder that this operation cannot fill in',
    ],
    [
      'a secret header',
      { operations: { void: { headers: { 'X-Api-Key': 'k' } } } },
      `/operations/void/headers/X-Api-Key ${CREDENTIAL_IN_PROFILE}`,
    ],
    [
      'a secret constant',
      { operations: { void: { constants: { '/auth/apiKey': 'k' } } } },
      `/operations/void/constants/~1auth~1apiKey ${CREDENTIAL_IN_PROFILE}`,
    ],
    [
      'a secret inside a constant',
      { operations: { void: { constants: { merchant: { id: 7, login: [{ password: 'p' }] } } } } },
      `/operations/void/constants/merchant ${CREDENTIAL_IN_PROFILE}`,
    ],
    [
      'a secret in a path',
      { operations: { void: { path: '/void?merchant=7&api_key=k' } } },
      `/operations/void/path has a query that ${CREDENTIAL_IN_PROFILE}`,
    ],
    [
      'a secret beside the envelope',
      { encryption: { siblings: { clientSecret: 's' } } },
      `/encryption/siblings/clientSecret ${CREDENTIAL_IN_PROFILE}`,
    ],
    [
      'a line break in a header',
      { operations: { void: { headers: { 'x-a': 'a\r\nb: c' } } } },
      '/operations/void/headers/x-a has a character that a header cannot have',
    ],
    [
      'a header name',
      { operations: { void: { headers: { 'x a': '' } } } },
      '/operations/void/headers/x a is no name of a header',
    ],
    [
      'renaming what is not there',
      { operations: { void: { rename: { amount: 'sum' } } } },
      '/operations/void/rename/amount is no field of this operation',
    ],
    [
      'a bad target',
      { operations: { void: { rename: { client_ref: '/a~b' } } } },
      '/operations/void/rename/client_ref is not a JSON pointer (RFC 6901)',
    ],
    [
      'a target that reaches a prototype',
      { operations: { void: { rename: { client_ref: '/__proto__/x' } } } },
      '/operations/void/rename/client_ref is not a JSON pointer (RFC 6901)',
    ],
    [
      'two fields to one place',
      { operations: { void: { rename: { client_ref: 'id', transactionRef: '/id' } } } },
      '/operations/void/rename/transactionRef goes to the same place as another field',
    ],
    [
      'a field inside another',
      { operations: { void: { rename: { transactionRef: '/client_ref/x' } } } },
      '/operations/void/rename/transactionRef goes to the same place as another field',
    ],
    [
      'a constant inside a field',
      { operations: { void: { constants: { '/client_ref/x': 1 } } } },
      '/operations/void/constants/~1client_ref~1x stands inside another field, or another field inside it',
    ],
    [
      'a status query without the payment',
      { operations: { transactionStatus: { path: '/transaction' } } },
      '/operations/transactionStatus carries neither',
    ],
    [
      'a status query whose body leaves the payment out',
      { operations: { transferUssdStatus: { omit: ['client_ref', 'transactionRef'] } } },
      '/operations/transferUssdStatus carries neither',
    ],
    [
      'a status query whose constants stand in the payment’s place',
      {
        operations: {
          transferUssdStatus: {
            omit: ['transactionRef'],
            rename: { client_ref: '/order/id' },
            constants: { '/order/id': 'x' },
          },
        },
      },
      '/operations/transferUssdStatus carries neither',
    ],
    [
      'omitting what is not there',
      { operations: { void: { omit: ['cvv'] } } },
      '/operations/void/omit/0 is no field of this operation',
    ],
    ['omitting what no card has', { card: { omit: ['iban'] } }, '/card/omit/0 is no field of this operation'],
    [
      'a pointer',
      { outcome: { status: ['data/status'] } },
      '/outcome/status/0 is not a JSON pointer (RFC 6901)',
    ],
    [
      'a pointer of an operation',
      { operations: { void: { outcome: { amount: ['/a~'] } } } },
      '/operations/void/outcome/amount/0 is not a JSON pointer (RFC 6901)',
    ],
    [
      'a pointer of the banks',
      { ussdBanks: { code: 'code' } },
      '/ussdBanks/code is not a JSON pointer (RFC 6901)',
    ],
    [
      'a pointer of notifications',
      { notification: { reference: ['/a~'] } },
      '/notification/reference/0 is not a JSON pointer (RFC 6901)',
    ],
    [
      'a status of notifications',
      { notification: { status: ['/a~'] } },
      '/notification/status/0 is not a JSON pointer (RFC 6901)',
    ],
    [
      'a regular expression',
      { outcome: { require: [{ pointer: '/a', matches: '(' }] } },
      '/outcome/require/0/matches is not a regular expression',
    ],
    [
      'a condition without a condition',
      { outcome: { require: [{ pointer: '/a' }] } },
      '/outcome/require/0 must be exactly one of the forms that are possible here',
    ],
    [
      'a condition with two',
      { outcome: { require: [{ pointer: '/a', in: ['b'], matches: 'b' }] } },
      '/outcome/require/0 must be exactly one of the forms that are possible here',
    ],
    [
      'a word with two meanings',
      { outcome: { meanings: { succeeded: ['OK'], failed: ['NO', 'ok'] } } },
      '/outcome/meanings/failed/1 is listed under succeeded too',
    ],
    [
      'a decline with two reasons',
      { declines: { wrongPin: ['Mot de passe erroné'], wrongCode: ['MOT DE PASSE ERRONÉ'] } },
      '/declines/wrongPin/0 is listed under wrongCode too',
    ],
    ['a reason that there is not', { declines: { poor: ['51'] } }, '/declines/poor is an unknown key'],
    [
      'a PIN of a brand that there is not',
      { card: { pin: { when: 'with', brands: ['verv'] } } },
      '/card/pin/brands/0 is no brand of a card; perhaps "verve" is meant',
    ],
    ['a PIN of no brand', { card: { pin: { when: 'with' } } }, '/card/pin/brands are missing'],
    [
      'a PIN with the card that is not sent',
      { card: { omit: ['card_pin'], pin: { when: 'with', brands: ['verve'] } } },
      '/card/pin/when asks for a PIN with the card, and payCard does not send card_pin',
    ],
    ['a filler that is not empty', { card: { emptyAs: 'n/a' } }, '/card/emptyAs must be ""'],
    [
      'an amount both needed and ignored',
      { outcome: { amountUnit: 'ignore', amountOptional: false } },
      '/outcome/amountOptional asks for an amount that amountUnit says to ignore',
    ],
    ['an unknown confirmation', { confirmed: ['everything'] }, '/confirmed/0 must be one of'],
    ['no depth', { card: { colorDepths: [] } }, '/card/colorDepths must NOT have fewer than 1 items'],
    [
      'a setting of another scheme',
      { encryption: { scheme: 'jwe', layout: 'fields' } },
      '/encryption/layout is no setting of this scheme',
    ],
    [
      'a setting that a scheme cannot do',
      { encryption: { scheme: 'aes-256-cbc', ivBytes: 12 } },
      '/encryption/ivBytes is a value that this scheme cannot do',
    ],
    [
      'a key in the profile',
      { encryption: { scheme: 'jwe', key: 'x' } },
      '/encryption/key is an unknown key',
    ],
    [
      'an unknown field in the scope',
      { encryption: { scheme: 'jwe', scope: ['iban'] } },
      '/encryption/scope/0 is no field of the operations that are encrypted',
    ],
    [
      'an encrypted GET',
      { encryption: { scheme: 'jwe', operations: ['transactionStatus'] } },
      '/encryption/operations/0 is an operation without a body',
    ],
    [
      'an unknown encrypted operation',
      { encryption: { scheme: 'jwe', operations: ['pay'] } },
      '/encryption/operations/0 is no operation of this service',
    ],
    [
      'a sibling in the envelope',
      { encryption: { scheme: '3des-ecb', siblings: { client: 1 } } },
      '/encryption/siblings/client is a member of the envelope',
    ],
    [
      'no encrypting operation',
      { encryption: { scheme: 'gateway-endpoint' } },
      '/encryption/operation is missing',
    ],
    [
      'an encrypting operation that is not there',
      { encryption: { scheme: 'gateway-endpoint', operation: 'encrypt' } },
      '/encryption/operation names no operation beside the usual ones',
    ],
    [
      'an encrypting operation that moves money',
      { encryption: { scheme: 'gateway-endpoint', operation: 'void' } },
      '/encryption/operation names no operation beside the usual ones',
    ],
    [
      'an incomplete encrypting operation',
      {
        encryption: { scheme: 'gateway-endpoint', operation: 'encrypt' },
        operations: { encrypt: { method: 'POST', path: '/e' } },
      },
      '/operations/encrypt/credentials is missing',
    ],
  ])('with %s stops', (_name, file, expected) => {
    const [problem, ...others] = problemsOf(file);
    expect(problem?.slice(0, expected.length)).toBe(expected);
    expect(others).toEqual([]);
  });

  test('names every problem at once', () => {
    const file = {
      operations: { void: { path: 'void' }, payCard: { rename: { nothing: 'x' } } },
      outcome: { status: ['x'], require: [{ pointer: '/a', matches: '[' }] },
    };
    expect(problemsOf(file)).toHaveLength(4);
  });

  test('never shows a value', () => {
    const secret = 'sk_live_do_not_print';
    const file = {
      operations: {
        void: { path: secret, headers: { 'x-a': `${secret}\n` }, omit: [secret], method: secret },
      },
      outcome: {
        status: [secret],
        require: [{ pointer: secret, matches: `(${secret}` }],
        amountUnit: secret,
      },
      encryption: { scheme: secret, scope: [secret] },
      confirmed: [secret],
    };
    const semantic = {
      operations: { void: { ...file.operations.void, method: 'POST' } },
      outcome: { ...file.outcome, amountUnit: 'major' },
      encryption: { scheme: 'jwe', scope: [secret], operations: [secret] },
    };
    const seen = [...problemsOf(file), ...problemsOf(semantic), ...problemsOf(`{"a":"${secret}`)];
    expect(seen.length).toBeGreaterThan(6);
    expect(seen.join('\n')).not.toContain(secret);
  });

  test('tells what has the wrong form and what does not fit, all at once', () => {
    const file = {
      colour: 'red',
      operations: { void: { method: 'FETCH', path: 'no-slash' } },
      outcome: { status: ['data'], amountUnit: 'pounds' },
    };
    expect(problemsOf(file).map((problem) => problem.split(' ')[0])).toEqual(
      expect.arrayContaining([
        '/colour',
        '/operations/void/method',
        '/operations/void/path',
        '/outcome/status/0',
        '/outcome/amountUnit',
      ]),
    );
  });

  test('that cannot be read stops', () => {
    expect(() => loadProfile('/nowhere/profile.json')).toThrow(
      new ProfileError([{ place: '', message: 'cannot be read' }]),
    );
  });

  test('may bring the operation that encrypts', () => {
    const encrypt = { method: 'POST', path: '/encrypt', credentials: true };
    const profile = parseProfile(
      JSON.stringify({
        operations: { encrypt },
        encryption: { scheme: 'gateway-endpoint', operation: 'encrypt' },
      }),
    );
    expect(profile.operations['encrypt']).toEqual(encrypt);
  });
});
