import { operationFields, targetOf } from '../requests/operation-fields.js';
import {
  OPERATION_KEYS,
  type EncryptionProfile,
  type EncryptionSchemeName,
  type OperationKey,
  type Profile,
} from '../profile/format.js';
import { aes256Cbc, aes256Gcm } from './aes.js';
import { jwe } from './jwe.js';
import { rsaOaep256, rsaPkcs1, rsaWrappedAes256Gcm } from './rsa.js';
import type { EncryptionScheme } from './scheme.js';
import { tripleDesEcb } from './triple-des.js';

/** The settings that a profile may give a scheme, in addition to those of every scheme, with the allowed values. */
const settingsOf: Readonly<
  Record<EncryptionSchemeName, Readonly<Record<string, readonly unknown[] | 'any'>>>
> = {
  none: { envelope: 'any', encoding: 'any', ivBytes: 'any', layout: 'any', keyId: 'any', operation: 'any' },
  '3des-ecb': { envelope: 'any', encoding: 'any' },
  'aes-256-cbc': { envelope: 'any', encoding: 'any', ivBytes: [16], layout: 'any' },
  'aes-256-gcm': { envelope: 'any', encoding: 'any', ivBytes: 'any', layout: 'any' },
  'rsa-oaep-256': { envelope: 'any', encoding: 'any' },
  'rsa-pkcs1': { envelope: 'any', encoding: 'any' },
  'rsa-wrapped-aes-256-gcm': { envelope: 'any', encoding: 'any', ivBytes: 'any', layout: ['fields'] },
  jwe: { envelope: 'any', encoding: ['base64url'], keyId: 'any' },
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
  for (const name of ['envelope', 'encoding', 'ivBytes', 'layout', 'keyId', 'operation'] as const) {
    const value = encryption[name];
    if (value === undefined) continue;
    const values = allowed[name];
    if (values === undefined) report(`/encryption/${name}`, 'is no setting of this scheme');
    else if (values !== 'any' && !values.includes(value)) {
      report(`/encryption/${name}`, 'is a value that this scheme cannot do');
    }
  }
  checkOperations(profile, report);
  if (encryption.scheme === 'gateway-endpoint') checkEncryptingOperation(profile, report);
  const members = new Set(schemeOf(encryption)?.members);
  for (const name of Object.keys(encryption.siblings ?? {})) {
    if (members.has(name)) report(`/encryption/siblings/${name}`, 'is a member of the envelope');
  }
}

function checkOperations(profile: Profile, report: (place: string, message: string) => void): void {
  const { operations, scope, scheme } = profile.encryption;
  for (const [index, key] of operations.entries()) {
    const place = `/encryption/operations/${index}`;
    if (!isOperationKey(key)) report(place, 'is no operation of this service');
    else if (scheme !== 'none' && profile.operations[key].method === 'GET') {
      report(place, 'is an operation without a body');
    }
  }
  if (scope === 'body') return;
  const known = new Set(operations.filter(isOperationKey).flatMap((key) => sealableNames(profile, key)));
  for (const [index, name] of scope.entries()) {
    if (!known.has(name))
      report(`/encryption/scope/${index}`, 'is no field of the operations that are encrypted');
  }
}

function checkEncryptingOperation(profile: Profile, report: (place: string, message: string) => void): void {
  const { operation: key } = profile.encryption;
  if (key === undefined) return report('/encryption/operation', 'is missing');
  const operation = isOperationKey(key) ? undefined : profile.operations[key];
  if (operation === undefined) report('/encryption/operation', 'names no operation beside the usual ones');
  else if (operation.method === 'GET') report('/encryption/operation', 'names an operation without a body');
}

/** Every name that a scope can use for a field: the seed's name and the gateway's. */
function sealableNames(profile: Profile, key: OperationKey): string[] {
  const { rename = {}, constants = {} } = profile.operations[key];
  const fields = Object.keys(operationFields[key]);
  return [...fields, ...fields.map((name) => rename[name] ?? name), ...Object.keys(constants)];
}

function isOperationKey(key: string): key is OperationKey {
  return (OPERATION_KEYS as readonly string[]).includes(key);
}
