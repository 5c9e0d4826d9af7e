import { isLoopbackHost } from '../../../config/addresses.js';
import { parseTemplate, wordsIn } from '../../templates/template.js';
import { isCredentialConstant } from '../credential-names.js';
import type { JsonValue, Profile, TokenProfile } from '../format.js';
import { parsePointer } from '../pointer.js';
import { checkJsonTemplate, type TemplateRules } from './check-template.js';
import { checkHeaderName, checkHeaderText } from './check-headers.js';
import { escapeStep, NOT_A_POINTER, type Report } from './report.js';

const RULES: TemplateRules = {
  words: new Set(['apiKey', 'accessToken', 'timestamp', 'epoch', 'nonce']),
  basic: true,
};

const LITERAL = 'is a credential in plain sight: write {apiKey} or {accessToken}';

/** Reports faults of the request for a token. */
export function checkToken({ token }: Profile, report: Report): void {
  if (!token) return;
  checkAddress(token.path, report);
  for (const [name, text] of Object.entries(token.headers ?? {})) {
    const at = `/token/headers/${escapeStep(name)}`;
    checkHeaderName(name, at, report);
    checkHeaderText(text, at, RULES, report);
    if (isLiteralCredential(name, text)) report(at, LITERAL);
  }
  if (token.body && token.form) report('/token/form', 'stands beside a body, and a request has one of them');
  checkMembers('body', token, report);
  checkMembers('form', token, report);
  if (!parsePointer(token.value) || token.value === '') report('/token/value', NOT_A_POINTER);
  if (typeof token.expiresIn === 'string' && !parsePointer(token.expiresIn)) {
    report('/token/expiresIn', `${NOT_A_POINTER}, nor a number of seconds`);
  }
}

function checkMembers(part: 'body' | 'form', token: TokenProfile, report: Report): void {
  const members = token[part];
  if (!members) return;
  if (token.method === 'GET') report(`/token/${part}`, 'stands in a GET, which has no body');
  for (const [name, value] of Object.entries<JsonValue>(members)) {
    const at = `/token/${part}/${escapeStep(name)}`;
    checkJsonTemplate(value, at, RULES, report);
    if (isLiteralCredential(name, value)) report(at, LITERAL);
  }
}

function checkAddress(path: string, report: Report): void {
  const place = '/token/path';
  if (/[^\x21-\x7e]|[{}#\\"<>^`|]/.test(path)) {
    return report(place, 'has a character that an address cannot have; percent-encode it');
  }
  if (path.startsWith('/')) return;
  const url = URL.canParse(path) ? new URL(path) : undefined;
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname));
  if (!url || !isSecure || url.username !== '' || url.password !== '') {
    report(place, 'must begin with a slash, or be an absolute https address without a user name');
  }
}

/** Whether a value is a credential by its name and has nothing filled in. */
export function isLiteralCredential(name: string, value: JsonValue): boolean {
  return isCredentialConstant(name, literalsOf(value));
}

/** A value with nothing in the place of its templates. */
function literalsOf(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    const template = parseTemplate(value);
    return typeof template === 'object' && wordsIn(template).length > 0 ? '' : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(literalsOf);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, literalsOf(member)]));
}
