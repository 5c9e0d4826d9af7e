import { Inject, Injectable } from '@nestjs/common';
import { PROFILE } from '../../gateway/gateway.module.js';
import type { Profile } from '../../gateway/profile/format.js';
import { RateLimit } from '../../http/rate-limit.js';
import { named, unheard, used } from '../../store/named-reference.js';
import { HARDLY_BELIEVED } from '../../store/payment-name.js';
import type { ReferenceRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import type { ReferenceForm } from '../../gateway/requests/client-ref.js';

/** So often payments of one reference may be named by anybody: a flood of names must not hold its payer up. */
const ANONYMOUS_PER_MINUTE = 3;

/** Writes down payments that may have been made though the store does not have them, so that none of their orders starts unasked. */
@Injectable()
export class Naming {
  private readonly anonymousOf = new RateLimit(ANONYMOUS_PER_MINUTE);

  constructor(
    private readonly store: Store,
    @Inject(PROFILE) private readonly profile: Pick<Profile, 'reference'>,
  ) {}

  /**
   * Names payments by what the gateway calls them. The store must have been searched for them. What is no gateway reference of ours,
   * or a number far beyond those that were used, is passed over.
   */
  async name(gatewayReferences: readonly string[], source: 'report' | 'notification'): Promise<void> {
    await this.writeEach(gatewayReferences, (before, numbers) =>
      named(before, numbers, source, this.store.clock.now()),
    );
  }

  /** The same of what an earlier report names too: what was found out about, or released, since then is not held again. */
  async nameUnheard(gatewayReferences: readonly string[], source: 'report'): Promise<void> {
    await this.writeEach(gatewayReferences, (before, numbers) =>
      named(before, unheard(before, numbers), source, this.store.clock.now()),
    );
  }

  /** Gives no other payment the number of one that the gateway has seen. It holds none up. */
  async keepNumbers(gatewayReferences: readonly string[]): Promise<void> {
    await this.writeEach(gatewayReferences, used);
  }

  /**
   * Names a payment on the word of somebody who may be anybody: only of a reference that exists, only a number that its next payments
   * would get, and few of them at a time.
   */
  async nameAnonymously(gatewayReference: string): Promise<void> {
    const parts = splitReference(gatewayReference, this.profile.reference);
    if (!parts) return;
    const { reference, n } = parts;
    if (!this.anonymousOf.check(reference).allowed) return;
    await this.write(reference, (before) =>
      before.sessionId === null
        ? before
        : named(before, [n], 'notification', this.store.clock.now(), HARDLY_BELIEVED),
    );
  }

  /** Of each reference all numbers at once. */
  private async writeEach(
    gatewayReferences: readonly string[],
    to: (before: ReferenceRecord, numbers: readonly number[]) => ReferenceRecord,
  ): Promise<void> {
    const numbers = new Map<string, number[]>();
    for (const gatewayReference of gatewayReferences) {
      const parts = splitReference(gatewayReference, this.profile.reference);
      if (!parts) continue;
      const { reference, n } = parts;
      numbers.set(reference, [...(numbers.get(reference) ?? []), n]);
    }
    await Promise.all(
      [...numbers].map(([reference, ns]) => this.write(reference, (before) => to(before, ns))),
    );
  }

  private write(reference: string, to: (before: ReferenceRecord) => ReferenceRecord): Promise<void> {
    return this.store.writer.write({ reference, createReference: true }, ({ reference: before }) => {
      const after = to(before);
      return { changes: after === before ? {} : { reference: after }, result: undefined };
    });
  }
}

/** What a gateway reference is made of. */
export interface ReferenceParts {
  readonly reference: string;
  /** Which payment of its reference, from 1. */
  readonly n: number;
}

const REFERENCE = /^[A-Za-z0-9.-]{1,40}$/;
/** No order is ever tried more often: nothing is raised by a number that was misread. */
const NUMBER = /^[1-9][0-9]{0,8}$/;

/**
 * Splits a gateway reference at the profile's separator. Undefined where it is not one that this service makes: then nobody
 * knows which order it is of. Pure.
 */
export function splitReference(
  gatewayReference: string,
  { separator }: ReferenceForm,
): ReferenceParts | undefined {
  const at = gatewayReference.lastIndexOf(separator);
  if (at < 0) return undefined;
  const reference = gatewayReference.slice(0, at);
  const number = gatewayReference.slice(at + separator.length);
  return REFERENCE.test(reference) && NUMBER.test(number) ? { reference, n: Number(number) } : undefined;
}
