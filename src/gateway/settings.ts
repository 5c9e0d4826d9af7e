import type { Secret } from '../secrets/secret.js';

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

/** Where the gateway's notifications go: with the secret in it where the profile has no signature of their own. */
export function notifyUrlOf(publicBaseUrl: string, isSigned: boolean, secrets: readonly Secret[]): string {
  const [secret] = secrets;
  const address = `${publicBaseUrl.replace(/\/+$/, '')}/v1/gateway/notifications`;
  return isSigned || !secret ? address : `${address}/${encodeURIComponent(secret.unwrap())}`;
}
