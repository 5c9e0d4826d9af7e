import { isLoopbackHost } from '../../config/addresses.js';
import { splitSecretList } from '../../secrets/secret-source.js';
import type { inspectConfiguration } from '../inspect-configuration.js';
import { ok, problem, warning, type Finding } from './finding.js';
import { failureCode, reach } from './peer.js';

const CHECK = 'webhook';

/** Whether events can reach the merchant's server. It only connects and delivers nothing. */
export async function checkWebhook(config: ReturnType<typeof inspectConfiguration>): Promise<Finding[]> {
  const { webhookUrl } = config.merchant;
  if (webhookUrl === undefined) {
    return [
      warning(
        CHECK,
        'MERCHANT_WEBHOOK_URL is not set: no event is sent.',
        'Set it with MERCHANT_WEBHOOK_SECRET, or read GET /v1/events; a browser alone must never decide whether you ship.',
      ),
    ];
  }
  const findings: Finding[] = [];
  const url = new URL(webhookUrl);
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    findings.push(
      warning(
        CHECK,
        "Events go out unencrypted. With production's rules the start is refused.",
        'Set MERCHANT_WEBHOOK_URL to an https address.',
      ),
    );
  }
  const secrets = splitSecretList(config.sources.MERCHANT_WEBHOOK_SECRET?.current()).length;
  if (secrets > 1) {
    findings.push(
      warning(
        'webhook.secret',
        `${secrets} secrets sign each event.`,
        'Remove the old ones when your server verifies with the new one.',
      ),
    );
  } else findings.push(ok('webhook.secret', 'One secret signs each event.'));
  try {
    await reach(url);
    findings.push(ok(CHECK, `${url.origin} can be reached.`));
  } catch (error) {
    findings.push(
      problem(
        CHECK,
        `${url.origin} cannot be reached (${failureCode(error)}): events wait and are tried again for 72 hours.`,
        "Check MERCHANT_WEBHOOK_URL, DNS, firewalls and the server's certificate.",
      ),
    );
  }
  return findings;
}
