import type { Config } from '../config/config.js';

/**
 * The two credential headers (seed 5), with the values that hold now: a file may have changed since the last call.
 * A header whose value is missing is left out; the gateway says so with a 401.
 */
export function credentialHeaders(
  config: Pick<Config['gateway'], 'apiKey' | 'accessToken'>,
): Record<string, string> {
  const headers: Record<string, string> = {};
  const apiKey = config.apiKey.current();
  const accessToken = config.accessToken.current();
  if (apiKey !== undefined) headers['x-api-key'] = apiKey;
  if (accessToken !== undefined) headers['access-token'] = accessToken;
  return headers;
}
