import { ConfigError } from '../../config/read-env.js';
import type { ConfigDraft } from '../../config/config.js';
import { Gateway, type GatewayResult } from '../../gateway/gateway.js';
import type { Profile } from '../../gateway/profile/load.js';
import { methodOf } from '../../methods/methods.js';
import { Findings, type Finding } from './finding.js';

/** Has the form of a reference, and no merchant uses it. */
const NOBODYS_REFERENCE = 'TILLFRONT-DOCTOR_1';

/** Whether the gateway answers and accepts our credentials: it is asked about a payment that does not exist. */
export async function checkGateway(config: ConfigDraft, profile: Profile): Promise<readonly Finding[]> {
  const found = new Findings('gateway');
  const [method = 'card'] = config.payments.methods;
  try {
    const gateway = new Gateway({ config: config.gateway, profile });
    try {
      const input = { clientRef: NOBODYS_REFERENCE, transactionRef: undefined, currency: 'NGN' };
      judge(found, await gateway[methodOf(method).statusQuery](input));
    } finally {
      await gateway.close();
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    found.problem(error.message, 'Correct it: docs/configuration.md says what each variable may be.');
  }
  return found.all;
}

function judge(found: Findings, result: GatewayResult): void {
  switch (result.kind) {
    case 'answered':
      if (result.answer.meaning === 'unknownTransaction')
        found.ok('It answers, accepts our credentials, and denies a made-up reference.');
      else
        found.warning(
          `It answers "${result.answer.meaning}" about a made-up reference instead of denying it.`,
          'Add its word for an unknown transaction to outcome.meanings.unknownTransaction of the profile.',
        );
      return;
    case 'credentials-rejected':
      found.problem(
        `It rejects our credentials (HTTP ${result.status}).`,
        'Check GATEWAY_API_KEY and GATEWAY_ACCESS_TOKEN, and whether they are for test or live.',
      );
      return;
    case 'busy':
      found.warning('It gets too many calls (HTTP 429).', 'Ask the gateway for its limits.');
      return;
    case 'rejected':
      found.warning(
        `It answers HTTP ${result.status} to a status query about a made-up reference.`,
        'Check the path of the status query in the profile, and GATEWAY_BASE_URL.',
      );
      return;
    case 'not-sent':
      found.problem(
        `It cannot be reached (${result.reason}${result.cause === undefined ? '' : `, ${result.cause}`}).`,
        REMEDIES[result.reason] ?? 'Check GATEWAY_BASE_URL, DNS, firewalls and EGRESS_PROXY_URL.',
      );
      return;
    case 'unknown':
      found.problem(
        `Its answer cannot be understood (${result.reason}${result.status === undefined ? '' : `, HTTP ${result.status}`}).`,
        'Check GATEWAY_BASE_URL, and the paths and pointers of the profile.',
      );
  }
}

const REMEDIES: Readonly<Record<string, string>> = {
  tls: 'Check the name in GATEWAY_BASE_URL, NODE_EXTRA_CA_CERTS, GATEWAY_CLIENT_CERT_FILE, and the clock.',
  encryption: 'Check GATEWAY_ENCRYPTION_KEY and the encryption of the profile.',
  token: 'Check the token call of the profile, and the credentials that it sends.',
  preparation: 'Check the call that the profile makes before the status query.',
  abandoned: 'Use {client_ref} in the path of the status query: a lost answer has no transactionRef.',
};
