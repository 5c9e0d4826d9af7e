import { ConfigError, type Config } from '../../config/read-config.js';
import { Credentials } from './credentials.js';
import { BodySealer } from '../encryption/body-sealer.js';
import { envelopeOf } from '../encryption/gateway-endpoint.js';
import type { SendGate } from '../gateway-input.js';
import { readExchange, type Conversation, type SettledResult } from '../answers/http-status.js';
import {
  lowerCaseNames,
  planOperation,
  targetOf,
  writeAt,
  type OperationInputs,
  type RequestBody,
  type RequestPlan,
} from './operation-fields.js';
import { compileOutcome, type OutcomeReader } from '../answers/outcome-reader.js';
import { OPERATION_KEYS, type OperationKey, type Profile } from '../profile/format.js';
import { Transport } from '../transport/transport.js';

/** Called after every request to an operation that only encrypts. */
export type ObserveEncryption = (operation: string, outcome: string, seconds: number) => void;

interface CompiledOperation<I> {
  readonly plan: RequestPlan<I>;
  readonly reader: OutcomeReader;
}

interface Recipient {
  readonly method: string;
  readonly path: string;
  readonly credentials: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

const ENCRYPTION_FAILED: SettledResult = { kind: 'not-sent', reason: 'encryption' };
const ABANDONED: SettledResult = { kind: 'not-sent', reason: 'abandoned' };

/** Sends the requests of the operations as the profile says, encrypted if it asks for that, and parses the answers. */
export class OperationCaller {
  readonly #config: Config['gateway'];
  readonly #profile: Profile;
  readonly #observe: ObserveEncryption;
  readonly #credentials: Credentials;
  readonly #transport: Transport;
  readonly #sealer: BodySealer;
  readonly #operations: { readonly [K in OperationKey]: CompiledOperation<OperationInputs[K]> };

  /** Throws {@link ConfigError} where the profile's encryption needs a key and there is no usable one. */
  constructor(config: Config['gateway'], profile: Profile, observe: ObserveEncryption) {
    this.#config = config;
    this.#profile = profile;
    this.#observe = observe;
    this.#sealer = new BodySealer(profile.encryption, config.encryptionKey);
    const problem = this.#sealer.keyProblem();
    if (problem !== undefined) {
      throw new ConfigError([{ variable: 'GATEWAY_ENCRYPTION_KEY', message: problem }]);
    }
    this.#credentials = new Credentials(config);
    this.#transport = new Transport(config);
    this.#operations = compileOperations(profile);
  }

  /** The reader for an operation's answers. */
  reader(key: OperationKey): OutcomeReader {
    return this.#operations[key].reader;
  }

  /** Makes one request. The deadline covers everything, including a call to the encrypting operation. */
  async call<K extends OperationKey>(
    key: K,
    input: OperationInputs[K],
    gate?: SendGate,
  ): Promise<Conversation> {
    const { plan, reader } = this.#operations[key];
    const request = writeRequest(plan, input);
    if (!request) return ABANDONED;
    const deadline = performance.now() + this.#config.timeoutMs;
    let body: Record<string, unknown> | undefined = request.body?.open;
    if (request.body?.sealed) {
      const sealed = await this.#seal(request.body, deadline);
      if ('kind' in sealed) return sealed;
      body = sealed.body;
    }
    return this.#send({ ...plan, path: request.path }, body, reader, deadline, gate);
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  async #send(
    to: Recipient,
    body: Record<string, unknown> | undefined,
    reader: OutcomeReader,
    deadline: number,
    gate?: SendGate,
  ): Promise<Conversation> {
    const exchange = await this.#transport.send({
      method: to.method,
      path: to.path,
      headers: to.credentials ? this.#credentials.addedTo(to.headers) : to.headers,
      ...(body && { body: JSON.stringify(body) }),
      deadline,
      ...(gate?.beforeSend && { beforeSend: gate.beforeSend }),
    });
    return readExchange(exchange, reader);
  }

  /** Encrypts here, or calls the gateway's own operation for it. If that fails, the request itself was not sent. */
  async #seal(
    body: RequestBody,
    deadline: number,
  ): Promise<SettledResult | { readonly body: Record<string, unknown> }> {
    try {
      if (this.#profile.encryption.scheme !== 'gateway-endpoint')
        return { body: await this.#sealer.seal(body) };
      return await this.#sealAtGateway(body, deadline);
    } catch {
      // The errors of a cryptography library can quote the plain text.
      return ENCRYPTION_FAILED;
    }
  }

  async #sealAtGateway(
    { open, sealed = {} }: RequestBody,
    deadline: number,
  ): Promise<SettledResult | { readonly body: Record<string, unknown> }> {
    const key = this.#profile.encryption.operation ?? '';
    const operation = this.#profile.operations[key];
    if (!operation) return ENCRYPTION_FAILED;
    const plain = { ...sealed };
    for (const [name, constant] of Object.entries(operation.constants ?? {}))
      writeAt(plain, targetOf(name), constant);
    const begun = performance.now();
    const to = { ...operation, headers: lowerCaseNames(operation.headers ?? {}) };
    const answer = await this.#send(to, plain, compileOutcome(this.#profile.outcome), deadline);
    const envelope = answer.kind === 'document' ? envelopeOf(answer.document, this.#profile) : undefined;
    this.#observe(key, envelope ? 'encrypted' : answer.kind, (performance.now() - begun) / 1000);
    if (envelope) return { body: this.#sealer.assemble(open, envelope) };
    return answer.kind === 'credentials-rejected' || answer.kind === 'busy' ? answer : ENCRYPTION_FAILED;
  }
}

function compileOperations(profile: Profile): {
  readonly [K in OperationKey]: CompiledOperation<OperationInputs[K]>;
} {
  const compiled = OPERATION_KEYS.map((key) => [
    key,
    {
      plan: planOperation(profile, key),
      reader: compileOutcome(profile.outcome, profile.operations[key].outcome),
    },
  ]);
  return Object.fromEntries(compiled) as { [K in OperationKey]: CompiledOperation<OperationInputs[K]> };
}

/** Path and body. Undefined where the input lacks a value that the path needs. */
function writeRequest<I>(
  plan: RequestPlan<I>,
  input: I,
): { path: string; body: RequestBody | undefined } | undefined {
  try {
    const path = plan.path(input);
    return path === undefined ? undefined : { path, body: plan.body(input) };
  } catch {
    // A lone surrogate cannot be percent-encoded. No payment has such a reference.
    return undefined;
  }
}
