import { get } from 'node:http';
import { healthAddress } from '../../config/health-address.js';

/**
 * A container's health check. Exits with 0 if the service on this machine answers. It needs no shell and loads as little as
 * possible.
 */
const request = get(healthAddress(), { timeout: 4_000 }, (response) => {
  response.resume();
  process.exitCode = response.statusCode === 200 ? 0 : 1;
});
request.once('timeout', () => request.destroy());
request.once('error', () => (process.exitCode = 1));
