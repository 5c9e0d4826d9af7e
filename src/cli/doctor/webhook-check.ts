import { isLoopbackHost } from '../../config/addresses.js';
import { makeTestEvent, TEST_EVENT_TYPE } from '../../merchant-webhooks/event.js';
import { WebhookSender, type Attempt } from '../../merchant-webhooks/webhook-sender.js';
import type { Inspected } from '../configuration.js';
import type { Findings } from './finding.js';

const CHECK = 'webhook';

/** Whether the merchant's server accepts events: it is sent a signed test event, as the service sends real ones. */
export async function checkWebhook(found: Findings, config: Inspected): Promise<void> {
  const { webhookUrl, webhookSecrets, webhookAllowPrivate } = config.merchant;
  if (webhookUrl === undefined) {
    found.warning(
      CHECK,
      'MERCHANT_WEBHOOK_URL is not set: no event is sent.',
      'Set it with MERCHANT_WEBHOOK_SECRET, or read GET /v1/events; a browser alone must never decide whether you ship.',
    );
    return;
  }
  const url = new URL(webhookUrl);
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname))
    found.warning(
      CHECK,
      "Events go out unencrypted. With production's rules the start is refused.",
      'Set MERCHANT_WEBHOOK_URL to an https address.',
    );
  const secrets = webhookSecrets.current().length;
  if (secrets > 1)
    found.warning(
      'webhook.secret',
      `${secrets} secrets sign each event.`,
      'Remove the old ones when your server verifies with the new one.',
    );
  else found.ok('webhook.secret', 'One secret signs each event.');
  const sender = new WebhookSender({
    url: webhookUrl,
    allowPrivate: webhookAllowPrivate,
    secrets: () => webhookSecrets.current(),
    connections: 1,
  });
  try {
    const attempt = await sender.send(makeTestEvent(Date.now()));
    checkAttempt(found, sender.origin, attempt);
  } finally {
    await sender.close();
  }
}

/** What the answer to the test event means, and what to do next. */
function checkAttempt(found: Findings, origin: string, attempt: Attempt): void {
  if (attempt.kind === 'failed') {
    const cause = attempt.cause === undefined ? attempt.reason : `${attempt.reason}, ${attempt.cause}`;
    found.problem(
      CHECK,
      `${origin} did not answer a signed test event (${cause}): events wait and are tried again for 72 hours.`,
      remedyOfFailure(attempt.reason),
    );
    return;
  }
  const { status } = attempt;
  const event = `a signed test event of the type ${TEST_EVENT_TYPE} (HTTP ${status})`;
  if (status >= 200 && status < 300) found.ok(CHECK, `${origin} accepted ${event}.`);
  else found.problem(CHECK, `${origin} did not accept ${event}.`, remedyOfStatus(status));
}

function remedyOfFailure(reason: Extract<Attempt, { kind: 'failed' }>['reason']): string {
  switch (reason) {
    case 'timeout':
      return 'Have your server answer 2xx within 15 seconds, and do longer work afterwards.';
    case 'tls':
      return 'Give your server a certificate of a public authority and TLS 1.2, or name its authority in NODE_EXTRA_CA_CERTS.';
    case 'private_address':
      return 'Set MERCHANT_WEBHOOK_URL to a public address, or WEBHOOK_ALLOW_PRIVATE=true if it is meant to be private.';
    case 'no_secret':
      return 'Set MERCHANT_WEBHOOK_SECRET.';
    case 'unreachable':
    case 'no_answer':
    case 'interrupted':
      return 'Check MERCHANT_WEBHOOK_URL, DNS, firewalls, and that your server runs.';
  }
}

function remedyOfStatus(status: number): string {
  if (status < 400) return 'Set MERCHANT_WEBHOOK_URL to the final address: redirects are not followed.';
  if (status === 404 || status === 405)
    return 'Set MERCHANT_WEBHOOK_URL to the path at which your server takes events by POST.';
  if (status === 410) return 'Answer 2xx: 410 ends an event, and it is never sent again.';
  if (status >= 500) return "Read your server's log: it failed while it handled the event.";
  return 'Give your server the secret in MERCHANT_WEBHOOK_SECRET, verify the raw body, and answer 2xx to types that you do not know.';
}
