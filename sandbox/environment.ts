import { Decryptor, type Scheme, SCHEMES } from './encryption/encryption.ts';
import type { SandboxOptions } from './options.ts';
import { changeSettings, DEFAULT_SETTINGS, type Settings } from './settings.ts';

export interface EnvironmentProblem {
  variable: string;
  message: string;
}

const DIALECTS = ['builtin', 'second', 'third'] as const;

/** Reads the sandbox's variables. Returns its options, or every problem by variable. No value is repeated. */
export function readEnvironment(env: NodeJS.ProcessEnv): SandboxOptions | EnvironmentProblem[] {
  const problems: EnvironmentProblem[] = [];
  const wrong = (variable: string, message: string): void => void problems.push({ variable, message });
  for (const variable of Object.keys(env))
    if (variable.startsWith('SANDBOX_') && !VARIABLES.includes(variable)) wrong(variable, 'no such variable');
  const text = (variable: string): string | undefined => {
    if (env[variable] === '') wrong(variable, 'must not be empty');
    return env[variable];
  };
  const options: SandboxOptions = {};
  const put = <K extends keyof SandboxOptions>(key: K, value: SandboxOptions[K] | undefined): void => {
    if (value !== undefined) options[key] = value;
  };

  const port = text('SANDBOX_PORT');
  if (port !== undefined && !(/^[0-9]{1,5}$/.test(port) && Number(port) <= 65_535))
    wrong('SANDBOX_PORT', 'must be a port from 0 to 65535');
  put('port', port === undefined ? undefined : Number(port));
  put('host', text('SANDBOX_HOST'));
  put('apiKey', text('SANDBOX_API_KEY'));
  put('accessToken', text('SANDBOX_ACCESS_TOKEN'));
  put('ledgerFile', text('SANDBOX_LEDGER_FILE'));

  const publicUrl = text('SANDBOX_PUBLIC_URL');
  if (publicUrl !== undefined && !/^https?:$/.test(URL.parse(publicUrl)?.protocol ?? ''))
    wrong('SANDBOX_PUBLIC_URL', 'must be an http or https address');
  put('publicUrl', publicUrl?.replace(/\/+$/, ''));

  const dialect = text('SANDBOX_DIALECT');
  const knownDialect = DIALECTS.find((one) => one === dialect);
  if (dialect !== undefined && !knownDialect)
    wrong('SANDBOX_DIALECT', `must be one of ${DIALECTS.join(', ')}`);
  put('dialect', knownDialect);

  const scheme = text('SANDBOX_ENCRYPTION');
  const knownScheme: Scheme | undefined = SCHEMES.find((one) => one === scheme);
  if (scheme !== undefined && !knownScheme)
    wrong('SANDBOX_ENCRYPTION', `must be one of ${SCHEMES.join(', ')}`);
  put('encryption', knownScheme);
  const key = text('SANDBOX_ENCRYPTION_KEY');
  try {
    if (key)
      new Decryptor({ scheme: knownScheme ?? (knownDialect === 'second' ? 'aes-256-gcm' : 'none') }, key);
  } catch (error) {
    wrong('SANDBOX_ENCRYPTION_KEY', error instanceof Error ? error.message : 'is malformed');
  }
  put('encryptionKey', key);

  const settings: Partial<Settings> = {};
  for (const [variable, name] of [
    ['SANDBOX_NOTIFY_URL', 'notifyUrl'],
    ['SANDBOX_NOTIFY_SECRET', 'notifySecret'],
    ['SANDBOX_RETURN_URL', 'returnUrl'],
  ] as const) {
    const value = text(variable);
    if (value === undefined) continue;
    const [problem] = changeSettings({ ...DEFAULT_SETTINGS }, { [name]: value });
    if (problem) wrong(variable, problem.replace(/^\w+: /, ''));
    settings[name] = value;
  }
  put('settings', settings);
  return problems.length > 0 ? problems : options;
}

export const VARIABLES = [
  'SANDBOX_PORT',
  'SANDBOX_HOST',
  'SANDBOX_PUBLIC_URL',
  'SANDBOX_API_KEY',
  'SANDBOX_ACCESS_TOKEN',
  'SANDBOX_NOTIFY_URL',
  'SANDBOX_NOTIFY_SECRET',
  'SANDBOX_RETURN_URL',
  'SANDBOX_DIALECT',
  'SANDBOX_ENCRYPTION',
  'SANDBOX_ENCRYPTION_KEY',
  'SANDBOX_LEDGER_FILE',
];
