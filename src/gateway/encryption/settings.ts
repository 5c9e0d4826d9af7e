import { sentFields } from '../plan/member-plan.js';
import { fieldsOf, keptNames, type PlacedOperation } from '../plan/words.js';
import { checkTemplate } from '../profile/check/check-template.js';
import { perhaps } from '../profile/nearest.js';
import {
  isOperationKey,
  OPERATION_KEYS,
  type EncryptionProfile,
  type EncryptionSchemeName,
  type Profile,
} from '../profile/format.js';
import { operationFields, SECRET_FIELDS } from '../requests/payment-fields.js';
import { targetOf } from '../requests/places.js';
import { parseTemplate, wordsIn } from '../templates/template.js';
import {
  aes256Cbc,
  aes256Gcm,
  jwe,
  rsaOaep256,
  rsaPkcs1,
  rsaWrappedAes256Gcm,
  type EncryptionScheme,
  tripleDesEcb,
} from './schemes.js';

/** The settings that a profile may give a scheme, in addition to those of every scheme, with the allowed values. */
const settingsOf: Readonly<
  Record<EncryptionSchemeName, Readonly<Record<string, readonly unknown[] | 'any'>>>
> = {
  none: { envelope: 'any', encoding: 'any', ivBytes: 'any', layout: 'any', keyId: 'any', operation: 'any' },
  '3des-ecb': { envelope: 'any', encoding: 'any', plaintext: 'any' },
  'aes-256-cbc': { envelope: 'any', encoding: 'any', ivBytes: [16], layout: 'any', plaintext: 'any' },
  'aes-256-gcm': { envelope: 'any', encoding: 'any', ivBytes: 'any', layout: 'any', plaintext: 'any' },
  'rsa-oaep-256': { envelope: 'any', encoding: 'any', plaintext: 'any' },
  'rsa-pkcs1': { envelope: 'any', encoding: 'any', plaintext: 'any' },
  'rsa-wrapped-aes-256-gcm': {
    ...{ envelope: 'any', encoding: 'any', ivBytes: 'any', layout: ['fields'] },
    plaintext: 'any',
  },
  jwe: { envelope: 'any', encoding: ['base64url'], keyId: 'any', plaintext: 'any' },
  'gateway-endpoint': { envelope: 'any', operation: 'any' },
};

/** The scheme with the profile's settings. Undefined where there is none, or where the gateway encrypts itself. */
export function schemeOf(encryption: EncryptionProfile): EncryptionScheme<unknown> | undefined {
  const { scheme, envelope: place, encoding, ivBytes, layout, keyId } = encryption;
  const name = place === undefined ? undefined : targetOf(place).at(-1);
  switch (scheme) {
    case 'none':
    case 'gateway-endpoint':
      return undefined;
    case '3des-ecb':
      return tripleDesEcb(name ?? 'client', encoding ?? 'base64');
    case 'aes-256-cbc':
      return aes256Cbc({
        layout: layout ?? 'fields',
        encoding: encoding ?? 'hex',
        envelope: name ?? 'data',
      });
    case 'aes-256-gcm':
      return aes256Gcm(
        {
          layout: layout ?? 'iv:ciphertext:tag',
          encoding: encoding ?? 'hex',
          envelope: name ?? 'charge_data',
        },
        ivBytes ?? 12,
      );
    case 'rsa-oaep-256':
      return rsaOaep256(name ?? 'data', encoding ?? 'base64');
    case 'rsa-pkcs1':
      return rsaPkcs1(name ?? 'data', encoding ?? 'base64');
    case 'rsa-wrapped-aes-256-gcm':
      return rsaWrappedAes256Gcm(name ?? 'data', encoding ?? 'base64', ivBytes ?? 12);
    case 'jwe':
      return jwe(name ?? 'data', keyId);
  }
}

/** Finds settings that the scheme does not support, unknown names, and members that would overwrite each other. */
export function checkEncryption(profile: Profile, report: (place: string, message: string) => void): void {
  const { encryption } = profile;
  const allowed = settingsOf[encryption.scheme];
  for (const name of [
    'envelope',
    'encoding',
    'ivBytes',
    'layout',
    'keyId',
    'operation',
    'plaintext',
  ] as const) {
    const value = encryption[name];
    if (value === undefined) continue;
    const values = allowed[name];
    if (values === undefined) report(`/encryption/${name}`, 'is no setting of this scheme');
    else if (values !== 'any' && !values.includes(value)) {
      report(`/encryption/${name}`, 'is a value that this scheme cannot do');
    }
  }
  checkOperations(profile, report);
  checkPlaintext(profile, report);
  if (encryption.scheme === 'gateway-endpoint') checkEncryptingOperation(profile, report);
  const members = new Set(schemeOf(encryption)?.members);
  for (const name of Object.keys(encryption.siblings ?? {})) {
    if (members.has(name)) report(`/encryption/siblings/${name}`, 'is a member of the envelope');
  }
}

/** The operations whose bodies are encrypted, wherever they stand. */
function encryptedOperations(profile: Profile): PlacedOperation[] {
  return profile.encryption.operations.flatMap((key): PlacedOperation[] => {
    const extra = Object.hasOwn(profile.extra, key) ? profile.extra[key] : undefined;
    if (extra) return [{ place: 'extra', key, operation: extra }];
    const operation = isOperationKey(key) ? profile.operations[key] : undefined;
    return operation ? [{ place: 'operations', key, operation }] : [];
  });
}

function checkOperations(profile: Profile, report: (place: string, message: string) => void): void {
  const { operations, scope, scheme } = profile.encryption;
  const encrypted = encryptedOperations(profile);
  for (const [index, key] of operations.entries()) {
    const place = `/encryption/operations/${index}`;
    const found = encrypted.find((placed) => placed.key === key);
    if (found && scheme !== 'none' && found.operation.method === 'GET') {
      report(place, 'is an operation without a body');
    } else if (!found && !(isOperationKey(key) && profile.operations[key] === null)) {
      report(
        place,
        `is no operation of this service${perhaps(key, [...OPERATION_KEYS, ...Object.keys(profile.extra)])}`,
      );
    }
  }
  if (scope === 'body') return;
  const known = new Set(encrypted.flatMap((placed) => sealableNames(placed)));
  for (const [index, name] of scope.entries()) {
    if (!known.has(name))
      report(
        `/encryption/scope/${index}`,
        `is no field of the operations that are encrypted${perhaps(name, known)}`,
      );
  }
}

function checkPlaintext(profile: Profile, report: (place: string, message: string) => void): void {
  const { plaintext, scope, scheme } = profile.encryption;
  if (plaintext === undefined || scheme === 'none' || scheme === 'gateway-endpoint') return;
  const encrypted = encryptedOperations(profile);
  const fields = encrypted.flatMap(({ key, place }) => [...fieldsOf(profile, key, place)]);
  const words = new Set([...fields, ...keptNames(profile)]);
  checkTemplate(plaintext, '/encryption/plaintext', { words, secrets: true }, report);
  const template = parseTemplate(plaintext);
  if (scope === 'body' || typeof template === 'string') return;
  const inIt = new Set(wordsIn(template).filter((word) => SECRET_FIELDS.has(word)));
  const open = encrypted
    .flatMap((placed) => sentFields(profile, placed))
    .filter((name) => inIt.has(name) && !scope.includes(name));
  // Encrypted and beside it in clear is not encrypted.
  if (open.length > 0) {
    report(
      '/encryption/scope',
      `leaves ${[...new Set(open)].join(', ')} in the open body beside the encrypted one`,
    );
  }
}

function checkEncryptingOperation(profile: Profile, report: (place: string, message: string) => void): void {
  const { operation: key } = profile.encryption;
  if (key === undefined) return report('/encryption/operation', 'is missing');
  const operation = isOperationKey(key) ? undefined : profile.operations[key];
  if (!operation) report('/encryption/operation', 'names no operation beside the usual ones');
  else if (operation.method === 'GET') report('/encryption/operation', 'names an operation without a body');
}

/** Every name that a scope can use for a field: the seed's name and the gateway's. */
function sealableNames({ place, key, operation }: PlacedOperation): string[] {
  const { rename = {}, constants = {}, include = [] } = operation;
  const own = place === 'operations' && isOperationKey(key) ? operationFields[key] : [];
  const fields = [...own, ...include];
  return [...fields, ...fields.map((name) => rename[name] ?? name), ...Object.keys(constants)];
}
