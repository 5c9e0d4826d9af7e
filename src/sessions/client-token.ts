import type { SecretListSource } from '../secrets/secret-source.js';
import { isKeyedHash, keyedHash } from '../secrets/keyed-hash.js';

const PREFIX = 'cst_';

/** What payers' tokens begin with: those of a session, and those of one payment that a payer comes back with. */
const PAYERS_PREFIXES = [PREFIX, 'crt_'];

/** Whether a bearer secret has the form of a payer's token, be it valid or not: no merchant key begins so. */
export function isPayersToken(bearer: string): boolean {
  return PAYERS_PREFIXES.some((prefix) => bearer.startsWith(prefix));
}

/** The browser's bearer secret for one session: `cst_<session id>.<mac>`. Derived, so it is stored nowhere. */
export function clientToken(sessionId: string, secretKeys: SecretListSource): string {
  const [signing = ''] = secretKeys.current();
  return `${PREFIX}${sessionId}.${keyedHash(signing, 'client-token', sessionId)}`;
}

/** The session that a presented token opens, or undefined where it is none of ours. */
export function sessionOfToken(token: string, secretKeys: SecretListSource): string | undefined {
  if (!token.startsWith(PREFIX)) return undefined;
  const dot = token.lastIndexOf('.');
  if (dot < 0) return undefined;
  const sessionId = token.slice(PREFIX.length, dot);
  return isKeyedHash(secretKeys.current(), 'client-token', sessionId, token.slice(dot + 1))
    ? sessionId
    : undefined;
}
