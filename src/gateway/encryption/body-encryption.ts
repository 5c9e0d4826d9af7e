import type { Secret } from '../../secrets/secret.js';
import type { Conversation, SettledResult } from '../answers/http-status.js';
import type { RequestBody } from '../plan/member-plan.js';
import type { Profile } from '../profile/format.js';
import { targetOf, writeAt } from '../requests/places.js';
import {
  compileJson,
  compileTemplate,
  fillTemplate,
  type Template,
  type TemplateValues,
} from '../templates/template.js';
import { BodySealer } from './body-sealer.js';
import { parsePointer, readPointer } from '../profile/pointer.js';

/** Posts a body to the encrypting operation of the gateway. */
export type PostToEndpoint = (key: string, body: Record<string, unknown>) => Promise<Conversation>;

const FAILED: SettledResult = { kind: 'not-sent', reason: 'encryption' };

/** Encrypts the bodies of the operations for which the profile says so, here or at the gateway. */
export class BodyEncryption {
  readonly #profile: Profile;
  readonly #sealer: BodySealer;
  readonly #plaintext: Template | undefined;
  readonly #operations: ReadonlySet<string>;

  constructor(profile: Profile, key: Secret | undefined) {
    const { encryption } = profile;
    this.#profile = profile;
    this.#sealer = new BodySealer(encryption, key);
    this.#plaintext = encryption.plaintext === undefined ? undefined : compileTemplate(encryption.plaintext);
    this.#operations = new Set(encryption.scheme === 'none' ? [] : encryption.operations);
  }

  /** What is wrong with the current key, or undefined. */
  keyProblem(): string | undefined {
    return this.#sealer.keyProblem();
  }

  /** The body to send. If it cannot be encrypted, the request is not sent. */
  async encrypt(
    operation: string,
    body: RequestBody | undefined,
    word: TemplateValues['word'],
    post: PostToEndpoint,
  ): Promise<SettledResult | { readonly body: Record<string, unknown> | undefined }> {
    const template = this.#operations.has(operation) ? this.#plaintext : undefined;
    if (!body || (!body.sealed && !template)) return { body: body?.open };
    try {
      if (this.#profile.encryption.scheme === 'gateway-endpoint') return await this.#atGateway(body, post);
      const text = template ? fillTemplate(template, { word }) : JSON.stringify(body.sealed);
      return { body: await this.#sealer.seal(body.open, text) };
    } catch {
      // The errors of a cryptography library can quote the plain text.
      return FAILED;
    }
  }

  async #atGateway(
    { open, sealed = {} }: RequestBody,
    post: PostToEndpoint,
  ): Promise<SettledResult | { readonly body: Record<string, unknown> }> {
    const key = this.#profile.encryption.operation ?? '';
    const operation = this.#profile.operations[key];
    if (!operation) return FAILED;
    const plain = { ...sealed };
    for (const [name, constant] of Object.entries(operation.constants ?? {}))
      writeAt(plain, targetOf(name), compileJson(constant).fill({ word: () => undefined }));
    const answer = await post(key, plain);
    const envelope = answer.kind === 'document' ? envelopeOf(answer.document, this.#profile) : undefined;
    if (envelope) return { body: this.#sealer.assemble(open, envelope) };
    return answer.kind === 'credentials-rejected' || answer.kind === 'busy' ? answer : FAILED;
  }
}

/**
 * Reads the envelope from the answer of the gateway's own encryption operation. It is the whole answer, or the value
 * that the profile's `envelope` names. Undefined where the answer is an error or has no such value.
 */
function envelopeOf(document: unknown, profile: Profile): Readonly<Record<string, unknown>> | undefined {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return undefined;
  const failed = profile.outcome.error.some((text) => {
    const pointer = parsePointer(text);
    return pointer !== undefined && (readPointer(document, pointer) ?? false) !== false;
  });
  if (failed) return undefined;
  const { envelope } = profile.encryption;
  if (envelope === undefined) return document as Record<string, unknown>;
  const target = targetOf(envelope);
  const value = readPointer(document, target);
  const present = typeof value === 'string' ? value !== '' : typeof value === 'object' && value !== null;
  return present ? { [target.at(-1) ?? envelope]: value } : undefined;
}
