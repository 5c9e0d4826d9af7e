import type { ConfigDraft } from '../../config/config.js';
import { makeTestEvent } from '../../merchant-webhooks/event.js';
import { WebhookSender, type Attempt } from '../../merchant-webhooks/webhook-sender.js';
import { Findings, type Finding } from './finding.js';

/** Whether the merchant's server accepts events: it gets a signed test event, sent as real ones are. */
export async function checkWebhook({ merchant, gateway }: ConfigDraft): Promise<readonly Finding[]> {
  const found = new Findings('webhook');
  const { webhookUrl: url, webhookSecrets: secrets } = merchant;
  if (url === undefined) {
    found.warning(
      'MERCHANT_WEBHOOK_URL is not set: no event is sent.',
      'Set it with MERCHANT_WEBHOOK_SECRET, or read GET /v1/events. A browser alone must not decide what you ship.',
    );
    return found.all;
  }
  const sender = new WebhookSender({
    ...{ url, secrets },
    proxy: gateway.egressProxy,
    connections: 1,
  });
  try {
    judge(found, sender.origin, await sender.send(makeTestEvent(Date.now())));
  } finally {
    await sender.close();
  }
  return found.all;
}

function judge(found: Findings, origin: string, attempt: Attempt): void {
  if (attempt.kind === 'failed')
    found.problem(
      `${origin} did not answer a signed test event (${attempt.reason}${attempt.cause === undefined ? '' : `, ${attempt.cause}`}).`,
      'Check MERCHANT_WEBHOOK_URL, DNS, TLS and firewalls. Your server must answer within 15 seconds.',
    );
  else if (attempt.status >= 200 && attempt.status < 300) found.ok(`${origin} accepted a signed test event.`);
  else
    found.problem(
      `${origin} did not accept a signed test event (HTTP ${attempt.status}).`,
      remedyOf(attempt.status),
    );
}

function remedyOf(status: number): string {
  if (status < 400) return 'Set MERCHANT_WEBHOOK_URL to the final address: redirects are not followed.';
  if (status === 404 || status === 405) return 'Set MERCHANT_WEBHOOK_URL to the path that takes POST.';
  if (status >= 500) return "Read your server's log: it failed while it handled the event.";
  return 'Give your server MERCHANT_WEBHOOK_SECRET, verify the raw body, and answer 2xx to unknown types.';
}
