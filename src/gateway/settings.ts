import type { Secret } from '../secrets/secret.js';
import { EncryptionKeyError, sealerOf } from './encryption.js';
import type { Profile } from './profile/schema.js';
import { callsOf, callWords, tokenCall } from './profile/uses.js';

/** What the configuration says of the gateway. Read once, at the start. */
export interface GatewaySettings {
  readonly baseUrl: string;
  readonly apiKey?: Secret;
  readonly accessToken?: Secret;
  readonly encryptionKey?: Secret;
  readonly timeoutMs: number;
  readonly mode: 'test' | 'live';
  /** The client's certificate and key, PEM. */
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly proxyUrl?: string;
  /** `{notifyUrl}`: see {@link notifyUrlOf}. */
  readonly notifyUrl: string;
  /** What notifications are signed with, or carry. */
  readonly notificationSecrets: readonly Secret[];
}

/** Where the gateway's notifications go: with the secret in it where the profile has no signature. */
export function notifyUrlOf(
  { notification }: Profile,
  publicBaseUrl: string,
  [secret]: readonly Secret[],
): string {
  const address = `${publicBaseUrl.replace(/\/$/, '')}/v1/gateway/notifications`;
  return notification?.signature || !secret ? address : `${address}/${encodeURIComponent(secret.unwrap())}`;
}

/** What of the configuration a profile needs and lacks, by variable. */
export function settingsProblems(
  profile: Profile,
  settings: Pick<GatewaySettings, 'apiKey' | 'accessToken' | 'encryptionKey'>,
): { readonly variable: string; readonly message: string }[] {
  const { credentials = {}, token, encryption } = profile;
  const calls = [...callsOf(profile).map(({ call }) => call), ...(token ? [tokenCall(token)] : [])];
  const keys = Object.values(credentials).map(({ sign }) => sign?.key ?? '');
  const words = [...calls.flatMap((call) => callWords(profile, call)), ...keys];
  const lacks = (name: 'apiKey' | 'accessToken'): boolean =>
    settings[name] === undefined && words.some((word) => word.split(':').includes(name));
  const missing = 'is missing: the profile sends it';
  return [
    ...(lacks('apiKey') ? [{ variable: 'GATEWAY_API_KEY', message: missing }] : []),
    ...(lacks('accessToken') ? [{ variable: 'GATEWAY_ACCESS_TOKEN', message: missing }] : []),
    ...(encryption ? keyProblems(() => sealerOf(encryption, settings.encryptionKey?.unwrap())) : []),
  ];
}

function keyProblems(read: () => unknown): { readonly variable: string; readonly message: string }[] {
  try {
    read();
    return [];
  } catch (error) {
    const message = error instanceof EncryptionKeyError ? error.message : 'cannot be used';
    return [{ variable: 'GATEWAY_ENCRYPTION_KEY', message }];
  }
}
