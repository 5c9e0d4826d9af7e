import type { Secret } from '../secrets/secret.js';
import { isKeyedHash, keyedHash } from '../secrets/keyed-hash.js';

const PREFIX = 'cst_';

/** How payers' tokens begin: those of a session, and those for one payment after a payer's return. */
const PAYERS_PREFIXES = [PREFIX, 'crt_'];

/** Whether a bearer secret looks like a payer's token, valid or not. No merchant key begins like one. */
export function isPayersToken(bearer: string): boolean {
  return PAYERS_PREFIXES.some((prefix) => bearer.startsWith(prefix));
}

/** The browser's bearer secret for one session: `cst_<session id>.<mac>`. Derived, so it is stored nowhere. */
export function clientToken(sessionId: string, secretKeys: Secret<readonly string[]>): string {
  const [signing = ''] = secretKeys.unwrap();
  return `${PREFIX}${sessionId}.${keyedHash(signing, 'client-token', sessionId)}`;
}

/** The session that a token belongs to; undefined where the token is not genuine. */
export function sessionOfToken(token: string, secretKeys: Secret<readonly string[]>): string | undefined {
  if (!token.startsWith(PREFIX)) return undefined;
  const dot = token.lastIndexOf('.');
  if (dot < 0) return undefined;
  const sessionId = token.slice(PREFIX.length, dot);
  return isKeyedHash(secretKeys.unwrap(), 'client-token', sessionId, token.slice(dot + 1))
    ? sessionId
    : undefined;
}
