import { hash } from 'node:crypto';
import { isKeyedHash, keyedHash } from '../secrets/keyed-hash.js';

/**
 * The members of bodies by which requests are not compared: too short to be hashed, or encrypted anew each time. All others count, also
 * those that are added later.
 */
const SECRET = ['otp', 'pin', 'encryptedPin', 'encryptedCard'];
const SECRET_OF_CARD = ['cvv', 'pin'];

/** The members of a body that are amounts in major units. */
const AMOUNTS = ['amount', 'amountReceived'];

/** A decimal string, with its digits after the point. */
const DECIMAL = /^([0-9]+)(?:\.([0-9]+))?$/;

type Members = Record<string, unknown>;

/** Names a secret key without revealing it: this much of a hash is enough to tell a few keys apart. */
const KEY_NAME_LENGTH = 12;

/** A rotation needs only a few keys. The limit only bounds memory. */
const MAX_NAMES = 32;
const names = new Map<string, string>();

function keyName(secretKey: string): string {
  let name = names.get(secretKey);
  if (name === undefined) {
    if (names.size >= MAX_NAMES) names.clear();
    name = hash('sha256', `tillfront/key-name/${secretKey}`, 'base64url').slice(0, KEY_NAME_LENGTH);
    names.set(secretKey, name);
  }
  return name;
}

/**
 * A keyed hash of what a request asks for, with the name of the key that made it: `<key name>.<hash>`. The same money is the same
 * request, however its amount is written.
 *
 * @param content the whole validated body. Its cvv, pin and otp are left out: a hash of so few digits could be guessed
 */
export function fingerprint(secretKey: string, path: string, content: unknown): string {
  const text = textOf(path, withPlainAmounts(withoutSecrets(content)));
  return `${keyName(secretKey)}.${keyedHash(secretKey, 'fingerprint', text)}`;
}

/**
 * Whether a stored fingerprint belongs to this request. One that was made with a retired key cannot be compared and
 * counts as equal, since repeating the first answer never charges twice.
 */
export function isSameRequest(
  secretKeys: readonly string[],
  kept: string,
  path: string,
  content: unknown,
): boolean {
  const [name, mac = ''] = kept.split('.');
  const known = secretKeys.filter((secretKey) => keyName(secretKey) === name);
  if (known.length === 0) return true;
  const open = withoutSecrets(content);
  const plain = textOf(path, withPlainAmounts(open));
  const asSent = textOf(path, open);
  // Former versions kept amounts as they were sent.
  return (
    isKeyedHash(known, 'fingerprint', plain, mac) ||
    (asSent !== plain && isKeyedHash(known, 'fingerprint', asSent, mac))
  );
}

const textOf = (path: string, content: unknown): string => `${path}\n${canonicalJson(content)}`;

/** A validated body as it was sent, without its secrets. */
function withoutSecrets(content: unknown): unknown {
  if (!isObject(content)) return content;
  const { card, ...members } = without(content, SECRET);
  if (card !== undefined) members['card'] = isObject(card) ? without(card, SECRET_OF_CARD) : card;
  return members;
}

/**
 * The content with each amount written in one way, so that `10`, `10.0` and `10.00` are the same money: at least two digits after the
 * point, and no more than it needs. Two, because nearly all callers write them: fingerprints kept by former versions stay the same.
 */
function withPlainAmounts(content: unknown): unknown {
  if (!isObject(content)) return content;
  const plain = { ...content };
  for (const name of AMOUNTS) {
    const value = content[name];
    if (typeof value === 'string') plain[name] = plainAmount(value);
  }
  return plain;
}

function isObject(content: unknown): content is Members {
  return typeof content === 'object' && content !== null && !Array.isArray(content);
}

function without(members: Members, names: readonly string[]): Members {
  const rest = { ...members };
  for (const name of names) rest[name] = undefined;
  return rest;
}

function plainAmount(text: string): string {
  const found = DECIMAL.exec(text);
  if (!found) return text;
  const [, whole = '', fraction = ''] = found;
  let needed = fraction.padEnd(2, '0');
  while (needed.length > 2 && needed.endsWith('0')) needed = needed.slice(0, -1);
  return `${whole}.${needed}`;
}

/** JSON with sorted keys and without spaces, so that equal contents give equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = value as Record<string, unknown>;
  let text = '';
  for (const name of sorted(Object.keys(members))) {
    const member = members[name];
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

/** Sorts in place. Objects here have few members, and for those the engine's own sort makes more objects than all else of a fingerprint. */
function sorted(names: string[]): string[] {
  for (let from = 1; from < names.length; from++) {
    const name = names[from] as string;
    let to = from;
    for (; to > 0 && (names[to - 1] as string) > name; to--) names[to] = names[to - 1] as string;
    names[to] = name;
  }
  return names;
}
