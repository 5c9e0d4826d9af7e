import { isLoopbackHost } from '../../config/addresses.js';
import { weaknessOf } from '../../config/secret-strength.js';
import type { SecretVariable } from '../../config/secret-variables.js';
import { namedKeysIn } from '../../secrets/named-keys.js';
import type { Inspected } from '../configuration.js';
import { ok, problem, warning, type Finding } from './finding.js';

/** Placeholders that people forget to replace in templates. */
const PLACEHOLDER =
  /^(?:x+|\*+|\.+|change-?me.*|replace.*|your[-_].*|todo|secret|password|test|example|<.*>|\$\{.*\}|\{\{.*\}\})$/i;

/** Checks the shape of secrets whose form is free. No value is shown. */
export function checkCredentials(config: Inspected): Finding[] {
  return [
    ...gatewayCredentials(config),
    ...merchantKeys(config),
    ...keyNames(config),
    ...ownKeys(config),
    ...notificationSecret(config),
  ];
}

function gatewayCredentials({ sources, gateway }: Inspected): Finding[] {
  const findings: Finding[] = [];
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
    if (PLACEHOLDER.test(value) || (value.startsWith('sandbox-') && !local)) {
      findings.push(problem(shape, `${name} looks like a placeholder.`, "Set the gateway's own value."));
    } else if (/^(?:bearer|basic)\b/i.test(value)) {
      findings.push(
        problem(
          shape,
          `${name} begins with the name of a scheme.`,
          'Set the bare value; it is sent unchanged.',
        ),
      );
    } else if (/^["'`]|["'`]$/.test(value)) {
      findings.push(
        problem(shape, `${name} has quotation marks around it.`, 'Remove them; they are sent too.'),
      );
    } else if (gateway.mode === 'live' && /(?:^|[-_])(?:test|sandbox|demo)(?:[-_]|$)/i.test(value)) {
      findings.push(
        warning(
          shape,
          `${name} looks like a test credential, and GATEWAY_MODE is live.`,
          'Check which one it is.',
        ),
      );
    } else if (gateway.mode === 'test' && /(?:^|[-_])(?:live|prod)(?:[-_]|$)/i.test(value)) {
      findings.push(
        problem(
          shape,
          `${name} looks like a live credential, and GATEWAY_MODE is test.`,
          "Set the test system's, or GATEWAY_MODE=live: a live credential moves real money.",
        ),
      );
    }
  }
  if (key !== undefined && key === token) {
    findings.push(
      warning(
        'credentials.gateway',
        'GATEWAY_API_KEY and GATEWAY_ACCESS_TOKEN are the same.',
        'Check that none of them was pasted twice.',
      ),
    );
  }
  return findings.length > 0
    ? findings
    : [ok('credentials.gateway', "The gateway's credentials have a usual shape.")];
}

function merchantKeys({ sources, productionRules }: Inspected): Finding[] {
  const name = 'MERCHANT_API_KEY';
  const source = sources[name];
  if (!source) {
    return [
      warning(
        'credentials.merchant',
        `${name} is not set: a new one is made and printed at each start.`,
        `Set it, so that your server's key stays valid: openssl rand -hex 32`,
      ),
    ];
  }
  const weak = ([name, 'MERCHANT_READ_API_KEY', 'MERCHANT_BOOKS_API_KEY'] as const).flatMap((variable) => {
    const weakness = weaknessIn(variable, sources[variable]?.current());
    return weakness === undefined ? [] : [`${variable} ${weakness}`];
  });
  if (weak.length === 0) return [ok('credentials.merchant', 'The merchant keys look random.')];
  const remedy = 'Make one with: openssl rand -hex 32';
  if (productionRules) return [problem('credentials.merchant', `${weak.join('; ')}.`, remedy)];
  const later = "With production's rules the start is refused.";
  return [warning('credentials.merchant', `${weak.join('; ')}. ${later}`, remedy)];
}

/**
 * Until 0.1.0 an `=` in a merchant key was a sign like any other. A key that is read as a name and a shorter key starts, and
 * then refuses the caller who still sends all of it, so it is pointed out. Names are not shown, as one may be half of an old key.
 */
function keyNames({ sources }: Inspected): Finding[] {
  const variables = (['MERCHANT_API_KEY', 'MERCHANT_READ_API_KEY', 'MERCHANT_BOOKS_API_KEY'] as const)
    .map((variable) => ({ variable, keys: namedKeysIn(sources[variable]?.current()) }))
    .filter(({ keys }) => keys.some(({ name }) => name !== undefined));
  if (variables.length === 0) return [];
  const keys = variables.flatMap((one) => one.keys);
  const named = keys.filter(({ name }) => name !== undefined).length;
  return [
    ok(
      'credentials.names',
      `${variables.map(({ variable }) => variable).join(' and ')}: ${named} of ${keys.length} keys have a name before "="; callers send what comes after it.`,
    ),
  ];
}

function ownKeys({ sources, productionRules }: Inspected): Finding[] {
  const findings: Finding[] = [];
  if (weaknessIn('SECRET_KEY', sources.SECRET_KEY?.current()) !== undefined) {
    findings.push(
      problem(
        'credentials.SECRET_KEY',
        'SECRET_KEY can be guessed, and so can every client token that is made with it.',
        'Make one with: openssl rand -base64 48',
      ),
    );
  }
  const missing = (['SECRET_KEY', 'CARD_ENCRYPTION_KEY'] as const).filter((name) => !sources[name]);
  if (missing.length > 0 && !productionRules) {
    findings.push(
      warning(
        'credentials.keys',
        `${missing.join(' and ')}: not set, so made at the first start and kept in DATA_DIR.`,
        'Set them before you run several replicas, or production.',
      ),
    );
  }
  return findings.length > 0
    ? findings
    : [ok('credentials.keys', 'SECRET_KEY and CARD_ENCRYPTION_KEY are set.')];
}

function notificationSecret({ sources }: Inspected): Finding[] {
  if (sources.NOTIFICATION_SECRET) return [ok('credentials.notification', 'NOTIFICATION_SECRET is set.')];
  return [
    warning(
      'credentials.notification',
      "NOTIFICATION_SECRET is not set: anybody may send notifications. They move nothing, but each makes the service ask the gateway. With production's rules the start is refused.",
      'Set it, and give the gateway the address …/v1/gateway/notifications/<secret>, or its signature scheme in the profile.',
    ),
  ];
}

/** What production's rules would say against a secret, whether they are in force or not. */
function weaknessIn(name: SecretVariable, value: string | undefined): string | undefined {
  return value === undefined ? undefined : weaknessOf(name, value);
}
