import { readFileSync, statSync } from 'node:fs';
import { parse, type ConnectionOptions } from 'pg-connection-string';
import { namedKeysIn } from '../secrets/named-keys.js';
import { SecretFile } from '../secrets/secret-file.js';
import { isLoopbackHost, isPrivateHost, parseHttpUrl } from './addresses.js';
import { readLogo } from './brand.js';
import type { ConfigProblem } from './config-error.js';
import type { Env } from './env.js';
import { rulesInForce } from './production-rules.js';
import type { SecretSources } from './read-env.js';
import { weaknessOf } from './secret-strength.js';
import { SECRET_VARIABLES, type SecretVariable } from './secret-variables.js';
import { tlsFileProblems } from './watch-files.js';

/** Checks the variables against each other, and against production's rules where they apply. Adds to `problems`. */
export function crossCheck(env: Env, sources: SecretSources, problems: ConfigProblem[]): void {
  const malformed = new Set(problems.map(({ variable }) => variable));
  const report = (variable: keyof Env, message: string): void => {
    // A malformed variable is reported only once. Faults that merely follow from it would confuse.
    if (malformed.has(variable) || malformed.has(`${variable}_FILE`)) return;
    const fromFile = sources[variable as SecretVariable] instanceof SecretFile;
    problems.push({ variable: fromFile ? `${variable}_FILE` : variable, message });
  };

  if (env.GATEWAY_BASE_URL === undefined) report('GATEWAY_BASE_URL', 'is required');
  const { production, because } = rulesInForce(env);
  if (production) checkProduction(env, sources, because, report);
  if (env.MANAGEMENT_PORT !== undefined && env.MANAGEMENT_PORT === env.PORT) {
    report('MANAGEMENT_PORT', 'must differ from PORT');
  }
  if (env.MERCHANT_PORT !== undefined && [env.PORT, env.MANAGEMENT_PORT].includes(env.MERCHANT_PORT)) {
    report('MERCHANT_PORT', 'must differ from PORT and MANAGEMENT_PORT');
  }
  if (env.GATEWAY_PROFILE !== undefined && !isReadableFile(env.GATEWAY_PROFILE)) {
    report('GATEWAY_PROFILE', 'names a file that cannot be read');
  }
  checkMerchantKeys(env, report);
  checkWebhook(env, production, report);
  if (env.DATABASE_URL !== undefined && wayToDatabase(env.DATABASE_URL) === 'unreadable') {
    report(
      'DATABASE_URL',
      'has parameters that cannot be used, such as a certificate file that cannot be read',
    );
  }
  checkTlsFiles(env, report);
  const logo = env.MERCHANT_LOGO_FILE === undefined ? undefined : readLogo(env.MERCHANT_LOGO_FILE);
  if (typeof logo === 'string') report('MERCHANT_LOGO_FILE', logo);
}

type Report = (variable: keyof Env, message: string) => void;

/** With real money, every key must be given, every connection must be encrypted, and no secret may be easy to guess. */
function checkProduction(env: Env, sources: SecretSources, because: string, report: Report): void {
  const keys = ['MERCHANT_API_KEY', 'SECRET_KEY', 'CARD_ENCRYPTION_KEY', 'NOTIFICATION_SECRET'] as const;
  for (const name of keys) if (!sources[name]) report(name, `is required with ${because}`);
  for (const name of ['PUBLIC_BASE_URL', 'GATEWAY_BASE_URL', 'MERCHANT_WEBHOOK_URL'] as const) {
    if (isOpenToOthers(env[name])) report(name, `must be https with ${because}`);
  }
  for (const name of ['ALLOWED_ORIGINS', 'ALLOWED_RETURN_ORIGINS'] as const) {
    if (env[name]?.some(isOpenToOthers)) report(name, `may hold only https origins with ${because}`);
  }
  if (env.DATABASE_URL !== undefined && wayToDatabase(env.DATABASE_URL) === 'open') {
    report(
      'DATABASE_URL',
      `must ask for TLS with a checked certificate (sslmode=verify-full) with ${because}`,
    );
  }
  for (const name of Object.keys(SECRET_VARIABLES) as SecretVariable[]) {
    const weakness = env[name] === undefined ? undefined : weaknessOf(name, env[name]);
    if (weakness !== undefined) report(name, `${weakness} with ${because}`);
  }
}

/** Whether an address or origin is plain http to another machine. */
function isOpenToOthers(text: string | undefined): boolean {
  const url = parseHttpUrl(text ?? '');
  return url?.protocol === 'http:' && !isLoopbackHost(url.hostname);
}

/** From the most to the least that a key may do. */
const MERCHANT_KEYS = ['MERCHANT_API_KEY', 'MERCHANT_READ_API_KEY', 'MERCHANT_BOOKS_API_KEY'] as const;

/** A key says what its owner may do, and a name who that is, so no two lists share one. */
function checkMerchantKeys(env: Env, report: Report): void {
  MERCHANT_KEYS.forEach((variable, index) => {
    const own = namedKeysIn(env[variable]);
    for (const other of MERCHANT_KEYS.slice(0, index)) {
      const others = namedKeysIn(env[other]);
      if (own.some(({ key }) => others.some((one) => one.key === key))) {
        report(variable, `holds a key that ${other} holds too; a key stands in one of them`);
        return;
      }
      if (own.some(({ name }) => name !== undefined && others.some((one) => one.name === name))) {
        report(variable, `has a name that ${other} has too; a name tells of one key`);
        return;
      }
    }
  });
}

function checkWebhook(env: Env, production: boolean, report: Report): void {
  if (env.MERCHANT_WEBHOOK_URL === undefined) return;
  if (env.MERCHANT_WEBHOOK_SECRET === undefined) {
    report(
      'MERCHANT_WEBHOOK_SECRET',
      'is required with MERCHANT_WEBHOOK_URL, because every event is signed: `echo "whsec_$(openssl rand -base64 32)"` makes one',
    );
  }
  const allowPrivate = env.WEBHOOK_ALLOW_PRIVATE ?? !production;
  const url = parseHttpUrl(env.MERCHANT_WEBHOOK_URL);
  if (url && !allowPrivate && isPrivateHost(url.hostname)) {
    report(
      'MERCHANT_WEBHOOK_URL',
      'is a private or loopback address, which WEBHOOK_ALLOW_PRIVATE does not allow',
    );
  }
}

function checkTlsFiles(env: Env, report: Report): void {
  const {
    GATEWAY_CA_FILE: caFile,
    GATEWAY_CLIENT_CERT_FILE: clientCertFile,
    GATEWAY_CLIENT_KEY_FILE: clientKeyFile,
  } = env;
  if ((clientCertFile === undefined) !== (clientKeyFile === undefined)) {
    report(
      clientCertFile === undefined ? 'GATEWAY_CLIENT_CERT_FILE' : 'GATEWAY_CLIENT_KEY_FILE',
      'is missing: client certificate and key go together',
    );
  }
  const files = {
    ...(caFile !== undefined && { caFile }),
    ...(clientCertFile !== undefined && { clientCertFile }),
    ...(clientKeyFile !== undefined && { clientKeyFile }),
  };
  for (const { variable, message } of tlsFileProblems(files)) report(variable, message);
}

function isReadableFile(path: string): boolean {
  try {
    return statSync(path).isFile() && readFileSync(path) instanceof Buffer;
  } catch {
    return false;
  }
}

/**
 * How the connection to the database is protected: it stays on this machine (loopback or a socket), it uses TLS with a
 * checked certificate, or it is unprotected. `unreadable`: the address names certificate files that cannot be read, or
 * parameters that exclude each other.
 */
export type DatabaseWay = 'local' | 'secured' | 'open' | 'unreadable';

/** Modes that use TLS or refuse to connect. `prefer` and `allow` use TLS only if the server offers it. */
const TLS_OR_NOTHING: readonly unknown[] = ['require', 'verify-ca', 'verify-full'];

/**
 * Classifies a well-formed `DATABASE_URL` the way the driver understands it. A `host` parameter overrides the host. With
 * `uselibpqcompat=true`, an `sslmode=require` without `sslrootcert` trusts any certificate, as `no-verify` always does.
 */
function wayToDatabase(url: string): DatabaseWay {
  let client: ConnectionOptions;
  try {
    client = parse(url);
  } catch {
    return 'unreadable';
  }
  const { host, ssl, sslmode } = client;
  if (host?.startsWith('/') || isLoopbackHost(host ?? '')) return 'local';
  if (sslmode !== undefined && !TLS_OR_NOTHING.includes(sslmode)) return 'open';
  const checked = ssl === true || (typeof ssl === 'object' && ssl.rejectUnauthorized !== false);
  return checked ? 'secured' : 'open';
}
