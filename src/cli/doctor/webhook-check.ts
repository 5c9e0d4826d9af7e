import type { ConfigDraft } from '../../config/config.js';
import { newId } from '../../store/ids.js';
import { senderOf, type Attempt } from '../../webhooks/sender.js';
import { Findings, type Finding } from './finding.js';

/** Whether the merchant's server accepts events: it gets a signed test event, sent as real ones are. */
export async function checkWebhook(config: ConfigDraft): Promise<readonly Finding[]> {
  const found = new Findings('webhook');
  const { webhookUrl: url = '' } = config.merchant;
  const sender = senderOf(config, 1);
  if (!sender) {
    found.warning(
      'MERCHANT_WEBHOOK_URL is not set: no event is sent.',
      'Set it with MERCHANT_WEBHOOK_SECRET, or read GET /v1/events. A browser alone must not decide what you ship.',
    );
    return found.all;
  }
  try {
    judge(found, new URL(url).origin, await sender.send(testEvent(), Date.now()));
  } finally {
    await sender.close();
  }
  return found.all;
}

/** Of no known type: a server answers 2xx to it and does nothing. */
function testEvent(): { id: string; body: string } {
  const id = newId('evt');
  const timestamp = new Date().toISOString();
  return {
    id,
    body: JSON.stringify({ id, type: 'tillfront.test', apiVersion: 'v1', timestamp, sequence: 1, data: {} }),
  };
}

function judge(found: Findings, origin: string, { status, result }: Attempt): void {
  if (status === undefined)
    found.problem(
      `${origin} did not answer a signed test event (${result}).`,
      'Check MERCHANT_WEBHOOK_URL, DNS, TLS and firewalls. Your server must answer within 15 seconds.',
    );
  else if (status >= 200 && status < 300) found.ok(`${origin} accepted a signed test event.`);
  else found.problem(`${origin} did not accept a signed test event (HTTP ${status}).`, remedyOf(status));
}

function remedyOf(status: number): string {
  if (status < 400) return 'Set MERCHANT_WEBHOOK_URL to the final address: redirects are not followed.';
  if (status === 404 || status === 405) return 'Set MERCHANT_WEBHOOK_URL to the path that takes POST.';
  if (status >= 500) return "Read your server's log: it failed while it handled the event.";
  return 'Give your server MERCHANT_WEBHOOK_SECRET, verify the raw body, and answer 2xx to unknown types.';
}
