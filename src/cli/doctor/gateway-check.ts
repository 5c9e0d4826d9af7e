import { ConfigError } from '../../config/config-error.js';
import { Gateway, type GatewayResult } from '../../gateway/gateway.js';
import { methodOf } from '../../methods/methods.js';
import type { Profile } from '../../gateway/profile/load.js';
import type { Inspected } from '../configuration.js';
import type { Findings } from './finding.js';
import { meet, type Peer } from './peer.js';

const CHECK = 'gateway';
const DAY_MS = 24 * 3_600_000;
const SOON_DAYS = 21;
/** A made-up reference in the form of `reference_N` that no merchant uses. */
const NOBODYS_REFERENCE = 'TILLFRONT-DOCTOR_1';

/** The gateway's client, or undefined with what its configuration lacks. */
export function openGateway(
  found: Findings,
  { gateway: config }: Inspected,
  profile: Profile,
): Gateway | undefined {
  try {
    return new Gateway({ config, profile });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const { variable, message } of error.problems)
      found.problem(
        CHECK,
        `${variable} ${message}`,
        "Set the key that the profile's encryption scheme needs.",
      );
    return undefined;
  }
}

/**
 * Whether the gateway is reachable, has the right time, and accepts our credentials. It queries a payment that does not
 * exist, so nothing changes.
 */
export async function checkGateway(found: Findings, config: Inspected, gateway: Gateway): Promise<void> {
  const { baseUrl, tls } = config.gateway;
  const begun = performance.now();
  const input = { clientRef: NOBODYS_REFERENCE, transactionRef: undefined, currency: 'NGN' };
  const [method = 'card'] = config.payments.methods;
  const result = await gateway[methodOf(method).statusQuery](input);
  const ms = Math.round(performance.now() - begun);
  await gateway.close();
  checkAnswer(found, result, ms);
  const peer = await meet(new URL(baseUrl).origin, tls).catch((): Peer => ({}));
  if (peer.clockAheadSeconds !== undefined) found.clock("the gateway's clock", peer.clockAheadSeconds);
  if (peer.certificateEnds === undefined) return;
  const days = Math.floor((peer.certificateEnds.getTime() - Date.now()) / DAY_MS);
  const message = `The gateway's certificate ends in ${days} days.`;
  if (days > SOON_DAYS) found.ok('gateway.certificate', message);
  else found.warning('gateway.certificate', message, 'Ask the gateway when it will be renewed.');
}

/** What to do about a call that never reached the gateway. */
const NOT_SENT: Readonly<Record<string, [message: string, remedy: string]>> = {
  dns: ['The name of the gateway cannot be resolved.', 'Check GATEWAY_BASE_URL and the DNS of this machine.'],
  refused: ['The gateway refuses the connection.', 'Check host and port of GATEWAY_BASE_URL, and firewalls.'],
  'connect-timeout': [
    'The gateway does not accept a connection in time.',
    'Check firewalls, and whether the gateway has a list of addresses that may call it.',
  ],
  tls: [
    'No secure connection to the gateway can be made.',
    'Check the name in GATEWAY_BASE_URL; for a private CA set GATEWAY_CA_FILE; if the gateway asks for a client certificate, GATEWAY_CLIENT_CERT_FILE.',
  ],
  encryption: [
    'The body could not be encrypted.',
    'Check GATEWAY_ENCRYPTION_KEY and the encryption of the profile.',
  ],
  token: [
    'The gateway issues no token.',
    'Check the token of the profile: its address, and which of GATEWAY_API_KEY and GATEWAY_ACCESS_TOKEN it sends.',
  ],
  preparation: [
    'The call before the status query failed.',
    'Check the call in extra that the operation names as its before.',
  ],
  abandoned: [
    'The status query cannot be made: its path in the profile needs a transactionRef.',
    'Use {client_ref} in the path, or a payment whose answer is lost cannot be asked about.',
  ],
};

const EXPIRED = [
  "The gateway's certificate has expired.",
  'Ask the gateway to renew it, and check the clock of this machine. Payments go on by themselves then.',
] as const;

function checkAnswer(found: Findings, result: GatewayResult, ms: number): void {
  switch (result.kind) {
    case 'answered':
      if (result.answer.meaning === 'unknownTransaction')
        found.ok(
          CHECK,
          `It answers in ${ms} ms, accepts our credentials, and says that it does not know a made-up reference.`,
        );
      else
        found.warning(
          CHECK,
          `It answers "${result.answer.meaning}" about a made-up reference, where it should say that it does not know it.`,
          'Add what it says for an unknown transaction to outcome.meanings.unknownTransaction of the profile.',
        );
      return;
    case 'credentials-rejected':
      found.problem(
        CHECK,
        `It rejects our credentials (HTTP ${result.status}): no payment goes through.`,
        "Check GATEWAY_API_KEY and GATEWAY_ACCESS_TOKEN, and that they are this system's (test or live).",
      );
      return;
    case 'busy':
      found.warning(
        CHECK,
        'It says that it gets too many questions (HTTP 429).',
        'Ask the gateway for its limits.',
      );
      return;
    case 'rejected':
      found.warning(
        CHECK,
        `It answers HTTP ${result.status} to a status query about a made-up reference.`,
        'If this is how it says "not known", the service does not believe it, because a wrong path says the same. Check the path and the base address in the profile.',
      );
      return;
    case 'not-sent': {
      const [message, remedy] = (result.cause === 'CERT_HAS_EXPIRED' ? EXPIRED : NOT_SENT[result.reason]) ?? [
        'It cannot be reached.',
        'Check GATEWAY_BASE_URL.',
      ];
      found.problem(CHECK, result.cause === undefined ? message : `${message} (${result.cause})`, remedy);
      return;
    }
    case 'unknown':
      found.problem(
        CHECK,
        `Its answer cannot be understood (${result.reason}${result.status === undefined ? '' : `, HTTP ${result.status}`}).`,
        'Check GATEWAY_BASE_URL, and the paths and pointers of the profile; "tillfront profile check" shows them.',
      );
  }
}
