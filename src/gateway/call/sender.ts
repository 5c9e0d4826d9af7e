import type { Config } from '../../config/config.js';
import { readExchange, type Conversation, type SettledResult } from '../answers/http-status.js';
import { CredentialSets } from '../credentials/credential-sets.js';
import { Tokens, type ObserveToken } from '../credentials/tokens.js';
import type { SendGate } from '../gateway-input.js';
import type { NotSent } from '../gateway-result.js';
import type { OperationPlan } from '../plan/operation-plan.js';
import type { Profile } from '../profile/format.js';
import type { EncodedBody } from '../requests/encode.js';
import type { TemplateValues } from '../templates/template.js';
import { Transport, type Exchanges, type TransportResult } from '../transport/transport.js';

/** A request that lacks only its credentials. */
export interface UnsignedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: EncodedBody | undefined;
  /** The payment's fields, for credentials that name them. */
  readonly word: TemplateValues['word'];
  /** A `performance.now()` timestamp. */
  readonly deadline: number;
  readonly gate: SendGate | undefined;
}

/** How an exchange ended, or why it did not begin. */
export type Sending = { readonly exchange: TransportResult } | { readonly unsent: SettledResult };

/**
 * Adds the credentials to a request, signs it as it is sent, and sends it: once, and a second time only where the gateway
 * refused a token from the cache unread.
 */
export class Sender {
  readonly #transport: Exchanges;
  readonly #credentials: CredentialSets;
  readonly #tokens: Tokens | undefined;

  constructor(
    config: Config['gateway'],
    profile: Profile,
    observe: ObserveToken,
    transport: Exchanges = new Transport(config),
  ) {
    this.#transport = transport;
    this.#credentials = new CredentialSets(profile, config);
    this.#tokens = profile.token && new Tokens(config, profile.token, this.#transport, observe);
  }

  async send(plan: OperationPlan, request: UnsignedRequest): Promise<Sending> {
    const tokens = this.#credentials.usesToken(plan.credentials) ? this.#tokens : undefined;
    if (!tokens) return { exchange: await this.#exchange(plan, request, undefined) };
    const token = await tokens.get(request.deadline);
    if ('failed' in token) return { unsent: withoutToken(token.failed, plan) };
    const exchange = await this.#exchange(plan, request, token.value);
    if (!isUnauthorized(exchange)) return { exchange };
    tokens.discard(token.value);
    if (!token.fromCache) return { exchange };
    const renewed = await tokens.get(request.deadline);
    if ('failed' in renewed) return { exchange };
    const again = await this.#exchange(plan, request, renewed.value);
    if (isUnauthorized(again)) tokens.discard(renewed.value);
    // What was not sent again was still refused the first time.
    return { exchange: again.kind === 'not-sent' ? exchange : again };
  }

  async close(): Promise<void> {
    await this.#tokens?.close();
    await this.#transport.close();
  }

  #exchange(
    { method, credentials }: OperationPlan,
    { path, headers, body, word, deadline, gate }: UnsignedRequest,
    token: string | undefined,
  ): Promise<TransportResult> {
    const target = this.#transport.targetOf(path);
    const signed = this.#credentials.addedTo(headers, credentials, {
      method,
      target,
      body: body?.text ?? '',
      word,
      token,
    });
    return this.#transport.send({
      method,
      path,
      headers: signed,
      ...(body && { body: body.text, contentType: body.contentType }),
      deadline,
      ...(gate?.beforeSend && { beforeSend: gate.beforeSend }),
    });
  }
}

function isUnauthorized(exchange: TransportResult): boolean {
  return exchange.kind === 'response' && exchange.status === 401;
}

function causeOnly(read: Conversation): Pick<NotSent, 'cause'> {
  return read.kind === 'not-sent' && read.cause !== undefined ? { cause: read.cause } : {};
}

/** Without a token nothing was sent; whether for lack of rights or of patience is worth telling. */
function withoutToken(failed: TransportResult, { reader }: OperationPlan): SettledResult {
  const read = readExchange(failed, { reader });
  return read.kind === 'credentials-rejected' || read.kind === 'busy'
    ? read
    : { ...causeOnly(read), kind: 'not-sent', reason: 'token' };
}
