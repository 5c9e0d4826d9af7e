import { isLoopbackHost } from '../../config/addresses.js';
import { weaknessOf } from '../../config/secret-strength.js';
import { namedKeysIn } from '../../secrets/named-keys.js';
import type { Inspected } from '../configuration.js';
import type { Findings } from './finding.js';

/** Placeholders that people forget to replace in templates. */
const PLACEHOLDER =
  /^(?:x+|\*+|\.+|change-?me.*|replace.*|your[-_].*|todo|secret|password|test|example|<.*>|\$\{.*\}|\{\{.*\}\})$/i;

const MERCHANT_KEYS = ['MERCHANT_API_KEY', 'MERCHANT_READ_API_KEY', 'MERCHANT_BOOKS_API_KEY'] as const;

/** Checks the shape of secrets whose form is free. No value is shown. */
export function checkCredentials(found: Findings, config: Inspected): void {
  found.okUnless(
    () => checkGatewayCredentials(found, config),
    'credentials.gateway',
    "The gateway's credentials have a usual shape.",
  );
  checkMerchantKeys(found, config);
  checkKeyNames(found, config);
  found.okUnless(
    () => checkOwnKeys(found, config),
    'credentials.keys',
    'SECRET_KEY and CARD_ENCRYPTION_KEY are set.',
  );
  if (config.sources.NOTIFICATION_SECRET) found.ok('credentials.notification', 'NOTIFICATION_SECRET is set.');
  else
    found.warning(
      'credentials.notification',
      "NOTIFICATION_SECRET is not set: anybody may send notifications. They move nothing, but each makes the service ask the gateway. With production's rules the start is refused.",
      'Set it, and give the gateway the address …/v1/gateway/notifications/<secret>, or its signature scheme in the profile.',
    );
}

function checkGatewayCredentials(found: Findings, { sources, gateway }: Inspected): void {
  const key = sources.GATEWAY_API_KEY?.current();
  const token = sources.GATEWAY_ACCESS_TOKEN?.current();
  const local = isLoopbackHost(new URL(gateway.baseUrl).hostname);
  for (const [name, value] of [
    ['GATEWAY_API_KEY', key],
    ['GATEWAY_ACCESS_TOKEN', token],
  ] as const) {
    // Whether it is needed is up to the profile, which is checked with it.
    if (value === undefined) continue;
    const shape = `credentials.${name}`;
    if (PLACEHOLDER.test(value) || (value.startsWith('sandbox-') && !local))
      found.problem(shape, `${name} looks like a placeholder.`, "Set the gateway's own value.");
    else if (/^(?:bearer|basic)\b/i.test(value))
      found.problem(
        shape,
        `${name} begins with the name of a scheme.`,
        'Set the bare value; it is sent unchanged.',
      );
    else if (/^["'`]|["'`]$/.test(value))
      found.problem(shape, `${name} has quotation marks around it.`, 'Remove them; they are sent too.');
    else if (gateway.mode === 'live' && /(?:^|[-_])(?:test|sandbox|demo)(?:[-_]|$)/i.test(value))
      found.warning(
        shape,
        `${name} looks like a test credential, and GATEWAY_MODE is live.`,
        'Check which one it is.',
      );
    else if (gateway.mode === 'test' && /(?:^|[-_])(?:live|prod)(?:[-_]|$)/i.test(value))
      found.problem(
        shape,
        `${name} looks like a live credential, and GATEWAY_MODE is test.`,
        "Set the test system's, or GATEWAY_MODE=live: a live credential moves real money.",
      );
  }
  if (key !== undefined && key === token)
    found.warning(
      'credentials.gateway',
      'GATEWAY_API_KEY and GATEWAY_ACCESS_TOKEN are the same.',
      'Check that none of them was pasted twice.',
    );
}

/** What production's rules would say against the keys, whether they are in force or not. */
function checkMerchantKeys(found: Findings, { sources, productionRules }: Inspected): void {
  const check = 'credentials.merchant';
  if (!sources.MERCHANT_API_KEY) {
    found.warning(
      check,
      'MERCHANT_API_KEY is not set: a new one is made and printed at each start.',
      `Set it, so that your server's key stays valid: openssl rand -hex 32`,
    );
    return;
  }
  const weak = MERCHANT_KEYS.flatMap((variable) => {
    const value = sources[variable]?.current();
    const weakness = value === undefined ? undefined : weaknessOf(variable, value);
    return weakness === undefined ? [] : [`${variable} ${weakness}`];
  });
  const remedy = 'Make one with: openssl rand -hex 32';
  if (weak.length === 0) found.ok(check, 'The merchant keys look random.');
  else if (productionRules) found.problem(check, `${weak.join('; ')}.`, remedy);
  else found.warning(check, `${weak.join('; ')}. With production's rules the start is refused.`, remedy);
}

/**
 * Until 0.1.0 an `=` in a merchant key was a sign like any other. A key that is read as a name and a shorter key starts, and
 * then refuses the caller who still sends all of it, so it is pointed out. Names are not shown, as one may be half of an old key.
 */
function checkKeyNames(found: Findings, { sources }: Inspected): void {
  const variables = MERCHANT_KEYS.map((variable) => ({
    variable,
    keys: namedKeysIn(sources[variable]?.current()),
  })).filter(({ keys }) => keys.some(({ name }) => name !== undefined));
  if (variables.length === 0) return;
  const keys = variables.flatMap((one) => one.keys);
  const named = keys.filter(({ name }) => name !== undefined).length;
  found.ok(
    'credentials.names',
    `${variables.map(({ variable }) => variable).join(' and ')}: ${named} of ${keys.length} keys have a name before "="; callers send what comes after it.`,
  );
}

function checkOwnKeys(found: Findings, { sources, productionRules }: Inspected): void {
  const secretKey = sources.SECRET_KEY?.current();
  if (secretKey !== undefined && weaknessOf('SECRET_KEY', secretKey) !== undefined)
    found.problem(
      'credentials.SECRET_KEY',
      'SECRET_KEY can be guessed, and so can every client token that is made with it.',
      'Make one with: openssl rand -base64 48',
    );
  const missing = (['SECRET_KEY', 'CARD_ENCRYPTION_KEY'] as const).filter((name) => !sources[name]);
  if (missing.length > 0 && !productionRules)
    found.warning(
      'credentials.keys',
      `${missing.join(' and ')}: not set, so made at the first start and kept in DATA_DIR.`,
      'Set them before you run several replicas, or production.',
    );
}
