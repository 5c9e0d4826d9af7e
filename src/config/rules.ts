import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse, type ConnectionOptions } from 'pg-connection-string';
import { namedKeysIn } from '../secrets/named-keys.js';
import { isLoopbackHost, parseHttpUrl } from './addresses.js';
import { readLogo } from './brand.js';
import { entriesOf } from './checks.js';
import type { Env } from './env.js';
import type { ReadEnv } from './read-env.js';

/** Why production's rules apply: `NODE_ENV=production`, `GATEWAY_MODE=live`, or both. Undefined where they do not. */
export function productionBecause(env: { NODE_ENV?: string; GATEWAY_MODE?: string }): string | undefined {
  const calls = [
    ...(env.NODE_ENV === 'production' ? ['NODE_ENV=production'] : []),
    ...(env.GATEWAY_MODE === 'live' ? ['GATEWAY_MODE=live'] : []),
  ];
  return calls.length > 0 ? calls.join(' and ') : undefined;
}

type Report = (variable: keyof Env, message: string) => void;

/** Checks the variables against each other, and against production's rules where they apply. Adds to `problems`. */
export function crossCheck({ values: env, problems, givenAs }: ReadEnv): void {
  const malformed = new Set(problems.map(({ variable }) => variable));
  const report: Report = (name, message) => {
    const variable = givenAs(name);
    // Faults that follow from a malformed variable would confuse.
    if (!malformed.has(variable)) problems.push({ variable, message });
  };
  if (env.GATEWAY_BASE_URL === undefined) report('GATEWAY_BASE_URL', 'is required');
  const because = productionBecause(env);
  if (because !== undefined) checkProduction(env, because, report);
  const ports = [env.PORT, env.MANAGEMENT_PORT, env.MERCHANT_PORT];
  if (ports[1] === ports[0]) report('MANAGEMENT_PORT', 'must differ from PORT');
  if (env.MERCHANT_PORT !== undefined && ports.indexOf(env.MERCHANT_PORT) < 2)
    report('MERCHANT_PORT', 'must differ from PORT and MANAGEMENT_PORT');
  if (env.NOT_FOUND_GRACE_SECONDS * 1000 < env.GATEWAY_TIMEOUT_MS + 5_000)
    report('NOT_FOUND_GRACE_SECONDS', 'must exceed GATEWAY_TIMEOUT_MS by 5 seconds');
  checkMerchantKeys(env, report);
  if (env.MERCHANT_WEBHOOK_URL !== undefined && env.MERCHANT_WEBHOOK_SECRET === undefined)
    report('MERCHANT_WEBHOOK_SECRET', 'is required with MERCHANT_WEBHOOK_URL, because every event is signed');
  if (env.DATABASE_URL !== undefined && !attempt(() => parse(env.DATABASE_URL ?? '')))
    report('DATABASE_URL', 'names a certificate file that cannot be read');
  checkFiles(env, report);
}

/** With real money, every key is given, every connection encrypted, and no merchant key short. */
function checkProduction(env: Env, because: string, report: Report): void {
  for (const name of [
    'MERCHANT_API_KEY',
    'SECRET_KEY',
    'CARD_ENCRYPTION_KEY',
    'NOTIFICATION_SECRET',
  ] as const)
    if (env[name] === undefined) report(name, `is required with ${because}`);
  for (const name of ['PUBLIC_BASE_URL', 'GATEWAY_BASE_URL', 'MERCHANT_WEBHOOK_URL'] as const)
    if (isOpenToOthers(env[name])) report(name, `must be https with ${because}`);
  for (const name of ['ALLOWED_ORIGINS', 'ALLOWED_RETURN_ORIGINS'] as const)
    if (entriesOf(env[name]).some(isOpenToOthers))
      report(name, `may hold only https origins with ${because}`);
  if (env.DATABASE_URL !== undefined && isOpenDatabase(env.DATABASE_URL))
    report(
      'DATABASE_URL',
      `must ask for TLS with a checked certificate (sslmode=verify-full) with ${because}`,
    );
  for (const name of [...MERCHANT_KEYS, 'MERCHANT_WEBHOOK_SECRET'] as const)
    if (namedKeysIn(env[name]).some(({ key }) => DEMO.includes(key)))
      report(name, `must not be the demo's with ${because}`);
  for (const name of MERCHANT_KEYS)
    if (namedKeysIn(env[name]).some(({ key }) => key.length < 32 || new Set(key).size < 12))
      report(
        name,
        `must have at least 32 characters, 12 of them different (openssl rand -base64 32) with ${because}`,
      );
}

const MERCHANT_KEYS = ['MERCHANT_API_KEY', 'MERCHANT_READ_API_KEY', 'MERCHANT_BOOKS_API_KEY'] as const;

/** What everybody can read in the demo. */
const DEMO = [
  'demo-merchant-key-for-loopback-only',
  `whsec_${Buffer.from('a secret that is fit for the demo only').toString('base64')}`,
];

/** A key has one set of rights, and a name one key. */
function checkMerchantKeys(env: Env, report: Report): void {
  const seen = new Map<string, string>();
  for (const variable of MERCHANT_KEYS) {
    const words = namedKeysIn(env[variable]).flatMap(({ name, key }) => [
      `key ${key}`,
      ...(name ? [name] : []),
    ]);
    const other = words.map((word) => seen.get(word)).find((found) => found !== undefined);
    if (other !== undefined) report(variable, `holds a key or name that ${other} holds too`);
    for (const word of words) seen.set(word, variable);
  }
}

/** Whether an address or origin is plain http to another machine. */
function isOpenToOthers(text = ''): boolean {
  const url = parseHttpUrl(text);
  return url?.protocol === 'http:' && !isLoopbackHost(url.hostname);
}

function checkFiles(env: Env, report: Report): void {
  const { GATEWAY_CLIENT_CERT_FILE: certFile, GATEWAY_CLIENT_KEY_FILE: keyFile } = env;
  const certificate = certFile && attempt(() => new X509Certificate(readFileSync(certFile)));
  const key = keyFile && attempt(() => createPrivateKey(readFileSync(keyFile)));
  if (certFile && !certificate)
    report('GATEWAY_CLIENT_CERT_FILE', 'names a file that is no readable PEM certificate');
  if (keyFile && !key)
    report('GATEWAY_CLIENT_KEY_FILE', 'names a file that is no readable, unencrypted PEM private key');
  if (!certFile !== !keyFile)
    report(
      certFile ? 'GATEWAY_CLIENT_KEY_FILE' : 'GATEWAY_CLIENT_CERT_FILE',
      'is missing: client certificate and key go together',
    );
  if (certificate && key && !certificate.checkPrivateKey(key))
    report('GATEWAY_CLIENT_KEY_FILE', 'is not the key of the certificate in GATEWAY_CLIENT_CERT_FILE');
  const { GATEWAY_PROFILE: profile, MERCHANT_LOGO_FILE: logo } = env;
  if (profile && !attempt(() => readFileSync(profile)))
    report('GATEWAY_PROFILE', 'names a file that cannot be read');
  const picture = logo && readLogo(logo);
  if (typeof picture === 'string' && picture !== '') report('MERCHANT_LOGO_FILE', picture);
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const SECURED: unknown[] = ['require', 'verify-ca', 'verify-full'];

/** Whether the connection to the database leaves this machine without TLS and a checked certificate, as the driver reads the address. */
function isOpenDatabase(url: string): boolean {
  const { host, ssl, sslmode }: Partial<ConnectionOptions> = attempt(() => parse(url)) ?? {};
  if (!host || host.startsWith('/') || isLoopbackHost(host)) return false;
  // `prefer` and `allow` use TLS only if the server offers it.
  if (sslmode !== undefined && !SECURED.includes(sslmode)) return true;
  return !(ssl === true || (typeof ssl === 'object' && ssl.rejectUnauthorized !== false));
}
