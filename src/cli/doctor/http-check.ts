import { isLoopbackHost } from '../../config/addresses.js';
import type { Inspected } from '../configuration.js';
import type { Findings } from './finding.js';

/** How payers, browsers and the gateway reach the service, and where payers may be sent back to. */
export function checkHttp(found: Findings, config: Inspected): void {
  checkReturnOrigins(found, config);
  found.okUnless(
    () => checkExposure(found, config),
    'http',
    `Payers and the gateway reach it at ${config.http.publicBaseUrl}.`,
  );
}

function checkReturnOrigins(found: Findings, { http, productionRules }: Inspected): void {
  const check = 'return-origins';
  const own = new URL(http.publicBaseUrl).origin;
  const others = http.allowedReturnOrigins.filter((origin) => origin !== own);
  const open = others.filter((origin) => {
    const { protocol, hostname } = new URL(origin);
    return productionRules && (protocol === 'http:' || isLoopbackHost(hostname));
  });
  if (others.length === 0)
    found.warning(
      check,
      'Payers can only be sent back to this service: a session with another returnUrl is refused.',
      "Set ALLOWED_RETURN_ORIGINS (or ALLOWED_ORIGINS) to your shop's origin.",
    );
  else if (open.length === 0) found.ok(check, `Payers may be sent back to ${others.join(', ')}.`);
  else
    found.problem(
      check,
      `Payers may be sent back to ${open.join(', ')}, which is not https or is this machine only.`,
      'Remove it from ALLOWED_RETURN_ORIGINS and ALLOWED_ORIGINS.',
    );
}

function checkExposure(found: Findings, { http, productionRules }: Inspected): void {
  const { hostname, protocol } = new URL(http.publicBaseUrl);
  if (isLoopbackHost(hostname) && productionRules)
    found.warning(
      'http.address',
      'PUBLIC_BASE_URL is this machine itself: neither payers nor the gateway can reach it.',
      'Set the address as payers see it.',
    );
  if (protocol === 'https:' && http.trustProxy === false)
    found.warning(
      'http.proxy',
      'PUBLIC_BASE_URL is https, so something in front ends TLS, but TRUST_PROXY is false: all payers seem to come from its address, and share one limit.',
      'Set TRUST_PROXY to its addresses, or to the number of hops.',
    );
  if (productionRules && http.managementPort === undefined)
    found.warning(
      'http.management',
      'Health answers on the payers’ port, and metrics need a merchant key.',
      'Set MANAGEMENT_PORT, and keep that port from the public.',
    );
  if (productionRules && http.merchantPort === undefined)
    found.warning(
      'http.merchant',
      'Merchant keys and the console are taken on the payers’ port, so anybody may try keys there.',
      'Set MERCHANT_PORT, and keep that port from the public.',
    );
  if (productionRules && http.rateLimitPerMinute === 0)
    found.warning(
      'http.rate-limit',
      'RATE_LIMIT_PER_MINUTE is 0: one address may start as many payments as it likes.',
      'Leave it at its default, or limit in front of the service.',
    );
}
