import type { ConfigDraft } from '../../config/config.js';
import { openGateway } from '../../dependencies.js';
import type { Answered } from '../../gateway/gateway.js';
import type { Profile } from '../../gateway/profile/schema.js';
import { Findings, type Finding } from './finding.js';

/** Has the form of a reference, and no merchant uses it. */
const NOBODYS_REFERENCE = 'TILLFRONT-DOCTOR';

/** Whether the gateway answers and accepts our credentials: it is asked about a payment that does not exist. */
export async function checkGateway(config: ConfigDraft, profile: Profile): Promise<readonly Finding[]> {
  const found = new Findings('gateway');
  const gateway = openGateway(config, profile);
  try {
    const query = gateway.queryOf(config.payments.methods[0] ?? 'card');
    if (query)
      judge(
        found,
        await gateway.call(query, { clientRef: gateway.clientRef(NOBODYS_REFERENCE, 1), currency: 'NGN' }),
      );
    else
      found.problem(
        'The profile has no status query: an unknown outcome stays unknown.',
        'Add transactionStatus to the profile.',
      );
  } finally {
    await gateway.close();
  }
  return found.all;
}

function judge(found: Findings, { fact, busySeconds }: Answered): void {
  if (busySeconds !== undefined)
    found.warning('It gets too many calls (HTTP 429).', 'Ask the gateway for its limits.');
  else if (fact.is === 'denied')
    found.ok('It answers, accepts our credentials, and denies a made-up reference.');
  else if (fact.is === 'unclear')
    found.problem(
      `Its answer cannot be used (${fact.why}).`,
      'Check GATEWAY_BASE_URL, the credentials, DNS, TLS, EGRESS_PROXY_URL, and the pointers of the profile.',
    );
  else
    found.warning(
      `It answers "${fact.is}" about a made-up reference instead of denying it.`,
      'Add its word for an unknown transaction to unknownTransaction of the profile.',
    );
}
