import { get } from 'node:http';
import { healthAddress } from '../../config/health-address.js';

/** A container's health check: exits with 0 where the service on this machine answers. Needs no shell and loads next to nothing. */
const request = get(healthAddress(), { timeout: 4_000 }, (response) => {
  response.resume();
  process.exitCode = response.statusCode === 200 ? 0 : 1;
});
request.once('timeout', () => request.destroy());
request.once('error', () => (process.exitCode = 1));
